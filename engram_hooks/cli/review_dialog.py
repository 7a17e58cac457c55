"""The dialog about one candidate: show it, take one key, do what it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output
from engram_hooks.cli.context import EVERYWHERE
from engram_hooks.curate.record import short_id
from engram_hooks.errors import EngramError

_SPEAKERS = {"assistant": "Claude said", "engram": "engram noticed"}
KINDS = "user", "feedback"  # kinds that core memory takes

if TYPE_CHECKING:
    from engram_hooks.curate.record import Record
    from engram_hooks.curate.review import Proposal
    from engram_hooks.memory import Engram


def ask_one(memory: Engram, item: Proposal, *, place: str) -> bool:
    """Show a candidate and act on the answer; False where the person wants to stop."""
    _show(item, place)
    keys = "aesnq" + ("r" if item.near else "") + ("c" if item.record.kind in KINDS else "")
    while True:
        key = _read_key(item)
        if key not in keys:
            continue
        if key == "q":
            return False
        try:
            return _act(memory, item, key)
        except EngramError as error:
            output.say(output.style(output.safe(error.message), "bad"))


def _show(item: Proposal, place: str) -> None:
    who = _SPEAKERS.get(item.speaker, "you said")
    output.say(f"{output.style(place, 'bold')} · from {output.moment(item.said_at)}, {who}:")
    output.say(f'  "{output.line(item.quote, max_chars=400)}"')
    near = ""
    if item.near and item.near not in item.replaces:
        text = f'near: [{item.near.short_id}] "{output.line(item.near.summary, max_chars=120)}"'
        near = f"      {output.style(text, 'dim')}"
    summary = output.style(output.line(item.record.summary), "bold")
    where = EVERYWHERE if item.record.scope == "global" else ""
    output.say(f"-> {output.style(item.record.kind, 'id')}{where}: {summary}{near}")
    for old in item.replaces:
        text = f'in place of [{old.short_id}] "{output.line(old.summary, max_chars=120)}" ({output.line(item.reason)})'
        output.say(f"   {output.style(text, 'dim')}")
    if item.record.status == "needs_review":
        output.say(output.style(f"   held back: {output.line(item.record.status_reason)}", "dim"))


def _read_key(item: Proposal) -> str:
    replace = f"  [r]eplace {item.near.short_id}" if item.near else ""
    replace = "  [k]eep both" if item.replaces else replace
    core = "  to [c]ore memory" if item.record.kind in KINDS else ""
    output.say(f"[a]ccept{replace}{core}  [e]dit  [s]kip  [n]ever ask this again  [q]uit")
    key = click.getchar().lower()
    return {"\x03": "q", "\x04": "q", "\x1b": "q", "\r": "a", "\n": "a"}.get(key, key)


def _act(memory: Engram, item: Proposal, key: str) -> bool:
    from engram_hooks.curate import review
    from engram_hooks.curate.core.review import accept_into_core
    from engram_hooks.memory import now

    record_id = item.record.id
    if key == "s":
        output.say(output.style("skipped", "dim"))
    elif key == "n":
        review.refuse(memory.db, [record_id], now_ms=now())
        output.say(output.style("never again", "dim"))
    elif key == "c":
        block = accept_into_core(memory, item.record).block
        output.say(output.style(f"every session begins with it now ({block.percent}% full)", "good"))
    else:
        summary = _edit(item.record.summary) if key == "e" else None
        old = item.near.id if key == "r" and item.near else None
        kept = review.accept(
            memory.db, record_id, now_ms=now(), summary=summary, supersedes=old, keeps_both=key == "k"
        )
        output.say(output.style(f"kept {kept.short_id}", "good"))
        say_replaced(memory, kept)
    output.say()
    return True


def say_replaced(memory: Engram, record: Record) -> None:
    """Say what a note took the place of, and how to take that back."""
    from engram_hooks.store.lookup import read_replaced

    gone = read_replaced(memory.db, record.id)
    for old in gone:
        label = output.style(short_id(old["kind"], old["id"]), "id")
        output.say(f"  in place of {label}: {output.line(old['summary'], max_chars=200)}")
    if gone:
        undo = " && ".join(f"engram forget --undo {short_id(old['kind'], old['id'])}" for old in gone)
        output.say(output.style(f"  undo: engram forget {record.short_id} && {undo}", "dim"))


def _edit(summary: str) -> str:
    """The text as the person wants it; empty input keeps it."""
    text: str = click.prompt("  text", default=output.line(summary), show_default=True)
    return text
