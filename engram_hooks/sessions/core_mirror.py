"""The Markdown files of the core blocks: written behind each change, read again when a person edited them."""

from __future__ import annotations

import os
import time
from zlib import adler32, crc32

from engram_hooks.errors import StoreError
from engram_hooks.paths import make_private_dir
from engram_hooks.sessions.core_lines import find_fault, parse_file, render_file
from engram_hooks.store import settings
from engram_hooks.store.core import (
    BLOCKS,
    list_stamps,
    note_file,
    read_block,
    read_lines,
    write_block,
)
from engram_hooks.store.meta import post_notice
from engram_hooks.store.settings import stamp_of
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

FOLDER = "core"
FILES = {"user": "USER.md", "agent": "AGENT.md"}  # as sessions.pack names them
CONFLICTS = {"user": "USER.conflict.md", "agent": "AGENT.conflict.md"}
MAX_BYTES = 64 << 10
_MISSING = (-1, 0)


def file_of(data: str, block: str) -> str:
    """The path of a block's file."""
    return os.path.join(data, FOLDER, FILES[block])


def conflict_of(data: str, block: str) -> str:
    """The path of the file that holds what lost where file and store were both changed."""
    return os.path.join(data, FOLDER, CONFLICTS[block])


def cap_of(knobs: Mapping[str, object], block: str) -> int:
    """The characters that a block may have."""
    return int(str(knobs[f"core.{block}_chars"]))


def settle_files(db: Connection, data: str, knobs: Mapping[str, object], *, now_ms: int) -> None:
    """Take over what a person wrote into the files, and write those that are behind the store.

    What cannot be taken over stays in the file; a notice says so once. Raises `StoreError`, `OSError`.
    """
    for block in BLOCKS:
        path = file_of(data, block)
        stamp = stamp_of(path)
        _, version, mirror_version, _, known, _ = read_block(db, block)
        if stamp == known and mirror_version == version:
            continue
        with Transaction(db):
            _settle(db, data, block, cap_of(knobs, block), now_ms=now_ms)


def settle_quietly(db: Connection, data: str, knobs: Mapping[str, object], *, now_ms: int) -> None:
    """The same for those who have something else to do: files and a store that do not let us wait."""
    try:
        settle_files(db, data, knobs, now_ms=now_ms)
    except (OSError, StoreError):
        return


def settle_core(db: Connection, data: str, environ: Mapping[str, str]) -> None:
    """The same for the worker: nothing but a look where no file was changed."""
    if is_touched(db, data):
        settle_quietly(db, data, settings.read(db, 0, environ), now_ms=int(time.time() * 1000))


def is_touched(db: Connection, data: str) -> bool:
    """Whether a file is not as it was looked at last, or behind the store. Costs a query and two looks at a folder."""
    known = list_stamps(db)
    return any(
        known.get(block, (_MISSING, True)) != (stamp_of(file_of(data, block)), True) for block in BLOCKS
    )


def write_file(
    db: Connection, data: str, block: str, cap: int, *, over: tuple[int, int] | None = None
) -> bool:
    """Bring a block's file to what the store says; False, and nothing is written, where it was changed meanwhile.

    `over` is the size and time of the file that may be written over, without it those it was looked at last with.
    Raises `OSError` where it cannot be written.
    """
    with Transaction(db):
        text, version, _, _, known, _ = read_block(db, block)
        if stamp_of(file_of(data, block)) not in (_MISSING, over or known):
            return False
        content = render_file(block, text.split("\n") if text else [], cap)
        stamp = _replace(file_of(data, block), content)
        note_file(db, block, stamp, version=version, file_hash=hash_text(content))
    return True


def acknowledge(db: Connection, data: str) -> None:
    """Take the files that say what the store says for its own, whoever wrote them."""
    for block in BLOCKS:
        path = file_of(data, block)
        stamp = stamp_of(path)
        try:
            content = read_file(path)
        except OSError:
            continue
        if content is not None and parse_file(content) == read_lines(db, block):
            version = read_block(db, block)[1]
            note_file(db, block, stamp, version=version, file_hash=hash_text(content))


