"""What to know before a file is changed: the fixes and reverts its lines rest on, weightiest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.guard.firewall import clean
from engram_hooks.history.proposed import ProposedHunk
from engram_hooks.history.remapping import join_lines
from engram_hooks.recall.carried import FILLERS, find_carried, find_removed, find_returned
from engram_hooks.store import index_briefs, index_ownership
from engram_hooks.store.index_queries import SymbolEntry
from engram_hooks.terms import content_terms

if TYPE_CHECKING:
    from engram_hooks.store.index_briefs import Guard, Partner
    from engram_hooks.store.index_ownership import Touch

MAX_FLAGS = 12
MAX_PAST = 5  # of commits that left no line
FIRST_OWNERS = 3  # before the first that left no line
MAX_HISTORY = 10
MAX_PARTNERS = 10
MAX_SUBJECT_CHARS = 200
MAX_AUTHOR_CHARS = 80
_HASH_CHARS = 10
_MARK = "[removed: "
_FILLER_KEYS = frozenset(map(index_briefs.line_key, FILLERS))

# lines of the indexed head -> where they stand now, None where they stand as they are
Mapped = Callable[[], Mapping[int, int]] | None


@dataclass(frozen=True, slots=True)
class Flag:
    """A commit that an edit should know of; texts are safe to be shown. `trust`: untrusted or quarantined."""

    commit: str
    intent: str
    subject: str
    authored_at: int
    author: str
    lines: tuple[tuple[int, int], ...]
    reason: str
    trust: str


@dataclass(frozen=True, slots=True)
class Findings:
    """What an index says of a file, or of symbols in it (`symbols`: their names)."""

    symbols: tuple[str, ...] = ()
    flags: tuple[Flag, ...] = ()
    partners: tuple[Partner, ...] = ()
    history: tuple[Flag, ...] = ()


@dataclass(frozen=True, slots=True)
class Subject:
    """What is asked about: the whole file, or symbols of it; `intent` is what is to be done, in any words."""

    file_id: int
    symbols: Sequence[SymbolEntry] = ()
    intent: str = ""


def look(
    db: Connection, subject: Subject, *, mapped: Mapped = None, hunks: Sequence[ProposedHunk] | None = None
) -> Findings:
    """What an index says before a change. With `hunks` only what these change is looked at."""
    guards = index_ownership.list_weighted(db, subject.file_id)
    touches = _list_touches(db, subject)
    if hunks is None:
        flags = _judge_lines(subject, guards, touches, mapped=mapped)
    else:
        flags = _judge_hunks([guard for _, guard in guards], hunks)
    return Findings(
        symbols=tuple(dict.fromkeys(symbol.qualified for symbol in subject.symbols)),
        flags=tuple(flags[:MAX_FLAGS]),
        partners=tuple(index_briefs.list_partners(db, subject.file_id, limit=MAX_PARTNERS)),
        history=tuple(map(_tell_touch, touches[:MAX_HISTORY])),
    )


# ---- what the lines carry


def _judge_lines(
    subject: Subject, guards: Sequence[tuple[float, Guard]], touches: Sequence[Touch], *, mapped: Mapped
) -> list[Flag]:
    spans = [(symbol.start_line, symbol.end_line) for symbol in subject.symbols]
    owners: list[tuple[float, Guard, list[int]]] = []
    for weight, guard in guards:
        pairs = index_briefs.unpack_lines(guard[6])
        lines = [line for line, key in pairs if key not in _FILLER_KEYS and _is_within(line, spans)]
        if lines:
            owners.append((len(lines) * weight * _relate(subject.intent, guard[5]), guard, lines))
    owners.sort(key=lambda owner: -owner[0])
    flags = (_flag_lines(guard, lines, mapped) for _, guard, lines in owners)
    standing = list(islice((flag for flag in flags if flag), MAX_FLAGS))
    if subject.symbols:
        undoing = [(touch.commit, touch.undid) for touch in touches if touch.undid]
    else:
        undoing = [(guard, ("", "")) for _, guard in guards if not guard[6]]
    known = {guard[0] for _, guard, _ in owners}
    missing = [(guard, undid) for guard, undid in undoing if guard[0] not in known]
    past = [make_flag(guard, _explain_undoing(*undid)) for guard, undid in missing[:MAX_PAST]]
    return [*standing[:FIRST_OWNERS], *past, *standing[FIRST_OWNERS:]]


def _is_within(line: int, spans: Sequence[tuple[int, int]]) -> bool:
    return not spans or any(start <= line <= end for start, end in spans)


def _relate(intent: str, subject: str) -> float:
    """1 and more: how much of what is to be done a commit speaks of."""
    wanted = set(content_terms(intent).split()) if intent else set()
    return 1 + 2 * len(wanted & set(content_terms(subject).split())) / len(wanted) if wanted else 1.0


def _flag_lines(guard: Guard, lines: Sequence[int], mapped: Mapped) -> Flag | None:
    """A flag for lines of the indexed head, None where none of them stands any more."""
    if mapped is not None:
        places = mapped()
        lines = sorted({places[line] for line in lines if line in places})
    if not lines:
        return None
    return make_flag(guard, _explain_lines(guard[3], len(lines)), lines)


def _explain_lines(intent: str, count: int) -> str:
    here = f"{_count(count)} here {'was' if count == 1 else 'were'}"
    if intent == "security":
        return f"{here} last written to close a security hole."
    if intent == "revert":
        return f"{here} put back by this commit, which undid another one."
    return f"{here} last written by this fix."


def _explain_undoing(undone: str, subject: str) -> str:
    if not undone:
        return "It took something back here that had been tried."
    return f'It undid {undone[:_HASH_CHARS]} "{clean(subject, max_chars=100)}" here: that was tried and taken back.'


# ---- what a proposed change does


def _judge_hunks(guards: Sequence[Guard], hunks: Sequence[ProposedHunk]) -> list[Flag]:
    owned = [index_briefs.unpack_lines(guard[6]) for guard in guards]
    touched: dict[int, set[int]] = {}
    back: dict[int, int] = {}
    for hunk in hunks:
        removed = set(find_removed(hunk.old, hunk.new))
        keys = [index_briefs.line_key(text) for text in hunk.old]
        for number, places in enumerate(find_carried(hunk.old, keys, owned, first_line=hunk.old_start)):
            if lines := {hunk.old_start + at for at in places if at in removed}:
                touched.setdefault(number, set()).update(lines)
        added = [hunk.new[at] for at in find_removed(hunk.new, hunk.old)]
        added_keys = [index_briefs.line_key(text) for text in added]
        for number, guard in enumerate(guards):
            gone = index_briefs.unpack_keys(guard[7]) if added else ()
            if gone and (count := len(find_returned(added, added_keys, set(gone)))):
                back[number] = back.get(number, 0) + count
    return [
        make_flag(
            guard, _explain_change(len(touched.get(number, ())), back.get(number, 0)), touched.get(number, ())
        )
        for number, guard in enumerate(guards)
        if number in touched or number in back
    ]


def _explain_change(removed: int, returned: int) -> str:
    parts = []
    if removed:
        parts.append(f"takes out or rewrites {_count(removed)} that it wrote")
    if returned:
        parts.append(f"brings back {_count(returned)} that it took out")
    return f"The change {' and '.join(parts)}."


# ---- what happened before


def _list_touches(db: Connection, subject: Subject) -> list[Touch]:
    """The commits that touched the symbols, or the last ones of the file, newest first."""
    if subject.symbols:
        return index_ownership.list_touching(db, [symbol.id for symbol in subject.symbols])
    return index_ownership.list_changing(db, subject.file_id, limit=MAX_HISTORY)


def _tell_touch(touch: Touch) -> Flag:
    return make_flag(
        touch.commit, f"It added {_count(touch.added)} and took out {_count(touch.removed)} here."
    )


def _count(lines: int) -> str:
    return "1 line" if lines == 1 else f"{lines} lines"


def make_flag(guard: Guard, reason: str, lines: Iterable[int] = ()) -> Flag:
    """A flag of a commit as hooks read it; texts are made safe here."""
    _, name, authored_at, intent, author, subject, *_ = guard
    shown = _clean_subject(subject)
    is_order = _MARK in shown and _MARK not in subject
    return Flag(
        name,
        intent,
        shown,
        authored_at,
        _clean_author(author),
        tuple(join_lines(sorted(lines))),
        reason,
        "quarantined" if is_order else "untrusted",
    )


@lru_cache(maxsize=4096)
def _clean_subject(subject: str) -> str:
    return clean(subject, max_chars=MAX_SUBJECT_CHARS)


@lru_cache(maxsize=1024)
def _clean_author(name: str) -> str:
    return clean(name, max_chars=MAX_AUTHOR_CHARS)
