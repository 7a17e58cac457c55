"""Whatever a program prints is either exactly what was asked for or no answer; whatever was said stays data."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engram_hooks.curate.brain import answers, prompts
from engram_hooks.curate.brain.answers import MalformedAnswer, RefusedAnswer
from tests.support.scripted_brain import read_data

LINES = {1: "please use pnpm here from now on", 2: "it was tried twice and it failed both times"}
IDS = {3, 5, 8}
READERS: list[Callable[[object], Any]] = [
    lambda value: answers.read_memories(value, LINES),
    lambda value: answers.read_ruling(value, IDS),
    answers.read_summary,
    lambda value: answers.read_insights(value, IDS),
    answers.read_readiness,
]
VALID: list[dict[str, Any]] = [
    {
        "memories": [
            {
                "kind": "fact",
                "summary": "Use pnpm here.",
                "quote": "use pnpm here",
                "line": 1,
                "confidence": 0.5,
            }
        ]
    },
    {"action": "merge", "target_id": 3, "confidence": 1, "reason": "The same thing."},
    {"summary": "The session moved the build to pnpm."},
    {"insights": [{"text": "The same module was repaired twice.", "ids": [3, 5]}]},
    {"ready": True},
]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)


@given(st.text(max_size=300))
def test_any_text_is_a_document_or_malformed(text: str) -> None:
    try:
        value = answers.read_document(text)
    except (MalformedAnswer, RefusedAnswer):
        return
    json.dumps(value, allow_nan=False)


@given(st.sampled_from(READERS), VALUES)
def test_any_json_is_an_answer_or_malformed(read: Callable[[object], Any], value: object) -> None:
    try:
        read(value)
    except MalformedAnswer:
        return


def list_places(value: object, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value, by the keys that lead to it."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in list_places(part, (*path, key)))]


def put(value: Any, path: tuple[Any, ...], part: object) -> Any:
    """A copy of a JSON value with another part in one place."""
    if not path:
        return part
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], part)
    return copy


@given(st.data())
def test_one_part_that_is_another_is_noticed_or_harmless(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(VALID) - 1))
    path = data.draw(st.sampled_from(list_places(VALID[number])))
    changed = put(VALID[number], path, data.draw(VALUES))
    try:
        found = READERS[number](changed)
    except MalformedAnswer:
        return
    for memory in found if number == 0 else ():
        assert memory.quote in LINES[memory.line]
        assert memory.kind in answers.KINDS
    if number == 1:
        assert found.action in answers.ACTIONS
        assert found.target_id in {None, *IDS}
    for insight in found if number == 3 else ():
        assert set(insight.record_ids) <= IDS


@given(
    st.lists(
        st.tuples(st.sampled_from(["user", "assistant", "tool", "result"]), st.text(max_size=200)), max_size=6
    )
)
def test_any_conversation_stays_in_its_frame(lines: list[tuple[str, str]]) -> None:
    chosen = prompts.choose_lines(lines)
    for prompt in (prompts.ask_memories(chosen), prompts.ask_summary(chosen)):
        assert [item["line"] for item in read_data(prompt)] == list(chosen)
        prompt.encode()
    assert all(lines[number - 1][0] == role for number, (role, _) in chosen.items())
    assert all(role in ("user", "assistant") for role, _ in chosen.values())
