"""Where lines went: the hunks of a change as places, kept in few bytes, and ranges of lines carried through them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engram_hooks.history.changes import Hunk

# (first line, line behind the last) of the old and of the new version; lines count from 0
Edit = tuple[int, int, int, int]
# (first line, line behind the last), from 0
Lines = tuple[int, int]
# (first line in the new version, first line in the old one, how many), from 0
Run = tuple[int, int, int]
_BLOB_BYTES = 8


def list_edits(hunks: Iterable[Hunk]) -> list[Edit]:
    """Hunks as half-open places, in order."""
    edits: list[Edit] = []
    for old_start, old_count, new_start, new_count, *_ in hunks:
        old = old_start - 1 if old_count else old_start
        new = new_start - 1 if new_count else new_start
        edits.append((old, old + old_count, new, new + new_count))
    return edits


def pack_edits(edits: Sequence[Edit]) -> bytes:
    """Places as LEB128 numbers, three an edit: unchanged lines before it, lines gone, lines new."""
    out = bytearray()
    last = 0
    for old, old_end, new, new_end in edits:
        for number in (old - last, old_end - old, new_end - new):
            while number > 127:
                out.append(number & 127 | 128)
                number >>= 7
            out.append(number)
        last = old_end
    return bytes(out)


def unpack_edits(packed: bytes) -> list[Edit]:
    """The places of `pack_edits`."""
    edits: list[Edit] = []
    old = new = 0
    parts = iter(_unpack_numbers(packed))
    for gap, gone, added in zip(parts, parts, parts, strict=True):
        old, new = old + gap, new + gap
        edits.append((old, old + gone, new, new + added))
        old, new = old + gone, new + added
    return edits


def pack_runs(runs: Iterable[Run]) -> bytes:
    """Runs of lines in order of the new ones, as LEB128 numbers: new lines since the last, first old line, how many."""
    out = bytearray()
    last = 0
    for new, old, count in runs:
        for number in (new - last, old, count):
            while number > 127:
                out.append(number & 127 | 128)
                number >>= 7
            out.append(number)
        last = new
    return bytes(out)


def unpack_runs(packed: bytes) -> list[Run]:
    """The runs of `pack_runs`."""
    runs: list[Run] = []
    new = 0
    parts = iter(_unpack_numbers(packed))
    for gap, old, count in zip(parts, parts, parts, strict=True):
        new += gap
        runs.append((new, old, count))
    return runs


def _unpack_numbers(packed: bytes) -> list[int]:
    numbers: list[int] = []
    number = shift = 0
    for byte in packed:
        number |= (byte & 127) << shift
        if byte > 127:
            shift += 7
            continue
        numbers.append(number)
        number = shift = 0
    return numbers


def carry_back(lines: Lines, edits: Sequence[Edit], *, first: int = 0) -> tuple[list[Lines], int, int]:
    """(the same lines in the old version, lines of theirs that the change wrote, lines that it removed there).

    As `git log -L` does it: an edit that meets the lines counts with the whole of what stood in its place; lines
    that were taken out count where lines are on both sides. (0, 0) means that the change did not meet them.
    `first`: edits before this one are known to end before the lines.
    """
    start, end = lines
    offset = 0
    if first:
        before = edits[first - 1]
        offset = before[1] - before[3]
    out: list[Lines] = []
    added = removed = 0
    at = start  # up to here the lines are dealt with
    for old, old_end, new, new_end in edits[first:] if first else edits:
        if (new_end <= start and new < start) or new_end < start:
            offset = old_end - new_end
            continue
        if new >= end:
            break
        if new == new_end and new <= start:  # taken out just before the first line
            offset = old_end - new_end
            continue
        if new > at:
            _add(out, at + offset, new + offset)
        if old < old_end:
            _add(out, old, old_end)
        added += min(new_end, end) - max(new, start)
        removed += old_end - old
        at = max(at, new_end)
        offset = old_end - new_end
    if at < end:
        _add(out, at + offset, end + offset)
    return out, added, removed


def _add(out: list[Lines], start: int, end: int) -> None:
    if out and out[-1][1] >= start:
        start = out.pop()[0]
    out.append((start, end))


def pack_sides(sides: Iterable[tuple[bytes | None, Sequence[Edit]]]) -> bytes:
    """For each parent of a merge the start of a blob's name (eight bytes; None where it has no such file) and edits."""
    out = bytearray()
    for blob, edits in sides:
        packed = pack_edits(edits)
        out += (blob or b"").ljust(_BLOB_BYTES, b"\0") + len(packed).to_bytes(4, "little") + packed
    return bytes(out)


def unpack_sides(packed: bytes) -> list[tuple[bytes | None, list[Edit]]]:
    """The sides of `pack_sides`."""
    sides: list[tuple[bytes | None, list[Edit]]] = []
    at = 0
    while at < len(packed):
        blob = packed[at : at + _BLOB_BYTES]
        size = int.from_bytes(packed[at + _BLOB_BYTES : at + _BLOB_BYTES + 4], "little")
        at += _BLOB_BYTES + 4
        sides.append((blob if any(blob) else None, unpack_edits(packed[at : at + size])))
        at += size
    return sides
