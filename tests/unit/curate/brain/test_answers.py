"""What counts as an answer of the brain, and all that does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engram_hooks.curate.brain import answers
from engram_hooks.curate.brain.answers import MalformedAnswer, RefusedAnswer

LINES = {3: "please use  pnpm here from now on,\nnpm breaks the links", 4: "fine"}
QUOTE = "use pnpm here from now on"
MEMORY = {"kind": "feedback", "summary": "Use pnpm, not npm.", "quote": QUOTE, "line": 3, "confidence": 0.9}
RULING = {"action": "supersede", "target_id": 12, "confidence": 1, "reason": "It names another tool."}
INSIGHT = {"text": "The retry code was repaired three times.", "ids": [12, 14]}
DOCUMENT = {"a": [1, 2.5, None, "x"]}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(json.dumps(DOCUMENT), id="bare"),
        pytest.param(f"\n  {json.dumps(DOCUMENT, indent=2)}\n", id="over several lines"),
        pytest.param(f"```json\n{json.dumps(DOCUMENT)}\n```", id="fenced"),
        pytest.param(f"```\n{json.dumps(DOCUMENT)}\n```\n", id="fenced without a language"),
        pytest.param(
            f"Here you are:\n\n```json\r\n{json.dumps(DOCUMENT)}\r\n```\nDone.", id="fenced amid words"
        ),
        pytest.param(json.dumps({"type": "result", "result": json.dumps(DOCUMENT)}), id="envelope"),
        pytest.param(
            json.dumps(
                {"type": "result", "is_error": False, "result": f"```json\n{json.dumps(DOCUMENT)}\n```"}
            ),
            id="fenced in an envelope",
        ),
        pytest.param(
            json.dumps([{"type": "system"}, {"type": "result", "result": json.dumps(DOCUMENT)}]),
            id="envelope at the end of a list of events",
        ),
    ],
)
def test_one_document_is_read(text: str) -> None:
    assert answers.read_document(text) == DOCUMENT


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("I found nothing.", id="words"),
        pytest.param('{"a": [1, 2', id="half a document"),
        pytest.param('{"a": 1} {"b": 2}', id="two documents"),
        pytest.param('{"a": 1}\nThat is all.', id="words behind it"),
        pytest.param('```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```', id="two blocks"),
        pytest.param('```json\n{"a": \n```', id="a block of half a document"),
        pytest.param('{"a": NaN}', id="not a number"),
        pytest.param('{"a": -Infinity}', id="infinite"),
        pytest.param('{"a": 1e999}', id="infinite in disguise"),
        pytest.param("[" * 100_000, id="nested without end"),
        pytest.param("[" * 5_000 + "]" * 5_000, id="nested too deeply"),
        pytest.param(json.dumps({"type": "result", "result": "sorry"}), id="words in an envelope"),
    ],
)
def test_anything_else_is_no_document(text: str) -> None:
    with pytest.raises(MalformedAnswer):
        answers.read_memories(answers.read_document(text), {})


@pytest.mark.parametrize(
    "envelope",
    [
        {"type": "result", "is_error": True, "result": "API Error: 529"},
        {"type": "result", "subtype": "error_max_turns", "is_error": False},
    ],
)
def test_error_of_the_client_is_a_failure(envelope: dict[str, object]) -> None:
    with pytest.raises(RefusedAnswer):
        answers.read_document(json.dumps(envelope))


def test_memories_are_read() -> None:
    assert answers.read_memories({"memories": []}, LINES) == []
    (memory,) = answers.read_memories({"memories": [MEMORY]}, LINES)
    assert memory == answers.Memory("feedback", "Use pnpm, not npm.", QUOTE, 3, 0.9)


@pytest.mark.parametrize(
    "quote",
    [
        pytest.param("use yarn here from now on", id="never said"),
        pytest.param("use pnpm here … links", id="stitched together"),
        pytest.param("USE PNPM HERE FROM NOW ON", id="in other letters"),
    ],
)
def test_memory_whose_quote_was_never_said_is_left_out(quote: str) -> None:
    made_up = {**MEMORY, "quote": quote}
    assert [one.quote for one in answers.read_memories({"memories": [made_up, MEMORY]}, LINES)] == [QUOTE]
    assert answers.read_memories({"memories": [{**MEMORY, "line": 4}]}, LINES) == []


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"kind": "insight"}, id="a kind it may not give"),
        pytest.param({"kind": ["fact"]}, id="a kind of the wrong type"),
        pytest.param({"summary": "short"}, id="too short"),
        pytest.param({"summary": "x" * 301}, id="too long"),
        pytest.param({"summary": None}, id="no text"),
        pytest.param({"summary": "\u200b" * 40}, id="nothing that can be seen"),
        pytest.param({"quote": "pnpm"}, id="a quote too short"),
        pytest.param({"line": 5}, id="a line that was not offered"),
        pytest.param({"line": "3"}, id="a line as text"),
        pytest.param({"line": True}, id="a line that is a yes"),
        pytest.param({"line": 3.0}, id="a line with a fraction"),
        pytest.param({"line": [3]}, id="a list of lines"),
        pytest.param({"confidence": 1.5}, id="more than sure"),
        pytest.param({"confidence": True}, id="a yes for a number"),
        pytest.param({"confidence": "0.9"}, id="a number as text"),
        pytest.param({"status": "active"}, id="a field of its own"),
    ],
)
def test_memory_with_one_wrong_field_spoils_the_answer(change: dict[str, object]) -> None:
    with pytest.raises(MalformedAnswer):
        answers.read_memories({"memories": [MEMORY, {**MEMORY, **change}]}, LINES)


@pytest.mark.parametrize("name", sorted(MEMORY))
def test_memory_without_a_field_spoils_the_answer(name: str) -> None:
    with pytest.raises(MalformedAnswer, match=name):
        answers.read_memories({"memories": [{k: v for k, v in MEMORY.items() if k != name}]}, LINES)


@pytest.mark.parametrize(
    "value",
    [
        [MEMORY],
        {"memories": MEMORY},
        {"memories": [MEMORY] * 9},
        {"memories": ["Use pnpm."]},
        {"memories": [], "note": "nothing"},
        {},
        None,
        "memories",
    ],
)
def test_answer_of_another_form_is_malformed(value: object) -> None:
    with pytest.raises(MalformedAnswer):
        answers.read_memories(value, LINES)


def test_texts_that_come_back_are_cleaned_and_redacted() -> None:
    token = "ghp_" + "a1B2c3D4" * 4 + "e5F6"
    memory = {**MEMORY, "summary": f"Use\u200b the\n token {token} for pnpm."}
    (found,) = answers.read_memories({"memories": [memory]}, LINES)
    assert found.summary == "Use the token [redacted] for pnpm."


def test_rulings_are_read() -> None:
    ruling = answers.read_ruling(RULING, {12, 13})
    assert (ruling.action, ruling.target_id, ruling.confidence) == ("supersede", 12, 1.0)
    assert answers.read_ruling({**RULING, "action": "create", "target_id": None}, set()).target_id is None


@pytest.mark.parametrize(
    "change",
    [
        {"action": "delete"},
        {"action": "Supersede"},
        {"target_id": None},
        {"target_id": 99},
        {"target_id": "12"},
        {"confidence": -0.1},
        {"reason": ""},
        {"reason": "x" * 201},
        {"also": []},
    ],
)
def test_ruling_with_one_wrong_field_is_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(MalformedAnswer):
        answers.read_ruling({**RULING, **change}, {12, 13})


def test_insights_are_read() -> None:
    (found,) = answers.read_insights({"insights": [INSIGHT]}, {12, 13, 14})
    assert found.record_ids == (12, 14)


@pytest.mark.parametrize(
    "change",
    [{"ids": [12]}, {"ids": [12, 12]}, {"ids": [12, 99]}, {"ids": 12}, {"ids": [12, "14"]}, {"text": "Hm."}],
)
def test_insight_with_one_wrong_field_is_malformed(change: dict[str, Any]) -> None:
    with pytest.raises(MalformedAnswer):
        answers.read_insights({"insights": [{**INSIGHT, **change}]}, {12, 13, 14})


@pytest.mark.parametrize(
    "value", [{"summary": "short"}, {"summary": "x" * 801}, {"summary": 7}, {"text": "x" * 40}]
)
def test_summary_of_another_form_is_malformed(value: object) -> None:
    with pytest.raises(MalformedAnswer):
        answers.read_summary(value)
