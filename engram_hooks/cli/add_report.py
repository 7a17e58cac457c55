"""What `engram add` says of a note: kept, known already, what it replaced and how to take that back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.cli import output
from engram_hooks.store.records import QUARANTINED

if TYPE_CHECKING:
    from engram_hooks.curate.record import Captured, Record
    from engram_hooks.memory import Engram

_MAX_CHARS = 200


def as_json(found: Captured) -> dict[str, Any]:
    """The outcome for JSON: the record, with what it replaced, went into or is overtaken by, and the undo command."""
    return {
        **found.record.as_dict(),
        "is_new": found.is_new,
        "near": [{"id": item.short_id, "summary": item.summary} for item in found.near],
        "superseded": found.superseded.short_id if found.superseded else None,
        "retired": [item.short_id for item in found.retired],
        "merged": found.merged.short_id if found.merged else None,
        "overtaken_by": found.overtaken_by.short_id if found.overtaken_by else None,
        "reason": found.reason,
        "undo": find_undo(found),
    }


def find_undo(found: Captured) -> str:
    """The command that takes back what an addition did to other notes, '' where it did nothing."""
    if found.merged:
        return f"engram restore {found.merged.short_id}"
    if not found.superseded:
        return ""
    gone = [found.superseded, *found.retired]
    steps = [
        f"engram forget {found.record.short_id}",
        *(f"engram forget --undo {item.short_id}" for item in gone),
    ]
    return " && ".join(steps)


def say_outcome(memory: Engram, found: Captured, *, is_global: bool) -> None:
    """Say what became of a note."""
    record = found.record
    if not found.is_new:
        _say_known(found)
        return
    if record.status == QUARANTINED:
        _say_put_aside(record)
        return
    where = {"global": "everywhere", "branch": f"branch {output.line(record.branch)}"}.get(record.scope)
    where = where or output.line(memory.project_name) or "this project"
    if record.branch and record.scope == "project":
        where = f"{where}, from branch {output.line(record.branch)}"
    output.say(f"Kept {_label(record)} ({record.kind}, {where}): {output.line(record.summary)}")
    if record.scope == "global" and not is_global:
        _hint("You are outside any project, so it holds everywhere.")
    if record.scope == "global" and record.kind == "user":
        _hint("what every session should begin with: engram core add user ...")
    _say_replaced(found)
    _say_near(found)


def _say_known(found: Captured) -> None:
    record = found.record
    output.say(f"Already there: {_label(record)} {output.line(record.summary)}")
    if found.merged:
        output.say(f"  your words are kept with it as {_label(found.merged)}: {_short(found.merged)}")
        _hint(f"to keep both: {find_undo(found)}")
    else:
        _hint(f"to add to it: engram edit {record.short_id}")


def _say_put_aside(record: Record) -> None:
    output.say(f"Put aside {_label(record)}, it is told to no agent: it {output.line(record.status_reason)}")
    _hint(f"if it is meant as it is: engram review --accept {record.short_id}")
    _hint(f"to say it otherwise: engram edit {record.short_id} -s ...")


def _say_replaced(found: Captured) -> None:
    if found.overtaken_by:
        later = found.overtaken_by
        output.say(
            f"  true until {output.day(later.valid_from)}, when {_label(later)} took its place: {_short(later)}"
        )
        return
    if not found.superseded:
        return
    reason = f" ({output.line(found.reason)})" if found.reason else ""
    output.say(f"  replaces {_label(found.superseded)}: {_short(found.superseded)}{reason}")
    for item in found.retired:
        output.say(f"  and with it {_label(item)}: {_short(item)}")
    _hint(f"undo: {find_undo(found)}")


def _say_near(found: Captured) -> None:
    for other in found.near:
        output.say(f"  near {_label(other)}: {_short(other)}")
    if found.near and not found.superseded:
        _hint(f"if it replaces that: engram supersede {found.near[0].short_id} {found.record.short_id}")


def _label(record: Record) -> str:
    return output.style(record.short_id, "id")


def _short(record: Record) -> str:
    return output.line(record.summary, max_chars=_MAX_CHARS)


def _hint(text: str) -> None:
    output.say(output.style(f"  {text}", "dim"))
