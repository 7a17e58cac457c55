"""What the check before a commit looks for: each check takes the situation and says what it found."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.curate.code.staged_lines import StagedFile
from engram_hooks.history import staged
from engram_hooks.recall.carried import find_carried, find_returned, is_filler
from engram_hooks.store import index_briefs, invariants, sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from sqlite3 import Connection

    from engram_hooks.history.allowance import Allowance
    from engram_hooks.store.index_briefs import Guard

MAX_FIXES_OF_FILE = 3
MAX_PARTNERS = 3
MAX_LINES = 5_000
MAX_HITS = 20
# A partner that is worth a word while a file is read is not yet one that a commit must have: who stages a file
# knows it best. It has to change along in most commits, and in more than a couple.
MIN_SUPPORT = 3
MIN_SHARE = 0.5


class Finding(NamedTuple):
    """One thing to look at.

    check: `rule` (one holds here), `removed` (lines of a fix go), `returned` (what a fix or revert took out is
    back), `attempt` (what was given up is done again) or `partner` (a file that changes along is not staged). `path`
    and `line` (0: none) say where. Of lines: how many, and `deed`, the commit behind them as (hash, ms UTC, intent,
    subject). Of an attempt or a rule: what it says (`note`) and its name (`ref`). Of a partner: the staged file it
    goes with (`source`), how many commits changed both (`support`) and how many that file (`total`).
    """

    check: str
    path: str
    line: int = 0
    line_count: int = 0
    deed: tuple[str, int, str, str] | None = None
    is_deleted: bool = False
    is_replaced: bool = False
    source: str = ""
    support: int = 0
    total: int = 0
    is_hidden: bool = False
    note: str = ""
    ref: str = ""


class Situation(NamedTuple):
    """What the checks look at."""

    store: Connection
    project_id: int
    db: Connection | None  # the index, where there is one
    checkout: staged.Checkout
    files: Sequence[StagedFile]
    is_replay: bool  # a merge, or the commit of another time or branch once more
    heeds_attempts: bool
    heeds_rules: bool
    allowance: Allowance


def find_removed(situation: Situation) -> list[Finding]:
    """Lines that a fix wrote and that are neither kept nor moved."""
    hits: list[tuple[StagedFile, list[Guard]]] = []
    for file in situation.files:
        situation.allowance.check()
        if not file.removed or len(file.removed) > MAX_LINES or not file.change.old_blob:
            continue
        keys = {index_briefs.line_key(line.text) for line in file.removed if not is_filler(line.text)}
        guards = _guards_of(situation, file)
        if any(key in keys for guard in guards for _, key in index_briefs.unpack_lines(guard[6])):
            hits.append((file, guards))
    found = []
    for file, guards in hits[:MAX_HITS]:
        situation.allowance.check()
        old = staged.read_blob(situation.checkout, file.change.old_blob)
        found += _name_fixes(file, guards, old)
    return found


def find_back(situation: Situation) -> list[Finding]:
    """Lines that come back though a fix or a revert took them out."""
    found = []
    for file in situation.files:
        situation.allowance.check()
        if not file.added or len(file.added) > MAX_LINES or not file.change.old_blob:
            continue
        texts = [line.text for line in file.added]
        keys = [index_briefs.line_key(text) for text in texts]
        for guard in _guards_of(situation, file):
            gone = frozenset(index_briefs.unpack_keys(guard[7]))
            at = find_returned(texts, keys, gone) if not gone.isdisjoint(keys) else []
            if at:
                first = file.added[at[0]].number
                found.append(Finding("returned", file.change.path, first, len(at), _deed_of(guard)))
    return found


def find_forgotten(situation: Situation) -> list[Finding]:
    """Files that usually change along with a staged one and are not staged."""
    if situation.is_replay:
        return []
    here = {path for file in situation.files for path in (file.change.path, file.change.old_path)}
    found: dict[str, tuple[float, Finding]] = {}
    for file in situation.files:
        situation.allowance.check()
        for mate, score, support, total, is_hidden, speaks in _partners_of(situation, file):
            is_usual = speaks and support >= max(MIN_SUPPORT, MIN_SHARE * total)
            if is_usual and mate not in here and score > found.get(mate, (0.0,))[0]:
                source = file.change.path
                finding = Finding(
                    "partner", mate, source=source, support=support, total=total, is_hidden=is_hidden
                )
                found[mate] = (score, finding)
    best = sorted(found.values(), key=lambda one: (-one[0], one[1].path))[: 4 * MAX_PARTNERS]
    return _drop_excused(situation, [finding for _, finding in best])[:MAX_PARTNERS]


def find_repeated(situation: Situation) -> list[Finding]:
    """Changes that were tried before, failed and were given up."""
    if not situation.heeds_attempts or not sessions.has_abandoned(situation.store, situation.project_id):
        return []
    from engram_hooks.recall.fields import local_year
    from engram_hooks.recall.tried import REPEAT, tell
    from engram_hooks.sessions.tried import resembling, tried_on_file

    year = local_year(time.time_ns() // 1_000_000)
    found = []
    for file in situation.files:
        situation.allowance.check()
        path = file.change.path
        tried = tried_on_file(situation.store, situation.project_id, path) if file.change.hunks else []
        pieces = [(hunk.removed, hunk.added) for hunk in file.change.hunks[:MAX_LINES]] if tried else []
        for alike, one in resembling(tried, pieces)[:1]:
            if alike == REPEAT:
                found.append(Finding("attempt", path, note=tell(one, year=year), ref=f"t{one[0][0]}"))
    return found


def find_ruled(situation: Situation) -> list[Finding]:
    """Rules that hold for what the change touches."""
    store, top = situation.store, situation.checkout.top
    if not situation.heeds_rules or not invariants.has_rules(store, situation.project_id):
        return []
    from engram_hooks.recall.globs import keys_of
    from engram_hooks.recall.rules import names_in, rules_on, tell_rule

    rules_file = os.path.join(top, invariants.FILE)
    found = []
    for file in situation.files:
        situation.allowance.check()
        path = file.change.path
        rules = invariants.rules_under(store, situation.project_id, rules_file, keys_of(path))
        lines = (*file.removed[:MAX_LINES], *file.added[:MAX_LINES])
        for rule in rules_on(rules, path, names_in(line.text for line in lines)) if rules else ():
            found.append(Finding("rule", path, note=tell_rule(rule), ref=rule[1]))
    return found


# each looks at the situation and says what it found; the order is that of their weight
CHECKS: tuple[Callable[[Situation], list[Finding]], ...] = (
    find_ruled,
    find_removed,
    find_back,
    find_repeated,
    find_forgotten,
)


def _guards_of(situation: Situation, file: StagedFile) -> list[Guard]:
    if situation.db is None:
        return []
    file_id = index_briefs.find_file_id(situation.db, file.change.old_path)
    return [] if file_id is None else index_briefs.list_guards(situation.db, file_id)


def _partners_of(situation: Situation, file: StagedFile) -> list[index_briefs.Partner]:
    if situation.db is None or file.change.status not in ("M", "R") or not (file.removed or file.added):
        return []
    file_id = index_briefs.find_file_id(situation.db, file.change.old_path)
    return [] if file_id is None else index_briefs.list_partners(situation.db, file_id)


def _name_fixes(file: StagedFile, guards: Sequence[Guard], old: Sequence[str]) -> list[Finding]:
    """What the removed lines of one file were written for: one finding a commit."""
    owned = [index_briefs.unpack_lines(guard[6]) for guard in guards]
    keys = [index_briefs.line_key(text) for text in old]
    gone = {line.number: line for line in file.removed}
    found = []
    for guard, positions in zip(guards, find_carried(old, keys, owned, first_line=1), strict=True):
        lines = [gone[at + 1] for at in positions if at + 1 in gone]
        if any(not is_filler(line.text) for line in lines):
            is_deleted = file.change.status == "D"
            finding = Finding(
                "removed",
                file.change.path,
                0 if is_deleted else lines[0].number,
                len(lines),
                _deed_of(guard),
                is_deleted=is_deleted,
                is_replaced=all(line.is_replaced for line in lines),
            )
            found.append(finding)
    return found[: 1 if file.change.status == "D" else MAX_FIXES_OF_FILE]


def _deed_of(guard: Guard) -> tuple[str, int, str, str]:
    return (guard[1], guard[2], guard[3], guard[5])


def _drop_excused(situation: Situation, findings: Sequence[Finding]) -> list[Finding]:
    """Partners that can be forgotten: in the index, not ignored, not changed by the commit just before this one.

    (That one counts where it left the staged file alone: a change in two steps.) A change of comments needs none.
    """
    if not findings:
        return []
    from engram_hooks.history.bulk import is_cosmetic

    changes = {file.change.path: file.change for file in situation.files}
    findings = [finding for finding in findings if not is_cosmetic([changes[finding.source]])]
    if not findings:
        return []
    names = list(dict.fromkeys(name for finding in findings for name in (finding.path, finding.source)))
    kept = staged.list_kept(situation.checkout, names)
    last = staged.list_last(situation.checkout, names)
    return [
        finding
        for finding in findings
        if finding.path in kept and (finding.path not in last or finding.source in last)
    ]
