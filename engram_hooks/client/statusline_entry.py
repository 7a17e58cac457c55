"""Our entry `statusLine` of the client's settings: set, put around the user's own, taken out."""

from __future__ import annotations

from dataclasses import dataclass

from engram_hooks.client.commands import is_own_statusline
from engram_hooks.client.json_edit import Draft, add_member, remove_child, render_string
from engram_hooks.client.json_spans import JsonTextError, Node

KEY = "statusLine"
REFRESH_SECONDS = 2


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A user's own status line that ours runs.

    `command` is the shell text, `token` its source in the settings; `added_interval` says that the
    refresh interval beside it is ours.
    """

    command: str
    token: str
    added_interval: bool


def check_statusline(text: str, root: Node) -> None:
    """Raise `JsonTextError` where `statusLine` is no object: the client then ignores the whole file."""
    line = root.get(KEY)
    if line and line.kind != "object":
        raise JsonTextError(text, line.start, f"{KEY} must be an object")


def set_statusline(draft: Draft, command: str, *, wrap: bool) -> tuple[str, Wrapped | None]:
    """Set our status line where there is none, or (`wrap`) around the user's own.

    Returns what changes in words ('' for nothing) and, where it wraps now, what it wraps.
    """
    root = draft.root()
    line = root.get(KEY)
    if line is None:
        add_member(
            draft, root, KEY, {"type": "command", "command": command, "refreshInterval": REFRESH_SECONDS}
        )
        return "adds the status line", None
    present = line.get("command")
    if _is_own(line) and present:
        if present.value == command:
            return "", None
        draft.replace(present.start, present.end, render_string(command))
        return "updates the status line", None
    if not wrap or present is None or present.kind != "string":
        return "keeps your own status line", None
    wrapped = Wrapped(
        present.value, draft.text[present.start : present.end], line.get("refreshInterval") is None
    )
    draft.replace(present.start, present.end, render_string(command))
    again = draft.root().get(KEY)
    if wrapped.added_interval and again:
        add_member(draft, again, "refreshInterval", REFRESH_SECONDS)
    return "puts the status line of engram behind your own", wrapped


def drop_statusline(draft: Draft, wrapped: Wrapped | None) -> list[str]:
    """Take our status line out, or give the `wrapped` one back. Returns what changes in words."""
    root = draft.root()
    line = root.get(KEY)
    present = line.get("command") if line else None
    if line is None or present is None or not _is_own(line):
        return []
    if wrapped is None:
        remove_child(draft, root, _last_index(root, KEY))
        return ["removes the status line"]
    draft.replace(present.start, present.end, wrapped.token)
    again = draft.root().get(KEY)
    if again and wrapped.added_interval and again.get("refreshInterval"):
        remove_child(draft, again, _last_index(again, "refreshInterval"))
    return ["gives your own status line back"]


def has_own_statusline(root: Node) -> bool:
    """Is the status line of these settings ours?"""
    line = root.get(KEY)
    return line is not None and _is_own(line)


def _is_own(line: Node) -> bool:
    command = line.get("command")
    return command is not None and command.kind == "string" and is_own_statusline(command.value)


def _last_index(node: Node, key: str) -> int:
    return max(index for index, child in enumerate(node.children) if child.key == key)
