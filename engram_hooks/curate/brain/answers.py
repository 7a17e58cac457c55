"""What the brain answers, field by field: anything that is not exactly what was asked for counts as no answer."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

from engram_hooks.guard.firewall import strip_hidden
from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend

MAX_MEMORIES = 8
MAX_INSIGHTS = 5
SUMMARY_CHARS = 10, 300
QUOTE_CHARS = 8, 400
REASON_CHARS = 3, 200
SESSION_CHARS = 20, 800
INSIGHT_CHARS = 20, 300
KINDS = (
    *("user", "feedback", "constraint", "decision", "architecture"),
    *("procedure", "incident", "fact", "reference"),
)
ACTIONS = "create", "update", "merge", "supersede", "discard", "needs_review"
TARGETED = "update", "merge", "supersede"

_FENCE = re.compile(r"^[ \t]*```[a-zA-Z]*[ \t]*\r?\n(.*?)^[ \t]*```[ \t]*$", re.DOTALL | re.MULTILINE)


class MalformedAnswer(ValueError):
    """The answer is not what was asked for; the message says where, in our own words alone."""


class RefusedAnswer(ValueError):
    """The program says by its envelope that it failed."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A proposed memory and the words it rests on, which stand in the line of that number."""

    kind: str
    summary: str
    quote: str
    line: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is to become of a new record beside the ones that it is like."""

    action: str
    target_id: int | None
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Insight:
    """A pattern in several records, and which."""

    text: str
    record_ids: tuple[int, ...]


def read_document(text: str) -> object:
    """The one JSON document that a program printed: bare, in a fenced block, or in the envelope of Claude Code.

    Raises `MalformedAnswer`, or `RefusedAnswer` where the envelope reports an error.
    """
    text = text.strip().removeprefix("\ufeff")
    if not text:
        raise MalformedAnswer("nothing was said")
    try:
        value = _parse(text)
    except ValueError:
        return _parse_fenced(text)
    envelope = value[-1] if isinstance(value, list) and value else value
    if not isinstance(envelope, dict) or envelope.get("type") != "result":
        return value
    result = envelope.get("result")
    if envelope.get("is_error") or not isinstance(result, str):
        raise RefusedAnswer("the client reports an error")
    try:
        return _parse(result.strip())
    except ValueError:
        return _parse_fenced(result)


def read_memories(value: object, lines: Mapping[int, str]) -> list[Memory]:
    """The memories of an answer; one whose quote does not stand in its line is left out. Raises `MalformedAnswer`."""
    found = [_read_memory(item, lines) for item in _take_list(value, "memories", MAX_MEMORIES)]
    return [memory for memory in found if _stands_in(memory.quote, lines[memory.line])]


def read_ruling(value: object, ids: Collection[int]) -> Ruling:
    """The ruling of an answer, about one of `ids`. Raises `MalformedAnswer`."""
    fields = _take_object(value, ("action", "target_id", "confidence", "reason"))
    action = _take_choice(fields, "action", ACTIONS)
    target = fields["target_id"]
    if target is not None:
        target = _take_id(target, "target_id", ids)
    if action in TARGETED and target is None:
        _refuse("target_id", "is missing")
    confidence, reason = _take_share(fields, "confidence"), _take_text(fields, "reason", REASON_CHARS)
    return Ruling(action, target, confidence, reason)


def read_summary(value: object) -> str:
    """The summary of a session. Raises `MalformedAnswer`."""
    return _take_text(_take_object(value, ("summary",)), "summary", SESSION_CHARS)


def read_insights(value: object, ids: Collection[int]) -> list[Insight]:
    """The insights of an answer, each from two or more of `ids`. Raises `MalformedAnswer`."""
    return [_read_insight(item, ids) for item in _take_list(value, "insights", MAX_INSIGHTS)]


def read_readiness(value: object) -> bool:
    """Whether the answer to the trial question is the one asked for. Raises `MalformedAnswer`."""
    if _take_object(value, ("ready",))["ready"] is not True:
        _refuse("ready", "is not true")
    return True


def _read_memory(item: object, lines: Mapping[int, str]) -> Memory:
    fields = _take_object(item, ("kind", "summary", "quote", "line", "confidence"))
    return Memory(
        _take_choice(fields, "kind", KINDS),
        _take_text(fields, "summary", SUMMARY_CHARS),
        _take_text(fields, "quote", QUOTE_CHARS),
        _take_id(fields["line"], "line", lines),
        _take_share(fields, "confidence"),
    )


def _read_insight(item: object, ids: Collection[int]) -> Insight:
    fields = _take_object(item, ("text", "ids"))
    text, given = _take_text(fields, "text", INSIGHT_CHARS), fields["ids"]
    if not isinstance(given, list):
        _refuse("ids", "is no list")
    named = tuple(dict.fromkeys(_take_id(one, "ids", ids) for one in given))
    if len(named) < 2:
        _refuse("ids", "names fewer than two")
    return Insight(text, named)


def _take_list(value: object, name: str, max_items: int) -> Sequence[object]:
    items = _take_object(value, (name,))[name]
    if not isinstance(items, list):
        _refuse(name, "is no list")
    if len(items) > max_items:
        _refuse(name, f"has more than {max_items} items")
    return items


def _take_object(value: object, names: Collection[str]) -> dict[str, object]:
    if not isinstance(value, dict):
        raise MalformedAnswer("it is no JSON object of the form asked for")
    for name in names:
        if name not in value:
            _refuse(name, "is missing")
    if len(value) > len(names):
        raise MalformedAnswer("it has a field that was not asked for")
    return value


def _take_text(fields: Mapping[str, object], name: str, limits: tuple[int, int]) -> str:
    """A text on one line, without secrets and hidden characters."""
    text = fields[name]
    if not isinstance(text, str):
        _refuse(name, "is no text")
    text = " ".join(strip_hidden(mend(text)).split())
    if not limits[0] <= len(text) <= limits[1]:
        _refuse(name, f"has {len(text)} characters, not {limits[0]} to {limits[1]}")
    return redact(text)


def _take_choice(fields: Mapping[str, object], name: str, choices: Collection[str]) -> str:
    value = fields[name]
    if not isinstance(value, str) or value not in choices:
        _refuse(name, "is none of the allowed values")
    return value


def _take_share(fields: Mapping[str, object], name: str) -> float:
    value = fields[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        _refuse(name, "is no number from 0 to 1")
    return float(value)


def _take_id(value: object, name: str, ids: Collection[int]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value not in ids:
        _refuse(name, "names what was not offered")
    return value


def _stands_in(quote: str, line: str) -> bool:
    return " ".join(quote.split()) in " ".join(strip_hidden(line).split())


def _parse_fenced(text: str) -> object:
    blocks = _FENCE.findall(text)
    if len(blocks) != 1:
        raise MalformedAnswer("it is no JSON document")
    try:
        return _parse(blocks[0])
    except ValueError:
        raise MalformedAnswer("the block in it is no JSON document") from None


def _parse(text: str) -> object:
    """JSON as its standard has it: no NaN, no infinities, no nesting without end. Raises `ValueError`."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_float=_read_float)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _read_float(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError("no finite number")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _refuse(name: str, what: str) -> NoReturn:
    raise MalformedAnswer(f"{name} {what}")
