"""A session whose events go through the hooks in this process, as the client would send them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from difflib import SequenceMatcher
from importlib import import_module
from pathlib import Path

from engram_hooks.hooks.call import Call
from engram_hooks.jsontext import loads
from engram_hooks.paths import store_path
from engram_hooks.sessions import events
from engram_hooks.store.connect import open_store

CONTEXT = 3


class Player:
    """One session in a repository: what it does is done to the files and told to the hooks."""

    def __init__(self, repo: Path, data: str, environ: Mapping[str, str], *, session: str) -> None:
        self.repo, self.data, self.environ, self.session = repo, data, environ, session
        self.count = 0

    def fire(self, event: str, **more: object) -> tuple[str, str]:
        """(text for the agent, decision) of one hook; a decision is `deny`, `ask` or ''."""
        payload: dict[str, object] = {
            "session_id": self.session,
            "transcript_path": "",
            "cwd": str(self.repo),
        }
        payload |= {"hook_event_name": event, **more}
        name = events.NAMES[event]
        reduced = events.reduce(name, payload, self.environ, now_ms=time.time_ns() // 1_000_000)
        db = open_store(store_path(self.data))
        try:
            room = import_module(f"engram_hooks.hooks.{name.replace('-', '_')}")
            answer = room.answer(Call(db, self.data, reduced, environ=self.environ, payload=payload))
        finally:
            db.close()
        document = loads(answer) if answer else {}
        output = document.get("hookSpecificOutput", {}) if isinstance(document, dict) else {}
        text = f"{output.get('additionalContext', '')}{output.get('permissionDecisionReason', '')}"
        return text, str(output.get("permissionDecision", ""))

    def prompt(self, text: str) -> tuple[str, str]:
        """The user asks for something."""
        return self.fire("UserPromptSubmit", prompt=text, prompt_id=f"{self.session}-{self.count}")

    def read(self, path: str) -> tuple[str, str]:
        """The agent reads a file."""
        text = (self.repo / path).read_text(encoding="utf-8")
        file = {
            "filePath": str(self.repo / path),
            "content": text,
            "startLine": 1,
            "numLines": text.count("\n"),
        }
        given = self._call("Read", {"file_path": str(self.repo / path)})
        return self.fire("PostToolUse", **given, tool_response={"type": "text", "file": file})

    def plan(self, path: str, before: str, after: str) -> tuple[str, str]:
        """The agent is about to edit a file; nothing is changed."""
        return self.fire("PreToolUse", **self._call("Edit", _edit_input(self.repo / path, before, after)))

    def plan_whole(self, path: str, after: str) -> tuple[str, str]:
        """The agent is about to write a file whole; nothing is changed."""
        given = {"file_path": str(self.repo / path), "content": after}
        return self.fire("PreToolUse", **self._call("Write", given))

    def edit(self, path: str, before: str, after: str) -> None:
        """The agent edits a file."""
        file = self.repo / path
        file.write_text(after, encoding="utf-8")
        response = {"filePath": str(file), "structuredPatch": _hunks(before, after)}
        call = self._call("Edit", _edit_input(file, before, after))
        self.fire("PostToolUse", **call, tool_response=response)

    def run(self, command: str, printed: str) -> tuple[str, str]:
        """The agent runs a command; what begins with `Exit code` is a failure."""
        call = self._call("Bash", {"command": command})
        if printed.startswith("Exit code "):
            return self.fire("PostToolUseFailure", **call, error=printed)
        return self.fire("PostToolUse", **call, tool_response={"stdout": printed, "stderr": ""})

    def restore(self, path: str, before: str, after: str, *, tells: bool) -> None:
        """`git checkout` of a file, which the client describes or not."""
        (self.repo / path).write_text(before, encoding="utf-8")
        response: dict[str, object] = {"stdout": "", "stderr": ""}
        if tells:
            files = [{"filePath": str(self.repo / path), "hunks": _hunks(after, before)}]
            response["bashEditDiff"] = {"files": files, "changedFiles": 1}
        call = self._call("Bash", {"command": f"git checkout -- {path}"})
        self.fire("PostToolUse", **call, tool_response=response)

    def _call(self, tool: str, given: dict[str, str]) -> dict[str, object]:
        self.count += 1
        return {"tool_name": tool, "tool_input": given, "tool_use_id": f"{self.session}-{self.count}"}


def _edit_input(file: Path, before: str, after: str) -> dict[str, str]:
    """The old and the new text of the one place that changes, with as much around it as makes it unique."""
    old, new = before.split("\n"), after.split("\n")
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    start, end = max(start - 1, 0), max(end - 1, 0)
    while start and before.count("\n".join(old[start : len(old) - end])) > 1:
        start -= 1
    return {
        "file_path": str(file),
        "old_string": "\n".join(old[start : len(old) - end]),
        "new_string": "\n".join(new[start : len(new) - end]),
    }


def _hunks(before: str, after: str) -> list[dict[str, object]]:
    old, new = before.split("\n"), after.split("\n")
    hunks: list[dict[str, object]] = []
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        lines: list[str] = []
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [f" {line}" for line in old[i1:i2]]
            else:
                lines += [f"-{line}" for line in old[i1:i2]] + [f"+{line}" for line in new[j1:j2]]
        hunks.append({"oldStart": group[0][1] + 1, "newStart": group[0][3] + 1, "lines": lines})
    return hunks
