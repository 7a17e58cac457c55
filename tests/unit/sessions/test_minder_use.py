"""How a record was taken before changes what the minder says of it: here alone, and as a reason that shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate.asking import explain, search_records
from engram_hooks.recall.fields import ID
from engram_hooks.recall.standing import has_chance
from engram_hooks.sessions import minder
from engram_hooks.store import usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.recall.rank import Scored

NOTE = "Roadmap meetings went through the checkout page with finance"
PROMPT = "show the checkout page to finance"
NOW = 1_780_000_000_000


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Engram]:
    """A store in which two projects know the same note; words alone find it."""
    environ = {"HOME": str(tmp_path), "ENGRAM_EMBED": "off"}
    with Engram(home=tmp_path, cwd=tmp_path, project="p", environ=environ) as memory:
        rows = [{"id": "1", "project": name, "text": NOTE} for name in ("p", "other")]
        memory.import_records([*rows, {"id": "2", "project": "p", "text": "Backups run at night"}])
        yield memory


def _find(memory: Engram, *, project: str = "p", session_id: int = 0) -> dict[int, Scored]:
    question = memory.question(PROMPT, project=project)
    scored = minder.find(
        memory.db,
        memory.data,
        PROMPT,
        project_id=question.project_id or 0,
        environ=memory.environ,
        session_id=session_id,
        now_ms=NOW,
    )
    return {item[1][ID]: item for item in scored}


def _ignore(memory: Engram, record_id: int) -> None:
    project_id = memory.question("x", project="p").project_id or 0
    usage.write_usage(memory.db, project_id, record_id, (0.0, 5.0, -4.0), now_ms=NOW)


def test_ignored_record_is_less_likely_needed_here_and_as_before_elsewhere(memory: Engram) -> None:
    (number,) = _find(memory)
    (there,) = _find(memory, project="other")
    before, elsewhere = _find(memory)[number][0], _find(memory, project="other")[there]
    _ignore(memory, number)
    after = _find(memory)[number]
    assert after[0] < before / 5
    assert after[2]["signals"]["use"] == -4.0
    assert _find(memory, project="other")[there] == elsewhere


def test_store_in_which_nothing_was_judged_gives_the_same_as_ever(memory: Engram) -> None:
    (found,) = _find(memory).values()
    assert "use" not in found[2]["signals"]
    assert _find(memory, session_id=7)[found[1][ID]] == found


def test_session_with_a_chance_judges_as_if_nothing_were_known(memory: Engram) -> None:
    (number,) = _find(memory)
    before = _find(memory)[number]
    _ignore(memory, number)
    session = next(at for at in range(1, 9_999) if has_chance(number, at))
    assert _find(memory, session_id=session)[number][0] == before[0]


def test_question_why_not_names_the_use_as_a_signal(memory: Engram) -> None:
    (number,) = _find(memory)
    usage.write_usage(memory.db, memory.project_id or 0, number, (0.0, 5.0, -4.0), now_ms=search_now(memory))
    found = explain.explain_record(memory.db, memory.question(PROMPT), memory.find(str(number)))
    assert not found.is_shown
    assert found.signals["use"] == pytest.approx(-4.0, abs=0.01)
    scored, _, _ = search_records.judge_prompt(memory.db, memory.question(PROMPT))
    assert scored[0][0] == found.score


def search_now(memory: Engram) -> int:
    """The moment at which a question is asked."""
    return memory.question("x").now_ms
