"""A client with one session in a repository that holds a fix: its hooks run in this process."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from engram_hooks import Engram, entry
from tests.support.make_repo import Repo, make_repo

PAY = """\
import time


def charge(order):
    if order.paid:
        return None
    return send(order, order.key)


def refund(order):
    return send(order, None)
"""
FIXED = PAY.replace(
    "    return send(order, order.key)\n",
    "    key = order.key or remember_key(order)\n    lock_key(key)\n    return send(order, key)\n",
)
SUBJECT = "fix: use one idempotency key across retries (INC-2407)"
FIX_LINES = "    key = order.key or remember_key(order)\n    lock_key(key)"


def make_shop(path: Path) -> Repo:
    """A repository with a fix in it, indexed; needs a home and a data folder."""
    repo = make_repo(path, {"pay.py": PAY, "README.md": "# shop\n"})
    repo.commit("feat: refunds", {"refund.md": "refunds\n"})
    repo.commit(SUBJECT, {"pay.py": FIXED})
    index(repo)
    return repo


def index(repo: Repo) -> None:
    """Index a repository as `engram index` does."""
    with Engram(cwd=repo.path) as memory:
        memory.index()


class Client:
    """A client with one session, whose hooks run in this process."""

    def __init__(self, repo: Path, data: str, **environ: str) -> None:
        self.repo = repo
        self.data = data
        self.session = "s1"
        self.agent = ""
        self.environ = {"ENGRAM_HOME": data, "HOME": os.environ["HOME"], **environ}

    def fire(self, event: str, **more: object) -> dict[str, object]:
        """Run one hook; return its document, {} for none."""
        payload: dict[str, object] = {
            "session_id": self.session,
            "transcript_path": "",
            "cwd": str(self.repo),
        }
        payload |= {"agent_id": self.agent} if self.agent else {}
        text = entry.serve("", {**payload, "hook_event_name": event, **more}, self.data, self.environ)
        return json.loads(text) if text else {}

    def context(self, event: str, **more: object) -> str:
        """Run one hook; return the context that it gives to the model."""
        output = self.fire(event, **more).get("hookSpecificOutput", {})
        assert isinstance(output, dict)
        assert "permissionDecision" not in output
        return str(output.get("additionalContext", ""))

    def read(self, path: str | Path, *, offset: int = 1, limit: int = 10_000) -> str:
        """Read a file as the tool does; return what the hook adds."""
        lines = (self.repo / path).read_text(encoding="utf-8").split("\n")
        part = lines[offset - 1 : offset - 1 + limit]
        file = {"filePath": str(path), "content": "\n".join(part), "startLine": offset, "numLines": len(part)}
        response = {"type": "text", "file": {**file, "totalLines": len(lines)}}
        return self.context(
            "PostToolUse", tool_name="Read", tool_input={"file_path": str(path)}, tool_response=response
        )

    def edit(self, path: str | Path, old: str, new: str) -> dict[str, object]:
        """Return what the hook answers before an edit."""
        given = {"file_path": str(path), "old_string": old, "new_string": new, "replace_all": False}
        return self.fire("PreToolUse", tool_name="Edit", tool_input=given)

    def advice(self, path: str | Path, old: str, new: str) -> str:
        """Return the context that an edit gets."""
        return context_of(self.edit(path, old, new))


def context_of(document: Mapping[str, object]) -> str:
    output = document.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("additionalContext", ""))


def decision_of(document: Mapping[str, object]) -> tuple[str, str]:
    output = document.get("hookSpecificOutput", {})
    assert isinstance(output, dict)
    return str(output.get("permissionDecision", "")), str(output.get("permissionDecisionReason", ""))