def follow_store(db: Connection, data: str, knobs: Mapping[str, object]) -> None:
    """Bring all files to what another store says, as after a restore; what they said goes to the conflict files."""
    for block in BLOCKS:
        path = file_of(data, block)
        stamp, content, cap = stamp_of(path), read_file(path), cap_of(knobs, block)
        lines, version = read_lines(db, block), read_block(db, block)[1]
        if content is not None and parse_file(content) != lines:
            os.replace(path, conflict_of(data, block))
        if version:
            write_file(db, data, block, cap, over=stamp)


def find_pending(db: Connection, data: str, block: str, cap: int) -> str:
    """Why what stands in a block's file is not taken over; '' where it is."""
    try:
        content = read_file(file_of(data, block))
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    if content is None or hash_text(content) == read_block(db, block)[3]:
        return ""
    return _find_fault(content, cap)


def read_file(path: str) -> str | None:
    """The text of a file, at most `MAX_BYTES` and one byte more; None where there is none. Raises `OSError`."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES + 1).decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None


def hash_text(text: str) -> str:
    """A text in some twenty characters."""
    data = text.encode("utf-8", "surrogatepass")
    return f"{len(data):x}-{crc32(data):08x}{adler32(data):08x}"


def _settle(db: Connection, data: str, block: str, cap: int, *, now_ms: int) -> None:
    """One block, inside a transaction: nobody else writes its row meanwhile."""
    path = file_of(data, block)
    stamp, content = stamp_of(path), read_file(path)
    _, version, mirror_version, mirror_hash, known, changed_at = read_block(db, block)
    if content is None:
        if version:
            write_file(db, data, block, cap, over=stamp)
        return
    if hash_text(content) == mirror_hash:
        if mirror_version == version:
            note_file(db, block, stamp)
        else:
            write_file(db, data, block, cap, over=stamp)
        return
    if stamp == known:
        return  # looked at before, and not taken over
    if fault := _find_fault(content, cap):
        slug = f"core-{block}-{hash_text(content)}"
        post_notice(db, slug, f"core memory: {FILES[block]} is not taken over, {fault} ({path})")
        if not version:
            return  # nothing to note it in: each command looks again, the notice is told once
        note_file(db, block, stamp)
        return
    reason = f"edited in {FILES[block]}"
    ours, lines = read_lines(db, block), parse_file(content)
    taken = write_block(db, block, lines, actor="person", action="edit file", now_ms=now_ms, reason=reason)
    if version != mirror_version:
        if taken != version:
            is_newer = stamp[1] // 1_000_000 >= changed_at
            _settle_conflict(db, data, block, ours, is_file_newer=is_newer, now_ms=now_ms)
        write_file(db, data, block, cap, over=stamp)
    elif all(line in content for line in lines):
        note_file(db, block, stamp, version=taken, file_hash=hash_text(content))
    else:  # a secret was taken out, or a character that nobody sees
        write_file(db, data, block, cap, over=stamp)


def _settle_conflict(
    db: Connection, data: str, block: str, ours: list[str], *, is_file_newer: bool, now_ms: int
) -> None:
    """Both were changed, and the file's text was just taken: it stays where it is newer, the other one is kept aside.

    `ours` is what the store said before.
    """
    what = "file and store were both changed"
    lost, note = ours, "the file's text, which is newer, was taken"
    if not is_file_newer:
        lost, note = read_lines(db, block), "the store's text, which is newer, stays"
        write_block(db, block, ours, actor="engram", action="keep", now_ms=now_ms, reason=what)
    path = conflict_of(data, block)
    _replace(path, f"<!-- {what}, {note}. This is the other one. -->\n\n" + "".join(f"- {x}\n" for x in lost))
    post_notice(db, f"core-conflict-{block}-{now_ms}", f"core memory: {what}, {note}; the other is in {path}")


def _find_fault(content: str, cap: int) -> str:
    if len(content.encode("utf-8", "replace")) > MAX_BYTES:
        return f"it is larger than {MAX_BYTES >> 10} KB"
    return find_fault(parse_file(content), cap)


def _replace(path: str, content: str) -> tuple[int, int]:
    """Put a text in place of a private file in one step, of a link in place of what it leads to.

    Returns (size, mtime in ns) of what was written, whatever happens to it afterwards.
    """
    path = os.path.realpath(path)
    make_private_dir(os.path.dirname(path))
    part = f"{path}.{os.getpid()}.part"
    fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(content.encode("utf-8", "replace"))
        found = os.stat(part)
        os.replace(part, path)
    except OSError:
        os.unlink(part)
        raise
    return found.st_size, found.st_mtime_ns
