"""What `engram review` asks besides candidates: merged branches, notes whose ground is gone, rivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from engram_hooks.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.curate.branches import BranchNotes
    from engram_hooks.curate.ground.doubts import Doubt
    from engram_hooks.curate.record import Record
    from engram_hooks.curate.rivals import Rivals
    from engram_hooks.memory import Engram

    Question = BranchNotes | Doubt | Rivals

_STOP = "q", "\x03", "\x04", "\x1b"


def find_questions(memory: Engram) -> list[Question]:
    """The open questions of the project here, after a look at its repository."""
    from engram_hooks.curate import branches
    from engram_hooks.curate.ground.doubts import list_doubts
    from engram_hooks.curate.ground.staleness import refresh_here
    from engram_hooks.curate.rivals import list_rivals

    project_id = memory.project_id or 0
    refresh_here(memory)
    asked: list[Question] = [*branches.list_asked(memory.db, project_id, memory.environ)]
    return [*asked, *list_doubts(memory.db, project_id), *list_rivals(memory.db, project_id)]


def list_questions(found: Sequence[Question]) -> None:
    """Say the questions, each with what an answer names it by."""
    for question in found:
        label = output.style(output.line(question.ref, max_chars=100), "id")
        output.say(f"{label}  {_tell(question)}")


def ask_question(memory: Engram, question: Question, *, place: str) -> bool:
    """Show one question and act on the answer; False where the person wants to stop."""
    output.say(f"{output.style(place, 'bold')} · {_tell(question)}")
    yes, no, keys = _keys_of(question.ref)
    while True:
        output.say(f"{keys}  [s]kip  [q]uit")
        key = click.getchar().lower()
        if key in _STOP:
            return False
        if key in ("s", yes, no):
            break
    if key != "s":
        output.say(output.style(answer(memory, question.ref, is_yes=key == yes), "good"))
    output.say()
    return True


def answer(memory: Engram, ref: str, *, is_yes: bool) -> str:
    """Do what an answer means: promote a branch's notes or keep them on it, keep a doubtful note or put it aside.

    Of rivals the newer one replaces the older, or both hold.

    Returns what was done in words. Raises `EngramError` where there is nothing to answer.
    """
    from engram_hooks.curate import branches, rivals
    from engram_hooks.curate.ground import doubts
    from engram_hooks.memory import now

    if rivals.BETWEEN in ref and not ref.startswith(branches.MARK):
        newer, older = (memory.find(one) for one in ref.split(rivals.BETWEEN, 1))
        if is_yes:
            rivals.replace(memory.db, newer.id, older.id, now_ms=now())
            return _tell_replaced(memory, newer, older)
        rivals.keep_both(memory.db, newer.id, older.id)
        return f"{newer.short_id} and {older.short_id} both hold"
    if ref.startswith(branches.MARK):
        name = ref.removeprefix(branches.MARK)
        if is_yes:
            done = branches.promote_here(memory, name)
            return f"promoted {output.count(len(done), 'note')} of {output.line(name, max_chars=80)} to the project"
        branches.keep(memory.db, memory.project_id or 0, name)
        return f"kept on {output.line(name, max_chars=80)}"
    record = memory.find(ref)
    if is_yes:
        doubts.keep(memory.db, record.id)
        return f"kept {record.short_id}"
    doubts.put_aside(memory.db, record.id, now_ms=now())
    return f"put aside {record.short_id}"


def _tell_replaced(memory: Engram, newer: Record, older: Record) -> str:
    if memory.find(str(newer.id)).status == "archived":
        return f"{newer.short_id} went into {older.short_id}; undo: engram restore {newer.short_id}"
    return f"{newer.short_id} replaces {older.short_id}; undo: engram forget --undo {older.short_id}"


def settle_questions(
    memory: Engram, accepted: Sequence[str], refused: Sequence[str]
) -> tuple[list[str], list[str]]:
    """Answer those of the references that name a question; returns the others of both kinds."""
    left: tuple[list[str], list[str]] = ([], [])
    for rest, refs, is_yes in ((left[0], accepted, True), (left[1], refused, False)):
        for ref in refs:
            if _is_question(memory, ref):
                done = answer(memory, ref, is_yes=is_yes)
                output.say(f"{done[0].upper()}{done[1:]}.")
            else:
                rest.append(ref)
    return left


def _keys_of(ref: str) -> tuple[str, str, str]:
    """(key for yes, key for no, what they mean) of a question."""
    from engram_hooks.curate import branches, rivals

    if ref.startswith(branches.MARK):
        return "p", "k", "[p]romote them  [k]eep them on it"
    if rivals.BETWEEN in ref:
        return "y", "n", "[y]es, one of them goes  [n]o, both hold"
    return "k", "p", "[k]eep it  [p]ut it aside"


def _is_question(memory: Engram, ref: str) -> bool:
    from engram_hooks.curate import branches, rivals
    from engram_hooks.curate.ground import doubts

    if rivals.BETWEEN in ref and not ref.startswith(branches.MARK):
        return True
    return ref.startswith(branches.MARK) or doubts.is_in_doubt(memory.db, memory.find(ref).id)


def _tell(question: Question) -> str:
    text, why, *more = question.ask()
    lines = [
        output.line(text, max_chars=240),
        *(f"    {output.line(line, max_chars=240)}" for line in (why, *more)),
    ]
    return "\n".join(lines)
