"""Read what `git log` prints, commit by commit, in bounded memory.

A commit is: `\\x01`, seven fields that end with NUL (no field can hold one), raw entries (`:...`, paths end with
NUL), then the patch. Only inside a patch is the next commit searched for, as a line that begins with `\\x01`:
lines of a patch begin with one of `+-\\@ ` or a word of git's, and git quotes the names in them. So no message,
name or file can pose as the start of a commit.
"""

from __future__ import annotations

import re
from typing import IO, TYPE_CHECKING

from engram_hooks.errors import EngramError
from engram_hooks.history import patch
from engram_hooks.history.changes import Commit, FileChange, Hunk, MergedFile

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = "%x01%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00%B%x00"
READ_BYTES = 1 << 18
MAX_FILE_BYTES = 4 << 20  # of one file's patch; beyond, its texts are left out
MAX_COMMIT_BYTES = 24 << 20  # of one commit's patch

_HEAD = re.compile(
    rb"[\0\n]*\x01([0-9a-f]+)\0([0-9a-f ]*)\0([^\0]*)\0([^\0]*)\0([^\0]*)\0([^\0]*)\0([^\0]*)\0[\0\n]*"
)
_ENTRY = re.compile(
    rb":(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) (?:([ADMTUX])\d*\0([^\0]*)\0|([RC])\d*\0([^\0]*)\0([^\0]*)\0)"
)
_MERGED = re.compile(rb":(:+)((?:\d+ )+)((?:[0-9a-f]+ )+)([A-Z]+)\0([^\0]*)\0")
_LINKS = b"120000", b"160000"
_MIN_MS, _MAX_MS = -62_135_596_800_000, 253_402_300_799_000


