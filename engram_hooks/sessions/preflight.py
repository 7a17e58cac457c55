"""What an index knows of lines that are read or changed: the fixes that they carry, and the files that go along."""

from __future__ import annotations

from engram_hooks.recall.carried import (
    FILLERS,
    find_carried,
    find_removed,
    find_returned,
    is_telling,
    join_ranges,
)
from engram_hooks.store.index_briefs import (
    line_key,
    list_guards,
    list_partners,
    symbol_at,
    unpack_keys,
    unpack_lines,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    from engram_hooks.recall.brief import Carried, Deed, Mate, Touched
    from engram_hooks.sessions.changes import Piece
    from engram_hooks.store.index_briefs import Guard

MAX_NAMED_SYMBOLS = 6
MIN_SHARE = 0.2


def find_file(index: Connection, inside: str, real: str) -> int | None:
    """The id of a file by its path from the top, however accents are composed; in any case where the system says so."""
    from engram_hooks.store.index_briefs import find_file_id, find_file_in_any_case

    found = find_file_id(index, inside)
    if found is not None:
        return found
    from engram_hooks.sessions.whereabouts import ignores_case, list_spellings

    for name in list_spellings(inside):
        if (found := find_file_id(index, name)) is not None:
            return found
    return find_file_in_any_case(index, inside) if ignores_case(real) else None


def find_carried_fixes(
    index: Connection, file_id: int, texts: Sequence[str], *, first_line: int
) -> list[Carried]:
    """The fixes that lines of a file carry, of those that were read: most important first, with line numbers of now."""
    guards = list_guards(index, file_id)
    if not guards:
        return []
    owned = [unpack_lines(guard[6]) for guard in guards]
    keys = [line_key(text) for text in texts]
    carried: list[Carried] = []
    for guard, lines, found in zip(
        guards, owned, find_carried(texts, keys, owned, first_line=first_line), strict=True
    ):
        if not found or not is_telling([texts[at] for at in found]):
            continue
        heads = {key: line for line, key in reversed(lines)}
        is_named = len(carried) < MAX_NAMED_SYMBOLS
        symbol = symbol_at(index, file_id, heads[keys[found[0]]]) if is_named else ""
        carried.append((_deed(guard), join_ranges(found, texts, first=first_line), symbol))
    return carried


def find_mates(index: Connection, file_id: int) -> list[Mate]:
    """The files that change along with a file and are worth telling unasked, best first.

    One that is told for its latest commits alone is left out: it does not usually change along.
    """
    return [
        (path, support, total, is_hidden)
        for path, _, support, total, is_hidden, speaks in list_partners(index, file_id)
        if speaks and support >= MIN_SHARE * total
    ]


def find_touched(index: Connection, file_id: int, pieces: Sequence[Piece]) -> list[Touched]:
    """The fixes whose lines a change takes out, and those that took out what it brings back."""
    guards = list_guards(index, file_id)
    owned = [unpack_lines(guard[6]) for guard in guards]
    gone = [frozenset(unpack_keys(guard[7])) for guard in guards]
    lost: list[list[tuple[int, str]]] = [[] for _ in guards]
    back: list[list[str]] = [[] for _ in guards]
    for old, new, first_line in pieces if guards else ():
        removed = set(find_removed(old, new))
        if removed:
            found = find_carried(old, [line_key(text) for text in old], owned, first_line=first_line)
            for number, positions in enumerate(found):
                lost[number] += [
                    (at + first_line if first_line else 0, old[at]) for at in positions if at in removed
                ]
        added = [new[at] for at in find_removed(new, old)] if any(gone) else []
        keys = [line_key(text) for text in added]
        for number, taken in enumerate(gone if added else ()):
            back[number] += [added[at] for at in find_returned(added, keys, taken)]
    return [
        one
        for guard, out, returned in zip(guards, lost, back, strict=True)
        if (one := _touch(guard, out, returned))
    ]


def find_left_out(index: Connection, file_id: int, content: Sequence[str]) -> list[Touched]:
    """The same for the whole new content of a file whose old one is not known."""
    kept = {line_key(text) for text in content}
    fillers = {line_key(text) for text in FILLERS}
    touched: list[Touched] = []
    for guard in list_guards(index, file_id):
        lines = [line for line, key in unpack_lines(guard[6]) if key not in kept and key not in fillers]
        gone = frozenset(unpack_keys(guard[7]))
        back = [text for text in content if line_key(text) in gone] if gone & kept else []
        returned = [back[at] for at in find_returned(back, [line_key(text) for text in back], gone)]
        if lines or returned:
            touched.append((_deed(guard), len(lines), (), len(returned), returned[0] if returned else ""))
    return touched


def _touch(guard: Guard, lost: list[tuple[int, str]], back: list[str]) -> Touched | None:
    texts = [text for _, text in lost]
    if not is_telling(texts):
        lost, texts = [], []
    if not lost and not back:
        return None
    numbers = sorted({number for number, _ in lost if number})
    ranges = join_ranges(numbers) if len(numbers) == len(lost) else []
    text = next((text for text in (*texts, *back) if is_telling([text])), "")
    return (_deed(guard), len(lost), ranges, len(back), text)


def _deed(guard: Guard) -> Deed:
    return (guard[1], guard[2], guard[3], guard[5])
