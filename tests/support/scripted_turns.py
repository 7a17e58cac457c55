"""What the scripted model says: turns, lanes, and their form on the wire."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

JsonObject = dict[str, object]

# What every client tells the model when it asks for the summary of a conversation.
_SUMMARY_REQUEST = "create a detailed summary of"
_SPENT = "(the script has no more turns)"
_CHUNK_CHARS = 48


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One tool that the scripted model calls."""

    name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Turn:
    """One scripted reply: text, then tool calls; or an API error with this HTTP status.

    `hold` keeps the client waiting until the server is closed (a turn that never ends).
    `usage` goes over the default token counts.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Mapping[str, int] = field(default_factory=dict)
    delay_s: float = 0.0
    hold: bool = False
    error_status: int | None = None
    error_type: str = "invalid_request_error"


@dataclass(frozen=True, slots=True)
class Lane:
    """A side conversation (a subagent), known by a word in its first user message."""

    word: str
    turns: Sequence[Turn | str]


def iterate_texts(value: object) -> Iterator[str]:
    """Yield every string inside a decoded JSON value, keys excepted."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from iterate_texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from iterate_texts(inner)


def _messages_of(body: JsonObject) -> list[JsonObject]:
    messages = body.get("messages")
    return [m for m in messages if isinstance(m, dict)] if isinstance(messages, list) else []


def _user_texts(body: JsonObject) -> list[str]:
    return ["\n".join(iterate_texts(m.get("content"))) for m in _messages_of(body) if m.get("role") == "user"]


class Script:
    """Decides which lane a request belongs to and which turn answers it; safe between threads."""

    def __init__(
        self,
        turns: Sequence[Turn | str],
        *,
        lanes: Mapping[str, Lane] | None = None,
        summary: str = "<summary>A scripted summary.</summary>",
    ) -> None:
        self._lanes = dict(lanes or {})
        self._lock = threading.Lock()
        self._waiting: dict[str, list[Turn | str]] = {"main": list(turns)}
        for name, lane in self._lanes.items():
            self._waiting[name] = list(lane.turns)
        self._fixed = {"summary": Turn(summary), "side": Turn('{"title": "scripted", "isNewTopic": false}')}

    def append(self, *turns: Turn | str) -> None:
        """Add turns to the main lane."""
        with self._lock:
            self._waiting["main"].extend(turns)

    def choose_lane(self, body: JsonObject) -> str:
        """Return the lane of a request."""
        said = _user_texts(body)
        if said and _SUMMARY_REQUEST in said[-1]:
            return "summary"
        for name, lane in self._lanes.items():
            if said and lane.word in said[0]:
                return name
        return "main" if body.get("tools") else "side"

    def take_turn(self, lane: str) -> Turn:
        """Return the next turn of a lane; a spent lane says so in its text."""
        if lane in self._fixed:
            return self._fixed[lane]
        with self._lock:
            waiting = self._waiting[lane]
            turn = waiting.pop(0) if waiting else _SPENT
        return Turn(turn) if isinstance(turn, str) else turn


def compose_message(turn: Turn, *, number: int, model: str) -> JsonObject:
    """Return the whole reply as the API would send it without streaming."""
    content: list[JsonObject] = []
    if turn.text or not turn.calls:
        content.append({"type": "text", "text": turn.text})
    for index, call in enumerate(turn.calls):
        identity = f"toolu_scripted_{number}_{index}"
        content.append({"type": "tool_use", "id": identity, "name": call.name, "input": dict(call.arguments)})
    usage: JsonObject = {
        "input_tokens": 120,
        "output_tokens": 12,
        "cache_read_input_tokens": 0,
        "cache_creation_input_tokens": 0,
        **turn.usage,
    }
    return {
        "id": f"msg_scripted_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": "tool_use" if turn.calls else "end_turn",
        "stop_sequence": None,
        "usage": usage,
    }


def _cut_block(block: JsonObject) -> tuple[JsonObject, str, list[str]]:
    """Split a content block into its empty start, the type of its deltas and their texts."""
    if block["type"] == "text":
        whole, kind = str(block["text"]), "text_delta"
        start: JsonObject = {"type": "text", "text": ""}
    else:
        whole, kind = json.dumps(block["input"]), "input_json_delta"
        start = {**block, "input": {}}
    return start, kind, [whole[i : i + _CHUNK_CHARS] for i in range(0, len(whole), _CHUNK_CHARS)]


def stream_message(message: JsonObject) -> Iterator[JsonObject]:
    """Yield the server-sent events of a whole message, in order."""
    usage, content = message["usage"], message["content"]
    assert isinstance(usage, dict)
    assert isinstance(content, list)
    head = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield {"type": "message_start", "message": head}
    yield {"type": "ping"}
    for index, block in enumerate(content):
        start, kind, pieces = _cut_block(block)
        field_name = "text" if kind == "text_delta" else "partial_json"
        yield {"type": "content_block_start", "index": index, "content_block": start}
        for piece in pieces:
            delta = {"type": kind, field_name: piece}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": usage["output_tokens"]}}
    yield {"type": "message_stop"}