class LogReader:
    """The commits of an output of `git log` with `FORMAT` (see `walk.make_arguments`)."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._buffer = b""
        self._at = 0
        self._is_ended = False

    def read(self) -> Iterator[Commit]:
        """Commit after commit. Raises `EngramError` where the output is not what git prints."""
        while (fields := self._read_head()) is not None:
            entries, merged = self._read_entries()
            sections = self._read_patch() if entries or merged else []
            yield _make_commit(fields, _join(entries, sections), _join_merged(merged, sections))

    def _fill(self) -> bool:
        """Read on; whether something came."""
        if self._is_ended:
            return False
        more = self._stream.read(READ_BYTES)
        self._is_ended = not more
        self._buffer = self._buffer[self._at :] + more
        self._at = 0
        return bool(more)

    def _read_head(self) -> tuple[bytes, ...] | None:
        while True:
            found = _HEAD.match(self._buffer, self._at)
            # what follows tells whether there are entries: it must be here, too
            if found and (found.end() < len(self._buffer) or self._is_ended):
                self._at = found.end()
                return found.groups()
            if not self._fill():
                if self._is_ended and found is None and self._buffer[self._at :].strip(b"\0\n"):
                    raise EngramError("git log ended within a commit")
                if found is None:
                    return None

    def _read_entries(self) -> tuple[list[tuple[bytes, ...]], list[tuple[bytes, ...]]]:
        entries: list[tuple[bytes, ...]] = []
        merged: list[tuple[bytes, ...]] = []
        while True:
            while self._at >= len(self._buffer) and self._fill():
                pass
            if self._buffer[self._at : self._at + 1] != b":":
                return entries, merged
            if found := _ENTRY.match(self._buffer, self._at):
                status, path = found[5] or found[7], found[6] if found[5] else found[9]
                entries.append((*found.group(1, 2, 3, 4), status, found[8] or path, path))
            elif found := _MERGED.match(self._buffer, self._at):
                merged.append(found.group(2, 3, 5))
            elif self._fill():
                continue
            else:
                raise EngramError("git log ended within the list of a commit's files")
            self._at = found.end()

    def _read_patch(self) -> list[Section]:
        """The files of a patch in order."""
        sections: list[Section] = []
        while self._buffer[self._at : self._at + 1] in (b"\0", b"\n"):
            self._at += 1
            if self._at >= len(self._buffer) and not self._fill():
                return sections
        if self._buffer[self._at : self._at + 1] == b"\x01":
            return sections
        spent, scanned = 0, 0  # scanned: how much from here on holds no end
        while True:
            end = self._buffer.find(b"\n\x01", self._at + scanned)
            if end >= 0 or self._is_ended:
                part = self._buffer[self._at : end if end >= 0 else len(self._buffer)]
                self._at += len(part) + (end >= 0)
                _add_part(sections, part.removesuffix(b"\n"), is_kept=spent + len(part) <= MAX_COMMIT_BYTES)
                return sections
            if len(self._buffer) - self._at > MAX_FILE_BYTES:
                spent += self._spend(sections, is_kept=spent <= MAX_COMMIT_BYTES)
            scanned = max(0, len(self._buffer) - self._at - 1)
            self._fill()

    def _spend(self, sections: list[Section], *, is_kept: bool) -> int:
        """Take what is complete out of the buffer: whole files, else whole lines of one that is too large."""
        border = self._buffer.rfind(b"\ndiff --", self._at)
        if border < 0:
            border, is_kept = self._buffer.rfind(b"\n", self._at), False
        if border >= 0:
            _add_part(sections, self._buffer[self._at : border], is_kept=is_kept)
            spent = border + 1 - self._at
            self._at = border + 1
            return spent
        # within a very long line: what is dropped of it holds no end, and the rest still is no start of one
        spent = len(self._buffer) - self._at
        self._buffer, self._at = b"+", 0
        return spent


class Section:
    """What a patch says of one file; `text` is empty where it was too large to keep (`is_cut`)."""

    __slots__ = "hunks", "is_cut", "text"

    def __init__(self, text: bytes) -> None:
        self.text = text
        self.hunks: list[Hunk] = []
        self.is_cut = False


def _add_part(sections: list[Section], part: bytes, *, is_kept: bool) -> None:
    """Split whole lines of a patch into its files; the first lines may belong to a file begun before."""
    pieces = (b"\n" + part).split(b"\ndiff --")
    if pieces[0] and sections:
        sections[-1].hunks += patch.parse_positions(pieces[0][1:])
    for piece in pieces[1:]:
        section = Section(piece)
        if not is_kept or len(piece) > MAX_FILE_BYTES:
            section.text, section.is_cut = b"", True
            section.hunks += patch.parse_positions(piece)
        sections.append(section)


def _join(entries: list[tuple[bytes, ...]], sections: list[Section]) -> tuple[FileChange, ...]:
    """The changed files with their hunks; a change of type has two parts in the patch: old gone, new there."""
    changes: list[FileChange] = []
    rest = iter(sections)
    if sum(1 + (entry[4] == b"T") for entry in entries) != len(sections):
        rest = iter(())  # never seen; then no lines rather than those of another file
    for old_mode, mode, old_blob, blob, status, old_path, path in entries:
        section = next(rest, None)
        if status == b"T":
            section = next(rest, None)
        is_link = mode in _LINKS or (old_mode in _LINKS and status != b"T")
        hunks: tuple[Hunk, ...] = ()
        has_lines = False
        if section is not None and not is_link:
            hunks, has_lines = _read_section(section)
        changes.append(
            FileChange(
                status.decode(),
                decode_path(old_path),
                decode_path(path),
                hunks,
                not has_lines,
                is_cut=section is not None and section.is_cut,
                old_blob=_name_blob(old_blob, old_mode),
                blob=_name_blob(blob, mode),
                old_mode=old_mode.decode(),
                mode=mode.decode(),
            )
        )
    return tuple(_find_swaps(changes) if len(changes) > 1 else changes)


def _find_swaps(changes: list[FileChange]) -> list[FileChange]:
    """Files that took over just what another changed file held before are renames, which git does not look for."""
    before = {change.old_blob: change.path for change in changes if change.status == "M" and change.old_blob}
    if not any(change.status == "M" and change.blob in before for change in changes):
        return changes
    return [
        change._replace(
            status="R", old_path=before[change.blob], hunks=(), is_binary=False, old_blob=change.blob
        )
        if change.status == "M" and before.get(change.blob, change.path) != change.path and change.hunks
        else change
        for change in changes
    ]


def _read_section(section: Section) -> tuple[tuple[Hunk, ...], bool]:
    if not section.is_cut:
        return patch.parse_file(section.text)
    if len(section.hunks) > patch.MAX_HUNKS:
        return (), False
    return tuple(section.hunks), True


def _join_merged(merged: list[tuple[bytes, ...]], sections: list[Section]) -> tuple[MergedFile, ...]:
    """The files that a merge made its own, with the hunks to each parent where git shows lines."""
    files: list[MergedFile] = []
    if len(merged) != len(sections):
        return ()
    for (modes, blobs, path), section in zip(merged, sections, strict=True):
        *old_modes, mode = modes.split()
        *old_blobs, blob = blobs.split()
        sides = None if section.is_cut else patch.parse_combined(section.text, len(old_blobs))
        if sides is not None and mode not in _LINKS:
            names = tuple(map(_name_blob, old_blobs, old_modes))
            files.append(MergedFile(decode_path(path), _name_blob(blob, mode), names, sides))
    return tuple(files)


def decode_path(path: bytes) -> str:
    """A path in a form that `os.fsencode` turns back into the same bytes on systems whose names are bytes."""
    return path.decode("utf-8", "surrogateescape")


def _name_blob(name: bytes, mode: bytes) -> str:
    return "" if mode == b"160000" or not name.strip(b"0") else name.decode()


def _make_commit(
    fields: tuple[bytes, ...], changes: tuple[FileChange, ...], merged: tuple[MergedFile, ...]
) -> Commit:
    name, parents, author, email, authored, committed, message = fields
    return Commit(
        name.decode(),
        tuple(parents.decode().split()),
        author.decode("utf-8", "replace"),
        _read_moment(authored),
        _read_moment(committed),
        message.decode("utf-8", "replace").rstrip("\n"),
        changes,
        email.decode("utf-8", "replace"),
        merged,
    )


def _read_moment(seconds: bytes) -> int:
    """Seconds since 1970 as ms; what git cannot read (it prints nothing then) counts as 1970."""
    try:
        return min(max(int(seconds) * 1000, _MIN_MS), _MAX_MS)
    except ValueError:
        return 0
