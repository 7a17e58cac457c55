"""Making room in core memory: duplicates become one, entries denser, and what matters least becomes a record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from sqlite3 import Connection

from engram_hooks.curate.core.worth import IDENTITY, STANDING, order_by_worth, weigh
from engram_hooks.curate.nearness import find_near
from engram_hooks.recall.core import fold
from engram_hooks.sessions import core_mirror
from engram_hooks.sessions.core_lines import count_chars
from engram_hooks.store import audit_trail, core, records, settings
from engram_hooks.store.transactions import Transaction

FULL_SHARE = 0.8  # above it a block is compacted, down to it
ACTOR = "consolidation"
_LEADS = re.compile(
    r"^(?:(?:please\s+)?(?:always\s+)?(?:remember|note|keep in mind|be aware|make sure)\s+that\s+"
    r"|please(?:\s+always)?\s+|(?:important|note|nb|reminder):\s+)",
    re.IGNORECASE,
)
_JOINTS = re.compile(r"[,;:(]\s|\s\(|\s[-–—]+\s|\s(?:because|since|so that|as in)\s", re.IGNORECASE)
_FILLERS = frozenset("a an the please always just you must should".split())
# words by which what stands behind an entry makes it hold less
_LIMITS = frozenset(
    "except unless only but when if while until not no never without apart besides instead or".split()
)
_EDGES = " \t.,;:!?\"'`()"


@dataclass(frozen=True, slots=True)
class Plan:
    """What compacting a block does: its entries afterwards, (entry, entry that says it too), those to be records."""

    lines: tuple[str, ...]
    merged: tuple[tuple[str, str], ...]
    denser: tuple[tuple[str, str], ...]
    demoted: tuple[str, ...]


def compact_core(
    db: Connection, data: str, environ: Mapping[str, str], *, now_ms: int, is_dry: bool = False
) -> list[str]:
    """Compact each block that is fuller than 80 %; returns a sentence for each change, none where there is room.

    An entry that goes becomes a record of the global layer; each block changes in one transaction, and
    `engram core undo` takes that back. A block whose file holds what is not taken over stays as it is.
    """
    knobs = settings.read(db, 0, environ)
    said: list[str] = []
    if not is_dry:
        core_mirror.settle_quietly(db, data, knobs, now_ms=now_ms)
    for block in core.BLOCKS:
        cap = core_mirror.cap_of(knobs, block)
        lines = core.read_lines(db, block)
        if count_chars(lines) <= cap * FULL_SHARE:
            continue
        if pending := core_mirror.find_pending(db, data, block, cap):
            said.append(f"{block} block left alone: its file is not taken over, {pending}")
            continue
        plan = plan_compaction(lines, int(cap * FULL_SHARE), ages=read_ages(db, block))
        said += describe(block, plan)
        if not is_dry and plan.lines != tuple(lines):
            _carry_out(db, block, lines, plan, now_ms=now_ms)
            try:
                core_mirror.write_file(db, data, block, cap)
            except OSError:
                said.append(f"the file of the {block} block could not be written")
    return said


def undo_compaction(
    db: Connection, data: str, environ: Mapping[str, str], *, first_id: int, last_id: int, now_ms: int
) -> list[str]:
    """Bring the blocks back that were compacted in a stretch of the book of changes; returns their names.

    One that was changed since stays as it is. The records that came of its entries stay, too: what a block says
    is not told again.
    """
    done: list[str] = []
    knobs = settings.read(db, 0, environ)
    for block in audit_trail.list_compacted(db, first_id=first_id, last_id=last_id):
        with Transaction(db):
            versions = core.list_versions(db, block)
            if len(versions) < 2 or versions[-1]["actor"] != ACTOR:
                continue
            old = versions[-2]
            lines = old["text"].split("\n") if old["text"] else []
            core.write_block(
                db,
                block,
                lines,
                actor="person",
                action="undo",
                now_ms=now_ms,
                reason=f"back to version {old['version']}",
                restores=old["restores"] if old["restores"] is not None else old["version"],
            )
        core_mirror.settle_quietly(db, data, knobs, now_ms=now_ms)
        done.append(block)
    return done


def plan_compaction(lines: Sequence[str], room: int, *, ages: Mapping[str, int] | None = None) -> Plan:
    """How entries come to fit into `room` characters, losing as little as possible.

    First entries that another one says too, with more words, go; then words that say nothing; then whole
    entries, those of least worth first, but the last one never.
    """
    merged = find_merges(lines)
    gone = {short for short, _ in merged}
    kept = [line for line in lines if line not in gone]
    denser: list[tuple[str, str]] = []
    born = dict(ages or {})
    if count_chars(kept) > room:
        denser = [(line, short) for line in kept if (short := densify(line)) != line]
        shorter = dict(denser)
        born |= {short: born.get(line, 0) for line, short in denser}
        kept = list(dict.fromkeys(shorter.get(line, line) for line in kept))
    demoted: list[str] = []
    for line in order_by_worth(kept, born):
        if count_chars(kept) <= room or len(kept) == 1:
            break
        kept.remove(line)
        demoted.append(line)
    return Plan(tuple(kept), tuple(merged), tuple(denser), tuple(demoted))


def find_merges(lines: Sequence[str]) -> list[tuple[str, str]]:
    """(entry, entry that says all of it): the same words in the same order, or those and a reason or detail behind."""
    found: list[tuple[str, str]] = []
    gone: set[str] = set()
    for line in sorted(lines, key=lambda item: (len(item), -lines.index(item))):
        for other in lines:
            if other != line and other not in gone and _is_said_by(line, other):
                found.append((line, other))
                gone.add(line)
                break
    return found


def densify(line: str) -> str:
    """An entry without words that say nothing: a plea at its front, a full stop at its end."""
    short = _LEADS.sub("", line)
    if short.endswith(".") and not short.endswith(".."):
        short = short[:-1]
    return short[:1].upper() + short[1:] if short != line and line[:1].isupper() else short


def read_ages(db: Connection, block: str) -> dict[str, int]:
    """The version with which each entry of a block came in."""
    came: dict[str, int] = {}
    for row in core.list_versions(db, block):
        for line in row["text"].split("\n"):
            came.setdefault(line, row["version"])
    return came


def describe(block: str, plan: Plan) -> list[str]:
    """A plan as sentences."""
    return [
        *(f'{block} block: "{short}" goes, "{long}" says it too' for short, long in plan.merged),
        *(f'{block} block: "{line}" becomes "{short}"' for line, short in plan.denser),
        *(f'{block} block: "{line}" becomes a note that holds everywhere' for line in plan.demoted),
    ]


def _carry_out(db: Connection, block: str, lines: Sequence[str], plan: Plan, *, now_ms: int) -> None:
    """Write the records first: an entry is never in neither place. A block that changed meanwhile stays as it is."""
    with Transaction(db):
        if core.read_lines(db, block) != list(lines):
            return
        for line in plan.demoted:
            _keep_as_record(db, block, line, now_ms=now_ms)
        reason = f"fuller than {FULL_SHARE:.0%}"
        core.write_block(db, block, plan.lines, actor=ACTOR, action="compact", now_ms=now_ms, reason=reason)


def _keep_as_record(db: Connection, block: str, line: str, *, now_ms: int) -> None:
    near = find_near(db, line, project_ids=[0])
    if any(fold(row["summary"]) == fold(line) and row["project_id"] == 0 for _, row in near):
        return
    kind = _kind_of(block, line)
    fields = {"kind": kind, "project_id": 0, "summary": line, "source": "person", "importance": 0.6}
    # not by the consolidation: taking a run back brings the entry back and leaves the record
    record_id = records.insert(db, fields, now_ms=now_ms, actor="engram", reason=f"from the {block} block")
    records.add_evidence(db, record_id, "person", f"core {block}", now_ms=now_ms)


def _kind_of(block: str, line: str) -> str:
    if block == "agent":
        return "fact"
    return {IDENTITY: "user", STANDING: "feedback"}.get(weigh(line), "user")


def _is_said_by(line: str, other: str) -> bool:
    words, others = _words(line), _words(other)
    if not words or len(words) > len(others):
        return False
    if words == others:
        return True
    head, tail = _split_head(other)
    return words == _words(head) and not _LIMITS.intersection(_words(tail))


def _split_head(line: str) -> tuple[str, str]:
    """(what an entry says, the reason or detail behind it)."""
    found = _JOINTS.search(line)
    return (line[: found.start()], line[found.end() :]) if found else (line, "")


def _words(line: str) -> list[str]:
    words = (word.strip(_EDGES) for word in line.casefold().split())
    return [word for word in words if word and word not in _FILLERS]
