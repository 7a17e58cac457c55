"""Secret-shaped strings, put together at run time: none of them is or was anybody's."""

from __future__ import annotations

MIXED = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6" * 3
DIGITS = "8273645190" * 8
HEX = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08" * 2
CAPITALS = "Q7ZR2K4M8WT1X9B3" * 3
PASSWORD = "q7" + "Zr2-no" + "T_real9"
RANDOM = "k3Jd" + "92LmQx" + "7PzR4t" + "Yw8Vb1Nc"


def join(*parts: str) -> str:
    """The parts in a row."""
    return "".join(parts)


def key_block(kind: str, *, newline: str = "\n", lines: int = 6, ends: bool = True) -> str:
    """A private key block whose body is `MIXED`, with `newline` between its lines."""
    body = newline.join([MIXED[:64]] * lines)
    end = newline + join("-----E", "ND ", kind, "-----") if ends else ""
    return join("-----BEG", "IN ", kind, "-----") + newline + body + end
