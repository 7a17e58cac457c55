"""Whatever people say, looking for candidates never fails and stays within its bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_hooks.sessions.candidates import extract
from tests.support.passing_talk import DROPPED
from tests.support.sayings import KEPT

if TYPE_CHECKING:
    from engram_hooks.sessions.lines import Row

_SENTENCES = st.sampled_from([text for _, text, *_ in (*KEPT, *DROPPED)])
_TEXTS = st.lists(_SENTENCES | st.text(max_size=60), max_size=5).map("\n".join)
_ROLES = st.sampled_from(["user", "assistant", "tool", "result"])


@given(st.lists(st.tuples(_ROLES, _TEXTS, st.sampled_from(["", "a1"])), max_size=6))
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_candidates_of_any_talk_are_bounded_and_unique(talk: list[tuple[str, str, str]]) -> None:
    rows: list[Row] = [
        (f"u{number}", role, text, number, "", "", "", agent)
        for number, (role, text, agent) in enumerate(talk)
    ]
    found = extract(rows)
    assert len({one.summary for one in found}) == len(found)
    for one in found:
        assert 0 < len(one.summary) <= 200
        assert len(one.quote) <= 400
        assert rows[int(one.uuid[1:])][1] != "result" or one.reason == "answers the agent's question"
    assert extract(rows, known=[one.summary for one in found]) == []


@given(_TEXTS)
@settings(deadline=None)
def test_tools_and_subagents_never_speak_for_the_user(text: str) -> None:
    assert extract([("u", "result", text, 1, "", "", "", "")]) == []
    assert extract([("u", "user", text, 1, "", "", "", "a1")]) == []
