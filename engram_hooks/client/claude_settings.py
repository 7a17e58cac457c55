"""What setup and uninstall make of the text of Claude Code's settings."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from engram_hooks.client.commands import EVENTS
from engram_hooks.client.hook_entries import check_hooks, drop_hooks, find_empty, set_hook
from engram_hooks.client.json_edit import Draft, Step
from engram_hooks.client.json_spans import JsonTextError, Node, is_blank, scan
from engram_hooks.client.statusline_entry import (
    Wrapped,
    check_statusline,
    drop_statusline,
    has_own_statusline,
    set_statusline,
)

EMPTY = "{}\n"


@dataclass(frozen=True, slots=True)
class Undo:
    """How to get back from a text that setup wrote.

    `steps` lead from the text with this `sha256` to the one before the first setup; `kept` names the
    empty containers that were there; `created` says that there was no file. Only our own entries and
    white space are in it, nothing of the user's except a wrapped status line.
    """

    sha256: str
    steps: tuple[Step, ...] = ()
    kept: tuple[str, ...] = ()
    wrapped: Wrapped | None = None
    created: bool = False


@dataclass(frozen=True, slots=True)
class Plan:
    """The text as it shall be, what changes in words, and the way back to `before`."""

    text: str
    changes: tuple[str, ...]
    before: str
    steps_back: tuple[Step, ...] = ()
    kept: tuple[str, ...] = ()
    wrapped: Wrapped | None = None
    created: bool = False
    remove_file: bool = False


def plan_setup(
    text: str,
    *,
    commands: Mapping[str, str],
    statusline: str | None,
    wrap: bool = False,
    undo: Undo | None = None,
) -> Plan:
    """The settings with one engram command for each event and, where there is none, a status line.

    `statusline` None takes ours out again; `wrap` lets ours run the user's own; `undo` is what an earlier
    setup left. Blank text counts as `{}`. Raises `JsonTextError` where the text cannot be edited safely.
    """
    draft = Draft(text)
    if is_blank(text):
        draft.replace(0, len(text), EMPTY)
    _check_shape(draft)
    kept = find_empty(draft.root())
    changes = [
        set_hook(draft, event, matcher, timeout_s, command=commands[event])
        for event, _, matcher, timeout_s in EVENTS
        if event in commands
    ]
    changes += drop_hooks(draft, wanted=lambda event: event not in commands, kept=kept)
    wrapped = None
    if statusline is None:
        changes += drop_statusline(draft, undo.wrapped if undo else None)
    else:
        line, wrapped = set_statusline(draft, statusline, wrap=wrap)
        changes.append(line)
    changes += _list_warnings(draft.root())
    return Plan(draft.text, tuple(filter(None, changes)), text, tuple(draft.undo), kept, wrapped)


def plan_uninstall(text: str, *, undo: Undo | None = None) -> Plan:
    """The settings without engram: byte for byte as before setup where nothing else changed since.

    Otherwise our entries are cut out together with the containers that this leaves empty. A file that
    setup created is to be removed when nothing is left in it. Raises `JsonTextError`.
    """
    created = undo is not None and undo.created
    if is_blank(text):
        return Plan(text, (), text, remove_file=created)
    draft = Draft(text)
    _check_shape(draft)
    changes = _drop_all(draft, undo)
    if undo and undo.sha256 == digest(text):
        draft = Draft(text)
        for step in undo.steps:
            draft.replace(*step)
        if not is_blank(draft.text):
            _drop_all(draft, undo)
    gone = created and (is_blank(draft.text) or not draft.root().children)
    return Plan(draft.text, tuple(changes), text, tuple(draft.undo), remove_file=gone)


def make_undo(plan: Plan, earlier: Undo | None) -> Undo:
    """What uninstall will need once `plan` is written; `earlier` is what the last setup left."""
    if earlier and earlier.sha256 == digest(plan.before):
        steps = plan.steps_back + earlier.steps
    else:
        without = plan_uninstall(plan.before, undo=earlier)
        draft = Draft(without.text)
        for step in without.steps_back:
            draft.replace(*step)
        steps = plan.steps_back + tuple(draft.undo)
    wrapped = plan.wrapped or (earlier.wrapped if earlier else None)
    return Undo(
        sha256=digest(plan.text),
        steps=steps,
        kept=tuple(dict.fromkeys((earlier.kept if earlier else ()) + plan.kept)),
        wrapped=wrapped if has_own_statusline(scan(plan.text)) else None,
        created=plan.created or (earlier is not None and earlier.created),
    )


def digest(text: str) -> str:
    """The SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _drop_all(draft: Draft, undo: Undo | None) -> list[str]:
    changes = drop_hooks(draft, wanted=lambda event: True, kept=undo.kept if undo else ())
    return changes + drop_statusline(draft, undo.wrapped if undo else None)


def _check_shape(draft: Draft) -> None:
    root = draft.root()
    if root.kind != "object":
        raise JsonTextError(draft.text, root.start, "the settings must be an object")
    check_hooks(draft.text, root)
    check_statusline(draft.text, root)


def _list_warnings(root: Node) -> list[str]:
    switch = root.get("disableAllHooks")
    off = switch is not None and switch.kind == "word" and switch.value == "true"
    return ["warning: disableAllHooks is true in this file, the client runs no hooks"] if off else []
