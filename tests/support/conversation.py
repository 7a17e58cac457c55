"""What a transcript of the client says was said, read without the package: the measure of the log."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

_MACHINE_FLAGS = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_MACHINE_TAGS = ("<command-name>", "<local-command-stdout>", "<local-command-caveat>")


@dataclass(frozen=True, slots=True)
class Statement:
    """One line of conversation; `text` is exact for the roles user and assistant."""

    uuid: str
    role: str
    text: str


def read_conversation(transcript: Path) -> list[Statement]:
    """Return the statements of a transcript in the order of its lines."""
    lines = transcript.read_text(encoding="utf-8").splitlines()
    found = (_read_line(json.loads(line)) for line in lines if line.strip())
    return [statement for statement in found if statement is not None]


def _read_line(entry: dict[str, object]) -> Statement | None:
    if entry.get("type") not in ("user", "assistant") or any(entry.get(flag) for flag in _MACHINE_FLAGS):
        return None
    message = entry["message"]
    assert isinstance(message, dict)
    content = message["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    texts = [block["text"] for block in blocks if block["type"] == "text" and block["text"].strip()]
    kinds = {block["type"] for block in blocks}
    if "tool_result" in kinds:
        role = "result"
    elif texts:
        role = str(entry["type"])
    else:
        role = "tool" if "tool_use" in kinds else ""
    text = "\n".join(texts).strip()
    if not role or text.startswith(_MACHINE_TAGS):
        return None
    return Statement(str(entry["uuid"]), role, text)
