"""The log as a file: one JSON document a line, or Markdown to read."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from engram_hooks.guard.firewall import terminal

SPEAKERS = {"user": "You", "assistant": "Agent", "tool": "Tool", "result": "Result"}
FIELDS = "uuid", "session", "role", "agent", "text", "created_at"


def render_jsonl(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """One line of ASCII JSON a row, with uuid, session, role, agent, text and created_at (ms UTC)."""
    for row in rows:
        yield json.dumps({name: row[name] for name in FIELDS})


def render_markdown(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Lines of Markdown: a heading per session, the words of each speaker as a quotation; local time."""
    session = None
    for row in rows:
        moment = datetime.fromtimestamp(row["created_at"] / 1000).astimezone()
        if row["session"] != session:
            if session is not None:
                yield ""
            session = row["session"]
            yield f"## Session {terminal(session)}, {moment:%Y-%m-%d}"
        speaker = SPEAKERS.get(row["role"], row["role"])
        if row["agent"]:
            speaker = "Task" if row["role"] == "user" else speaker
            speaker = f"{speaker} ({terminal(row['agent'])})"
        yield ""
        yield f"**{speaker}**, {moment:%H:%M}"
        yield ""
        for line in terminal(row["text"]).split("\n"):
            yield f"> {line}".rstrip()
