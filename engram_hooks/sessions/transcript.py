"""The client's transcript: what came in since a cursor, and which files belong to it."""

from __future__ import annotations

import os
import zlib

from engram_hooks.jsontext import loads
from engram_hooks.sessions.lines import parse_line

__all__ = ["MAX_LINE_BYTES", "START", "parse_line", "read_chunk", "subagent_files"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import FileIO

    from engram_hooks.sessions.lines import Row as Row

    Cursor = tuple[int, int, int]
    """(offset of the next unread byte, CRC-32 of the file's first bytes, CRC-32 of those before it)."""
    Chunk = tuple[list[Row], Cursor, bool, bool]
    """(rows in file order, cursor behind them, more complete lines may follow, reading began again at 0)."""

START = (0, 0, 0)
MAX_LINE_BYTES = 32 << 20

_MARK_BYTES = 4_096
_BLOCK_BYTES = 1 << 20


def read_chunk(path: str, cursor: Cursor | None = None, *, max_bytes: int = 256 << 10) -> Chunk:
    """The conversation from `cursor` to at most `max_bytes` further on, up to the last complete line.

    A file that was cut, replaced or rewritten since the cursor was made is read from its start (rows are
    unique by uuid, so that repeats nothing). One line longer than `max_bytes` is taken whole, and skipped
    where it exceeds `MAX_LINE_BYTES`. A last line without line break counts once it is a whole JSON document.
    Raises OSError where the file cannot be read.
    """
    with open(path, "rb", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        begin = _check_cursor(file, cursor or START, size=size)
        data, end = _read_lines(file, begin, size=size, max_bytes=max(max_bytes, 1))
        rows = [row for line in data.split(b"\n") if line and (row := parse_line(line))]
        has_more = begin < end < size and size - begin > max_bytes
        return rows, (end, *_mark(file, end)), has_more, begin == 0 and bool(cursor and cursor[0])


def subagent_files(transcript_path: str) -> list[str]:
    """The transcripts of the session's subagents, in order of name; empty where there are none."""
    folder = os.path.join(transcript_path.removesuffix(".jsonl"), "subagents")
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return [os.path.join(folder, name) for name in sorted(names) if name.endswith(".jsonl")]


def _check_cursor(file: FileIO, cursor: Cursor, *, size: int) -> int:
    """The offset to read from: the cursor's, or 0 where the bytes around it are no longer the same."""
    offset = cursor[0]
    return offset if 0 < offset <= size and _mark(file, offset) == tuple(cursor[1:]) else 0


def _mark(file: FileIO, offset: int) -> tuple[int, int]:
    if not offset:
        return 0, 0
    size = min(offset, _MARK_BYTES)
    return zlib.crc32(_read_at(file, 0, size)), zlib.crc32(_read_at(file, offset - size, size))


def _read_at(file: FileIO, offset: int, size: int) -> bytes:
    file.seek(offset)
    parts: list[bytes] = []
    while size > 0 and (part := file.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _read_lines(file: FileIO, begin: int, *, size: int, max_bytes: int) -> tuple[bytes, int]:
    """(whole lines from `begin`, offset behind them); a gigantic line gives no bytes, an open one no way."""
    data = _read_at(file, begin, max_bytes)
    if b"\n" not in data and begin + len(data) < size:
        end = _find_line_end(file, begin + len(data))
        if end - begin > MAX_LINE_BYTES:
            return b"", end
        data = _read_at(file, begin, end - begin if end else MAX_LINE_BYTES)
    taken = data.rfind(b"\n") + 1
    if begin + len(data) >= size and _is_document(data[taken:]):
        taken = len(data)
    return data[:taken], begin + taken


def _find_line_end(file: FileIO, at: int) -> int:
    """The offset behind the next line break; 0 where none follows."""
    while block := _read_at(file, at, _BLOCK_BYTES):
        found = block.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(block)
    return 0


def _is_document(rest: bytes) -> bool:
    if not rest.rstrip().endswith(b"}"):
        return False
    try:
        return isinstance(loads(rest), dict)
    except ValueError:
        return False
