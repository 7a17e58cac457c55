"""Our entries under `hooks` of the client's settings: found, added, replaced, taken out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engram_hooks.client.commands import EVENTS, is_own_hook
from engram_hooks.client.json_edit import Draft, add_item, add_member, remove_child
from engram_hooks.client.json_spans import JsonTextError, Node


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """One hook of ours: where it stands in the list of its event."""

    groups: Node
    group_index: int
    hooks: Node
    hook_index: int

    @property
    def group(self) -> Node:
        """The matcher group around it."""
        return self.groups.children[self.group_index].node

    @property
    def hook(self) -> Node:
        """The entry itself."""
        return self.hooks.children[self.hook_index].node


def check_hooks(text: str, root: Node) -> None:
    """Raise `JsonTextError` where `hooks`, or the list of an event that we need, has the wrong type."""
    hooks = root.get("hooks")
    if hooks is None:
        return
    if hooks.kind != "object":
        raise JsonTextError(text, hooks.start, "hooks must be an object")
    for event, _, _, _ in EVENTS:
        groups = hooks.get(event)
        if groups and groups.kind != "array":
            raise JsonTextError(text, groups.start, f"hooks.{event} must be an array")


def find_empty(root: Node) -> tuple[str, ...]:
    """The names of the empty containers under `hooks` (and of itself)."""
    hooks = root.get("hooks")
    if hooks is None:
        return ()
    own = () if hooks.children else ("hooks",)
    return own + tuple(f"hooks.{child.key}" for child in hooks.children if not child.node.children)


def set_hook(draft: Draft, event: str, matcher: str, timeout_s: int, *, command: str) -> str:
    """Make `command` the one entry of ours for the event. Returns what changed in words, '' for nothing."""
    own = find_own(draft.root(), event)
    if len(own) == 1 and _is_current(own[0], matcher=matcher, command=command):
        return ""
    older = len(own)
    while own:
        _remove(draft, own[-1])
        own = find_own(draft.root(), event)
    group: dict[str, object] = {"matcher": matcher} if matcher else {}
    group["hooks"] = [{"type": "command", "command": command, "timeout": timeout_s}]
    root = draft.root()
    hooks = root.get("hooks")
    groups = hooks.get(event) if hooks else None
    if groups:
        add_item(draft, groups, group)
    elif hooks:
        add_member(draft, hooks, event, [group])
    else:
        add_member(draft, root, "hooks", {event: [group]})
    if older:
        return f"replaces {older} older engram {'entry' if older == 1 else 'entries'} of {event}"
    return f"adds the {event} hook"


def drop_hooks(draft: Draft, *, wanted: Callable[[str], bool], kept: tuple[str, ...]) -> list[str]:
    """Take our entries of the `wanted` events out, and what becomes empty by it unless it is in `kept`."""
    hooks = draft.root().get("hooks")
    if hooks is None or hooks.kind != "object":
        return []
    changes = []
    for event in dict.fromkeys(child.key for child in hooks.children):
        own = find_own(draft.root(), event) if event is not None and wanted(event) else []
        if own:
            changes.append(f"removes the {event} hook")
        while own and event is not None:
            _remove(draft, own[-1])
            own = find_own(draft.root(), event)
            _prune(draft, event, kept=kept)
    return changes


def find_own(root: Node, event: str) -> list[OwnEntry]:
    """Our entries of one event, in the order of the file."""
    hooks = root.get("hooks")
    groups = hooks.get(event) if hooks else None
    found: list[OwnEntry] = []
    for group_index, group in enumerate(groups.children if groups and groups.kind == "array" else ()):
        entries = group.node.get("hooks")
        if groups is None or entries is None or entries.kind != "array":
            continue
        for hook_index, entry in enumerate(entries.children):
            if _is_own(entry.node):
                found.append(OwnEntry(groups, group_index, entries, hook_index))
    return found


def _is_own(entry: Node) -> bool:
    command, kind, args = entry.get("command"), entry.get("type"), entry.get("args")
    if command is None or command.kind != "string" or (kind and kind.value != "command"):
        return False
    words = tuple(item.node.value for item in args.children) if args else ()
    return is_own_hook(command.value, words)


def _is_current(own: OwnEntry, *, matcher: str, command: str) -> bool:
    present, line, timeout = own.group.get("matcher"), own.hook.get("command"), own.hook.get("timeout")
    return (
        (present.value if present else "") == matcher
        and line is not None
        and line.value == command
        and own.hook.get("args") is None
        and own.hook.get("type") is not None
        and timeout is not None
        and timeout.value.isdigit()
        and timeout.value.strip("0") != ""
        and timeout.kind == "number"
    )


def _remove(draft: Draft, own: OwnEntry) -> None:
    if len(own.hooks.children) == 1:
        remove_child(draft, own.groups, own.group_index)
    else:
        remove_child(draft, own.hooks, own.hook_index)


def _prune(draft: Draft, event: str, *, kept: tuple[str, ...]) -> None:
    hooks = draft.root().get("hooks")
    groups = hooks.get(event) if hooks else None
    if hooks and groups and not groups.children and f"hooks.{event}" not in kept:
        remove_child(draft, hooks, [child.key for child in hooks.children].index(event))
    root = draft.root()
    hooks = root.get("hooks")
    if hooks and not hooks.children and "hooks" not in kept:
        remove_child(draft, root, [child.key for child in root.children].index("hooks"))
