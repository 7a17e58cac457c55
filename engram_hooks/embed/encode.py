"""Text as a vector: the sum of its tokens' rows in a flat file, read row by row at their places.

The file holds a table of rows x dims int8 behind a hash table of tokens: 64 bytes of header (`EGEMB001`,
u32 dims, u32 rows, u32 slots), slots x u64 (40 bits of fingerprint, 24 bits of row + 1; open addressing),
dims x int16 centre (256 x the mean of the rows' means), rows x dims bytes (int8 + 128). Little-endian.

Stored vectors are bytes: 128 + the unit vector times `scale_of(dims)`. Their sign bits say which components
lie above those of a middling text.
"""

from __future__ import annotations

import os

from engram_hooks.embed.words import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

BUNDLED_PATH = os.path.join(os.path.dirname(__file__), "data", "engram-embed.bin")
MAGIC = b"EGEMB001"
MAX_TOKENS = 512
MAX_WORD_CHARS = 100
# how long the mean of a text's rows typically is: the centre is in units of rows
ROW_MEAN_LENGTH = 128
_HEADER_BYTES = 64
_PROBE_BYTES = 64
_PRIME, _FACTOR = (1 << 61) - 1, 0x9E3779B97F4A7C15
_FINGERPRINT_SHIFT, _ROW_BITS = 21, 24
_MAX_LANE_SUMS = 255
_SCALE = 30.0


class Table:
    """An open table; `dims` is the length of its vectors. Raises `OSError`, `ValueError` for another file."""

    def __init__(self, path: str) -> None:
        self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0))
        head = self._read(_HEADER_BYTES, 0)
        if head[:8] != MAGIC:
            self.close()
            raise ValueError(f"{path} is no table of vectors")
        self.dims, self.row_count, self._slot_count = (
            int.from_bytes(head[at : at + 4], "little") for at in (8, 12, 16)
        )
        self._centre_at = _HEADER_BYTES + 8 * self._slot_count
        self._rows_at = self._centre_at + 2 * self.dims
        self._lanes = int.from_bytes(b"\xff\0" * (self.dims // 2), "little")
        self._known: dict[str, int] = {}

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def encode(self, text: str, *, max_tokens: int = MAX_TOKENS) -> list[int]:
        """The sum of the rows of the first tokens of a text; empty where the table knows none of them."""
        rows = self.find_rows(text, max_tokens=max_tokens)
        return self.sum_rows(rows) if rows else []

    def find_rows(self, text: str, *, max_tokens: int = MAX_TOKENS) -> list[int]:
        """The rows of a text's tokens in order; words that the table does not know are left out."""
        rows: list[int] = []
        for word in split_words(text):
            if len(word) <= MAX_WORD_CHARS:
                row = self.find_row(word)
                rows += [row] if row >= 0 else self._cut(word)
            if len(rows) >= max_tokens:
                return rows[:max_tokens]
        return rows

    def find_row(self, token: str) -> int:
        """The row of a token (`##ing` inside of a word), -1 where there is none."""
        known = self._known.get(token)
        if known is None:
            known = self._known[token] = self._look_up(token)
        return known

    def sum_rows(self, rows: Sequence[int]) -> list[int]:
        """The sum of rows: `dims` whole numbers."""
        total: list[int] = []
        for start in range(0, len(rows), _MAX_LANE_SUMS):
            part = self._sum_lanes(rows[start : start + _MAX_LANE_SUMS])
            total = [a + b for a, b in zip(total, part, strict=True)] if total else part
        return total

    def read_centre(self) -> list[int]:
        """256 x the mean vector of many texts, in units of rows."""
        return memoryview(self._read(2 * self.dims, self._centre_at)).cast("h").tolist()

    def read_rows(self) -> bytes:
        """All rows, one behind the other, as they stand in the file (int8 + 128)."""
        return self._read(self.row_count * self.dims, self._rows_at)

    def _sum_lanes(self, rows: Sequence[int]) -> list[int]:
        """The sum of up to 255 rows; even and odd bytes are added apart, in lanes of 16 bits."""
        even = odd = 0
        dims, lanes, start = self.dims, self._lanes, self._rows_at
        for row in rows:
            number = int.from_bytes(self._read(dims, start + row * dims), "little")
            even += number & lanes
            odd += (number >> 8) & lanes
        offset = 128 * len(rows)
        out = [0] * dims
        out[0::2] = [value - offset for value in memoryview(even.to_bytes(dims, "little")).cast("H")]
        out[1::2] = [value - offset for value in memoryview(odd.to_bytes(dims, "little")).cast("H")]
        return out

    def _cut(self, word: str) -> list[int]:
        """The rows of the longest pieces of a word from left to right; none where a rest stays unknown."""
        rows: list[int] = []
        start, size = 0, len(word)
        while start < size:
            mark = "##" if start else ""
            for end in range(size, start, -1):
                row = self.find_row(mark + word[start:end])
                if row >= 0:
                    break
            else:
                return []
            rows.append(row)
            start = end
        return rows

    def _look_up(self, token: str) -> int:
        slot, wanted = place_token(token, self._slot_count)
        last = self._slot_count - 1
        while True:
            probe = self._read(min(_PROBE_BYTES, 8 * (last + 1 - slot)), _HEADER_BYTES + 8 * slot)
            for at in range(0, len(probe), 8):
                entry = int.from_bytes(probe[at : at + 8], "little")
                if not entry:
                    return -1
                if entry >> _ROW_BITS == wanted:
                    return (entry & ((1 << _ROW_BITS) - 1)) - 1
            if not probe:
                raise ValueError("the table of vectors is cut off")
            slot = (slot + len(probe) // 8) & last

    def _read(self, size: int, offset: int) -> bytes:
        if hasattr(os, "pread"):
            return os.pread(self._fd, size, offset)
        os.lseek(self._fd, offset, os.SEEK_SET)
        return os.read(self._fd, size)


def place_token(token: str, slot_count: int) -> tuple[int, int]:
    """(the slot to look at first, the fingerprint found there) of a token; `slot_count` is a power of two."""
    number = int.from_bytes(token.encode("utf-8", "surrogatepass"), "little") * _FACTOR % _PRIME
    return number & (slot_count - 1), number >> _FINGERPRINT_SHIFT


def normalise(sums: Sequence[float]) -> list[float]:
    """The vector of length 1 in the same direction; empty for an empty one or zeros."""
    length = sum(value * value for value in sums) ** 0.5
    return [value / length for value in sums] if length else []


def scale_of(dims: int) -> float:
    """What a unit vector is multiplied with before rounding: its components are about 30 then."""
    scale: float = _SCALE * dims**0.5
    return scale


def quantise(unit: Sequence[float]) -> bytes:
    """A unit vector as it is stored: one byte a component."""
    scale = scale_of(len(unit))
    return bytes(min(255, max(1, round(value * scale) + 128)) for value in unit)


def middle_of(centre: Sequence[int]) -> bytes:
    """The bytes above which a stored component counts as positive, from the centre of a table."""
    scale = scale_of(len(centre)) / (256 * ROW_MEAN_LENGTH)
    return bytes(min(255, max(1, round(value * scale) + 128)) for value in centre)


def sign_bits(stored: bytes, middle: bytes) -> int:
    """The sign bits of a stored vector: bit i is set where component i lies above the middle."""
    bits = ["1" if value > bound else "0" for value, bound in zip(stored, middle, strict=True)]
    return int("".join(reversed(bits)) or "0", 2)
