"""Long texts of the log, compressed: the conversation is by far the largest part of a store.

In SQL the function `plain(column)` gives the text back.
"""

from __future__ import annotations

MIN_PACKED_CHARS = 120
# Deflate streams without header and checksum; a small window for small texts spares clearing a large one.
_RAW, _RAW_SMALL = -15, -12


def pack_text(text: str) -> str | bytes:
    """The form a text is stored in: as it is, or as compressed bytes where that is shorter."""
    if len(text) < MIN_PACKED_CHARS:
        return text
    import zlib

    data = text.encode("utf-8", "replace")
    window, memory = (_RAW_SMALL, 6) if len(data) <= 1 << -_RAW_SMALL else (_RAW, 8)
    packer = zlib.compressobj(6, zlib.DEFLATED, window, memory)
    packed = packer.compress(data) + packer.flush()
    return packed if len(packed) < len(data) else text


def unpack_text(stored: str | bytes) -> str:
    """The text of a stored form. Raises `zlib.error` for bytes that are none."""
    if isinstance(stored, str):
        return stored
    import zlib

    return zlib.decompress(stored, _RAW).decode("utf-8", "replace")
