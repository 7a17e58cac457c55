"""Long texts of the log, compressed: the conversation is by far the largest part of a store.

In SQL the function `plain(column)` gives the text back.
"""

from __future__ import annotations

MIN_PACKED_CHARS = 120
_RAW = -15  # a deflate stream without header and checksum


def pack_text(text: str) -> str | bytes:
    """The form a text is stored in: as it is, or as compressed bytes where that is shorter."""
    if len(text) < MIN_PACKED_CHARS:
        return text
    import zlib

    data = text.encode("utf-8", "replace")
    packer = zlib.compressobj(9, zlib.DEFLATED, _RAW, 9)
    packed = packer.compress(data) + packer.flush()
    return packed if len(packed) < len(data) else text


def unpack_text(stored: str | bytes) -> str:
    """The text of a stored form. Raises `zlib.error` for bytes that are none."""
    if isinstance(stored, str):
        return stored
    import zlib

    return zlib.decompress(stored, _RAW).decode("utf-8", "replace")
