"""A file of vectors that lie together: written once, read at its places, never changed but to forget.

64 bytes of header (`EGSEG001`, u32 dims, u32 rows, u32 bytes of a plane), dims planes (bit s of plane i is
the sign bit of component i in slot s), then rows of u32 record id and dims bytes. Little-endian.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FOLDER = "vectors"
MAGIC = b"EGSEG001"
HEADER_BYTES = 64
ID_BYTES = 4
_WORD_BYTES = 8
_ONE_READ_BYTES = 128 << 10
_BINARY = getattr(os, "O_BINARY", 0)


def file_path(data: str, uid: str) -> str:
    """The file of a segment in the data folder."""
    return os.path.join(data, FOLDER, f"{uid}.seg")


def plane_size(row_count: int) -> int:
    """The bytes of one plane: whole words of eight."""
    return (row_count + 63) // 64 * _WORD_BYTES


class Segment:
    """An open segment. Raises `OSError` where the file is gone, `ValueError` where it is not as expected."""

    def __init__(
        self, path: str, *, segment_id: int, row_count: int, dims: int, can_write: bool = False
    ) -> None:
        self.id = segment_id
        self.row_count = row_count
        self._dims = dims
        self._plane_bytes = plane_size(row_count)
        self._row_bytes = ID_BYTES + dims
        self._rows_at = HEADER_BYTES + dims * self._plane_bytes
        self._fd = os.open(path, (os.O_RDWR if can_write else os.O_RDONLY) | _BINARY)
        expected = make_header(dims, row_count), self._rows_at + row_count * self._row_bytes
        if (self._read(HEADER_BYTES, 0), os.fstat(self._fd).st_size) != expected:
            self.close()
            raise ValueError(f"{path} is not the segment it should be")

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def read_planes(self, components: Iterable[int]) -> Iterator[bytes]:
        """The planes of components in their order, each of `row_count` bits, padded with zeros."""
        size = self._plane_bytes
        if self._dims * size > _ONE_READ_BYTES:
            for at in components:
                yield self._read(size, HEADER_BYTES + at * size)
        else:
            everything = self._read(self._dims * size, HEADER_BYTES)
            for at in components:
                yield everything[at * size : (at + 1) * size]

    def read_rows(self, slots: Sequence[int]) -> list[tuple[int, bytes]]:
        """(record id, stored vector) of slots in their order."""
        size, start = self._row_bytes, self._rows_at
        rows = [self._read(size, start + slot * size) for slot in slots]
        return [(int.from_bytes(row[:ID_BYTES], "little"), row[ID_BYTES:]) for row in rows]

    def read_all_rows(self) -> bytes:
        """All rows, one behind the other, each of a record id and a stored vector."""
        return self._read(self.row_count * self._row_bytes, self._rows_at)

    def erase(self, record_id: int) -> int:
        """Overwrite what is held of a record with zeros; returns in how many slots it was."""
        rows = self.read_all_rows()
        wanted = record_id.to_bytes(ID_BYTES, "little")
        slots = [
            slot
            for slot in range(self.row_count)
            if rows[slot * self._row_bytes : slot * self._row_bytes + ID_BYTES] == wanted
        ]
        for slot in slots:
            self._write(b"\0" * self._row_bytes, self._rows_at + slot * self._row_bytes)
            for component in range(self._dims):
                place = HEADER_BYTES + component * self._plane_bytes + slot // 8
                byte = self._read(1, place)[0] & ~(1 << slot % 8)
                self._write(bytes([byte]), place)
        if slots:
            os.fsync(self._fd)
        return len(slots)

    def _read(self, size: int, offset: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._fd, size, offset)
        os.lseek(self._fd, offset, os.SEEK_SET)
        return os.read(self._fd, size)

    def _write(self, content: bytes, offset: int) -> None:
        os.lseek(self._fd, offset, os.SEEK_SET)
        os.write(self._fd, content)


def make_header(dims: int, row_count: int) -> bytes:
    """The first bytes of a segment's file."""
    numbers = (dims, row_count, plane_size(row_count))
    return (MAGIC + b"".join(number.to_bytes(4, "little") for number in numbers)).ljust(HEADER_BYTES, b"\0")


def write_segment(path: str, parts: Iterable[bytes]) -> None:
    """Write a segment's file as a whole (header, planes, rows) and bring it to the disk. Raises `OSError`."""
    folder = os.path.dirname(path)
    if not os.path.isdir(folder):
        os.mkdir(folder, 0o700)
    temporary = f"{path}.{os.getpid()}.tmp"
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY, 0o600)
    try:
        with os.fdopen(fd, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
