"""Lines that a commit wrote anew without changing them: re-indented, rewrapped, moved, or swept over in bulk.

Whoever wrote such a line before is still its author. What is found here is kept beside the hunks as runs of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from engram_hooks.history import roles
from engram_hooks.history.changes import FileChange, Hunk
from engram_hooks.history.edits import Run

MAX_LINES = 20_000  # of a commit; beyond, nothing is looked for between its hunks
MAX_MATCHED = 400  # lines of a side that are matched one by one
MIN_MOVED_CHARS = 20  # of a block within its file, as `git blame -M` has it
MIN_MOVED_APART_CHARS = 40  # of a block that came from another file, as `git blame -C` has it
MIN_KEY_CHARS = 9  # of a line that a moved block may be known by
MIN_LINES_BY_FIX = 8  # of a block that a fix moved without meaning to
MAX_PLACES = 8  # where the same line was that are compared
SAME_WORDS_SHARE = 0.6
_SKIPPED = roles.NOISE | {roles.DOCS}
_WORD = re.compile(r"\w+")
_LAYOUT = ",;()'\"`\\"  # what a formatter adds, drops or exchanges
_LEADING = _LAYOUT + " \t"
_REMARKS = " #", " //"


class Moved(NamedTuple):
    """Lines of the file `path` that stood in `source` (its path before the commit) already."""

    path: str
    source: str
    source_blob: str
    runs: list[Run]


class _Taken(NamedTuple):
    """Lines that a commit took out of a file."""

    number: int  # of the file within the commit
    start: int
    lines: Sequence[str]


def find_moves(changes: Sequence[FileChange], *, is_bulk: bool, is_fix: bool) -> list[Moved]:
    """What of a commit's lines was there before, file by file, as runs in order. Pure.

    In a bulk commit lines that share most words count, too. A few lines that a fix moves are what it is about.
    """
    readable = [change for change in changes if _is_readable(change)]
    found: dict[tuple[int, int], list[Run]] = {}  # (number of the file, number of its source)
    for number, change in enumerate(readable):
        for hunk in change.hunks:
            if hunk.removed and hunk.added and (runs := _pair_sides(hunk, is_bulk=is_bulk)):
                found.setdefault((number, number), []).extend(runs)
    paired = {number: runs for (number, _), runs in found.items()}
    for number, source, run in _find_moved(readable, paired):
        if not is_fix or run[2] >= MIN_LINES_BY_FIX:
            found.setdefault((number, source), []).append(run)
    return [
        Moved(readable[number].path, readable[source].old_path, readable[source].old_blob, sorted(runs))
        for (number, source), runs in found.items()
        if readable[source].old_blob
    ]


def _is_readable(change: FileChange) -> bool:
    return bool(
        change.hunks
        and not change.is_cut
        and not change.is_binary
        and change.hunks[0].old_count + change.hunks[0].new_count
        and roles.role_of(change.path) not in _SKIPPED
    )


# ---- within a hunk


def _pair_sides(hunk: Hunk, *, is_bulk: bool) -> list[Run]:
    """Which lines of a hunk are the old ones but for white space, layout or a remark at the end."""
    old = ["".join(line.split()) for line in hunk.removed]
    new = ["".join(line.split()) for line in hunk.added]
    at_old, at_new = hunk.old_start - 1, hunk.new_start - 1
    if old == new:
        return [(at_new, at_old, len(new))]
    if len(old) > MAX_MATCHED or len(new) > MAX_MATCHED:
        return []
    if len(old) == len(new) == 1:
        return [(at_new, at_old, 1)] if _is_same(hunk.removed[0], hunk.added[0], is_bulk=is_bulk) else []
    if not {line for line in old if len(line) > 1}.isdisjoint(new):
        blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
        return [(at_new + b, at_old + a, size) for a, b, size in blocks if size]
    if len(old) == len(new):
        lines = enumerate(zip(hunk.removed, hunk.added, strict=True))
        return [(at_new + at, at_old + at, 1) for at, pair in lines if _is_same(*pair, is_bulk=is_bulk)]
    return [(at_new + b, at_old + a, 1) for b, a in _match_layout(old, new)]


def _is_same(before: str, after: str, *, is_bulk: bool) -> bool:
    """Whether two lines differ in layout or a remark at the end only, in a bulk commit: whether they are alike."""
    if is_bulk and _is_alike(before, after):
        return True
    if (
        before.lstrip()[:2] != after.lstrip()[:2]
        and before.lstrip(_LEADING)[:2] != after.lstrip(_LEADING)[:2]
    ):
        return False
    return _code_of(before) == _code_of(after)


def _code_of(line: str) -> str:
    """A line without its layout and without a remark at its end."""
    for mark in _REMARKS:
        if mark in line:
            code = line[: line.index(mark)]
            if code.strip() and code.count('"') % 2 == 0 and code.count("'") % 2 == 0:
                line = code
    for char in _LAYOUT:
        if char in line:
            line = line.replace(char, "")
    return "".join(line.split())


def _is_alike(before: str, after: str) -> bool:
    """Whether most words of two lines are the same: what a sweep over many files leaves of a line."""
    old, new = set(_WORD.findall(before)), set(_WORD.findall(after))
    return bool(old) and len(old & new) >= SAME_WORDS_SHARE * max(len(old), len(new))


def _match_layout(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int]]:
    """(new line, old line) of the same code in other line breaks; nothing where the code differs."""
    old_size, new_size = sum(map(len, old)), sum(map(len, new))
    if abs(old_size - new_size) > 8 + old_size // 10:
        return
    before, after = [_code_of(line) for line in old], [_code_of(line) for line in new]
    if "".join(before) != "".join(after) or not any(before):
        return
    line, end = 0, len(before[0])
    at = 0
    for number, text in enumerate(after):
        middle = at + len(text) // 2
        while end <= middle and line + 1 < len(before):
            line += 1
            end += len(before[line])
        yield number, line
        at += len(text)


# ---- between the hunks of a commit


def _find_moved(
    changes: Sequence[FileChange], paired: dict[int, list[Run]]
) -> Iterator[tuple[int, int, Run]]:
    """(number of the changed file, number of its source, run) of blocks that stood elsewhere before."""
    hunks = [hunk for change in changes for hunk in change.hunks]
    if len(hunks) < 2 or sum(hunk.old_count + hunk.new_count for hunk in hunks) > MAX_LINES:
        return
    keys = {text for hunk in hunks for line in hunk.removed if len(text := line.strip()) >= MIN_KEY_CHARS}
    if not keys:
        return
    shared = {text for hunk in hunks for line in hunk.added if (text := line.strip()) in keys}
    if not shared:
        return
    places = _find_places(changes, shared)
    for number, change in enumerate(changes):
        taken = {new + step for new, _, size in paired.get(number, ()) for step in range(size)}
        for hunk in change.hunks:
            for source, run in _match_blocks(number, hunk, places):
                if run[0] not in taken:
                    yield number, source, run


def _find_places(changes: Sequence[FileChange], shared: set[str]) -> dict[str, list[tuple[_Taken, int]]]:
    places: dict[str, list[tuple[_Taken, int]]] = {}
    for number, change in enumerate(changes):
        for hunk in change.hunks:
            taken = _Taken(number, hunk.old_start - 1, [line.strip() for line in hunk.removed])
            for at, text in enumerate(taken.lines):
                if text in shared and len(found := places.setdefault(text, [])) < MAX_PLACES:
                    found.append((taken, at))
    return places


def _match_blocks(
    number: int, hunk: Hunk, places: dict[str, list[tuple[_Taken, int]]]
) -> Iterator[tuple[int, Run]]:
    lines = [line.strip() for line in hunk.added]
    if places.keys().isdisjoint(lines):
        return
    at = 0
    while at < len(lines):
        if lines[at] not in places:
            at += 1
            continue
        options = [_measure(lines, at, taken, where) for taken, where in places[lines[at]]]
        chars, taken, where, size = max(options, key=lambda option: (option[0], option[1].number == number))
        if chars < (MIN_MOVED_CHARS if taken.number == number else MIN_MOVED_APART_CHARS):
            at += 1
            continue
        yield taken.number, (hunk.new_start - 1 + at, taken.start + where, size)
        at += size


def _measure(lines: Sequence[str], at: int, taken: _Taken, where: int) -> tuple[int, _Taken, int, int]:
    """(characters, source, its first line, lines) of the block that begins at two places."""
    size = chars = 0
    while at + size < len(lines) and where + size < len(taken.lines):
        text = lines[at + size]
        if text != taken.lines[where + size]:
            break
        chars += sum(map(str.isalnum, text))
        size += 1
    return chars, taken, where, size
