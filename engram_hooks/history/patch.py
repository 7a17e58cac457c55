"""From git's patch text (`-U0`, or combined for merges) to hunks."""

from __future__ import annotations

import re

from engram_hooks.history.changes import Hunk

MAX_HUNKS = 20_000  # of one file; beyond, the file counts as one without lines
_HEADER = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(?: ([^\n]*))?", re.MULTILINE)
_COMBINED = re.compile(r"(?:-\d+(?:,\d+)? )+\+(\d+)")
_OLD_START = re.compile(r"-(\d+)")


def parse_file(section: bytes) -> tuple[tuple[Hunk, ...], bool]:
    """(hunks, has lines) of one file's part of a patch, from `diff --git` on, without the last line feed."""
    begin = section.find(b"\n@@ ")
    if begin < 0:
        return (), b"\nBinary files " not in section
    blocks = section[begin:].decode("utf-8", "replace").split("\n@@ ")
    if len(blocks) > MAX_HUNKS:
        return (), False
    return tuple([_parse_block(block) for block in blocks[1:]]), True


def parse_positions(part: bytes) -> list[Hunk]:
    """The hunks of any part of a patch without their texts; a part begins at the start of a line."""
    return [
        Hunk(
            int(found[1]),
            int(found[2] or 1),
            int(found[3]),
            int(found[4] or 1),
            (),
            (),
            (found[5] or b"").decode("utf-8", "replace"),
        )
        for found in _HEADER.finditer(part)
    ]


def parse_combined(section: bytes, parent_count: int) -> tuple[tuple[Hunk, ...], ...] | None:
    """For each parent the hunks from it to the merge, without texts; None where there are no lines."""
    mark = "\n" + "@" * (parent_count + 1) + " "
    text = section.decode("utf-8", "replace")
    blocks = text.split(mark)
    if len(blocks) > MAX_HUNKS or len(blocks) == 1:
        return None
    sides: list[list[Hunk]] = [[] for _ in range(parent_count)]
    for block in blocks[1:]:
        head, _, body = block.partition("\n")
        for number, hunks in enumerate(_read_combined(head, body, parent_count)):
            sides[number] += hunks
    return tuple(map(tuple, sides))


def _parse_block(block: str) -> Hunk:
    """A hunk from behind its `@@ ` on."""
    head, _, body = block.partition("\n")
    old, new, rest = head.split(" ", 2)
    old_start, _, old_size = old.partition(",")
    new_start, _, new_size = new.partition(",")
    old_count = int(old_size) if old_size else 1
    new_count = int(new_size) if new_size else 1
    body = "\n" + body
    if "\n\\" in body:  # `\ No newline at end of file`
        body = "\n".join([line for line in body.split("\n") if not line.startswith("\\")])
    border = body.find("\n+") if new_count else len(body)
    return Hunk(
        -int(old_start),
        old_count,
        int(new_start),
        new_count,
        tuple(body[2:border].split("\n-")) if old_count else (),
        tuple(body[border + 2 :].split("\n+")) if new_count else (),
        rest[3:],
    )


def _read_combined(head: str, body: str, parent_count: int) -> list[list[Hunk]]:
    """One combined hunk as hunks of each parent.

    The first characters of a line, one for each parent, say: `+` it lacks this line, `-` it has this line and
    the merge does not, a space that it has the line as the merge does, or, beside a `-`, that it has it not.
    (Between two lost lines git hides lines that all sides share; a hunk may lie a line off behind them.)
    """
    found = _COMBINED.match(head)
    if found is None:
        return [[] for _ in range(parent_count)]
    lines = [line for line in body.split("\n") if line and not line.startswith("\\")]
    marks = [(line[:parent_count], "-" in line[:parent_count]) for line in lines]
    starts = _OLD_START.findall(head[: found.start(1)])
    return [_read_side(marks, side, int(starts[side]), int(found[1])) for side in range(parent_count)]


def _read_side(marks: list[tuple[str, bool]], side: int, old_line: int, new_line: int) -> list[Hunk]:
    """The hunks of one parent; `marks`: (characters in front, whether the merge lacks the line) of each line."""
    hunks: list[Hunk] = []
    old_begin, new_begin = old_line, new_line
    for mark, is_lost in marks:
        if mark[side] == "-":
            old_line += 1
        elif mark[side] == "+":
            new_line += 1
        elif not is_lost:
            if old_line > old_begin or new_line > new_begin:
                hunks.append(_make_hunk(old_begin, old_line, new_begin, new_line))
            old_line, new_line = old_line + 1, new_line + 1
            old_begin, new_begin = old_line, new_line
    if old_line > old_begin or new_line > new_begin:
        hunks.append(_make_hunk(old_begin, old_line, new_begin, new_line))
    return hunks


def _make_hunk(old_begin: int, old_end: int, new_begin: int, new_end: int) -> Hunk:
    old_count, new_count = old_end - old_begin, new_end - new_begin
    old_start, new_start = old_begin - (not old_count), new_begin - (not new_count)
    return Hunk(old_start, old_count, new_start, new_count, (), ())
