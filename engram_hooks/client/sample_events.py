"""Payloads as the client sends them, and the transcript they belong to: for trying the hooks out."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID, uuid5

_NAMES = UUID("5b0c1f5e-3d0b-4c59-9d1c-2f6f0f2b7a11")


@dataclass(slots=True)
class SampleSession:
    """One session of a project: makes payloads, and keeps a transcript in the client's form.

    `seed` makes the ids: the same seed, the same session. `at_ms` is the moment of the first line; each
    line is a second later.
    """

    seed: str
    project: Path
    transcript: Path
    at_ms: int
    lines: list[str] = field(default_factory=list)

    @property
    def session_id(self) -> str:
        """The id that the client gives the session."""
        return str(uuid5(_NAMES, self.seed))

    def make_payload(self, event: str, **fields: object) -> dict[str, object]:
        """The payload of an event with the fields that all events have."""
        return {
            "session_id": self.session_id,
            "transcript_path": str(self.transcript),
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }

    def say(self, role: str, text: str) -> None:
        """Append what the user or the assistant said to the transcript."""
        content: object = text if role == "user" else [{"type": "text", "text": text}]
        self._append(role, {"role": role, "content": content})

    def call_tool(self, use_id: str, tool: str, tool_input: dict[str, object], *, result: str) -> None:
        """Append a tool call and its result to the transcript."""
        call = {"type": "tool_use", "id": use_id, "name": tool, "input": tool_input}
        answer = {"type": "tool_result", "tool_use_id": use_id, "content": result}
        self._append("assistant", {"role": "assistant", "content": [call]})
        self._append("user", {"role": "user", "content": [answer]})

    def _append(self, kind: str, message: dict[str, object]) -> None:
        number = len(self.lines)
        moment = datetime.fromtimestamp(self.at_ms / 1000 + number, UTC)
        line = {
            "parentUuid": self._line_id(number - 1) if number else None,
            "isSidechain": False,
            "type": kind,
            "message": message,
            "uuid": self._line_id(number),
            "timestamp": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "cwd": str(self.project),
            "sessionId": self.session_id,
        }
        self.lines.append(json.dumps(line))
        self.transcript.parent.mkdir(parents=True, exist_ok=True)
        self.transcript.write_text("\n".join(self.lines) + "\n", encoding="utf-8")

    def _line_id(self, number: int) -> str:
        return str(uuid5(_NAMES, f"{self.seed}/{number}"))


def make_samples(session: SampleSession) -> list[dict[str, object]]:
    """One payload of every event that setup registers, in the order of a session."""
    use: dict[str, object] = {
        "tool_name": "Bash",
        "tool_input": {"command": "true"},
        "tool_use_id": "toolu_sample",
    }
    edit: dict[str, object] = {
        "tool_name": "Edit",
        "tool_input": {
            "file_path": str(session.project / "sample.txt"),
            "old_string": "a",
            "new_string": "b",
        },
        "tool_use_id": "toolu_edit",
    }
    return [
        session.make_payload("SessionStart", source="startup"),
        session.make_payload(
            "UserPromptSubmit", prompt="A sample prompt to try the hook.", prompt_id="sample"
        ),
        session.make_payload("SubagentStart", agent_id="sample", agent_type="general-purpose"),
        session.make_payload("PreToolUse", **edit),
        session.make_payload("PostToolUse", **use, tool_response={"stdout": "", "stderr": ""}),
        session.make_payload("PostToolUseFailure", **edit, error="sample", is_interrupt=False),
        session.make_payload("PreCompact", trigger="manual", custom_instructions=None),
        session.make_payload("Stop", stop_hook_active=False, last_assistant_message="A sample answer."),
        session.make_payload("SessionEnd", reason="other"),
    ]
