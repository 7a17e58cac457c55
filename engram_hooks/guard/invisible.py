"""Characters that nobody sees: which go, and which a script or an emoji needs where it stands."""

from __future__ import annotations

_INTRODUCERS = "\x1b\x9b\x9d"
_MAX_STRING_CHARS = 4096
# Zero width, fillers, soft hyphen, directional overrides and isolates, annotations.
_INVISIBLE = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u3164\ufeff\uffa0"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f\ufff9\ufffa\ufffb"
)
_FLAG_REGIONS = ("gbeng", "gbsct", "gbwls")


def strip_escapes(text: str) -> str:
    """`text` without terminal escape sequences: CSI, OSC and the like, two-character ones."""
    out: list[str] = []
    i, end = 0, len(text)
    while i < end:
        char = text[i]
        if char not in _INTRODUCERS:
            start = i
            while i < end and text[i] not in _INTRODUCERS:
                i += 1
            out.append(text[start:i])
            continue
        kind = "[" if char == "\x9b" else "]" if char == "\x9d" else text[i + 1 : i + 2]
        i += 1 if char != "\x1b" or kind in ("\n", "\r") else 2
        if kind == "[":
            while i < end and " " <= text[i] <= "?":
                i += 1
            i += 1 if i < end and "@" <= text[i] <= "~" else 0
        elif kind and kind in "]PX^_":
            i = _skip_string(text, i)
    return "".join(out)


def strip_characters(text: str) -> str:
    """`text` without controls and invisible characters; joiners and selectors stay where they do their work.

    Lone surrogates become the replacement character. Line breaks and tabs stay.
    """
    out: list[str] = []
    i, end = 0, len(text)
    has_rtl = any("\u0590" <= c <= "\u08ff" for c in text)
    before = ""
    while i < end:
        char = text[i]
        i += 1
        if char == "\U0001f3f4" and (region := _read_region(text, i)):
            out.append(char + region)
            before, i = region[-1], i + len(region)
            continue
        if not (" " <= char <= "~" or char in "\n\t"):
            if char in "\u200e\u200f":
                if not has_rtl:
                    continue
            elif not _is_kept(char, before, text[i : i + 1]):
                continue
        before = "\ufffd" if "\ud800" <= char <= "\udfff" else char
        out.append(before)
    return "".join(out)


def _skip_string(text: str, at: int) -> int:
    """Where an OSC or device string that began at `at` is over; an unended one is over at the line's end."""
    end = min(len(text), at + _MAX_STRING_CHARS)
    for i in range(at, end):
        if text[i] in "\x07\x9c":
            return i + 1
        if text[i] == "\x1b":
            return i + 2 if text[i + 1 : i + 2] == "\\" else i
        if text[i] == "\n":
            return i
    return end


def _read_region(text: str, at: int) -> str:
    """The tag characters behind a black flag where they spell one of the three regional flags, else ""."""
    letters = "".join(chr(ord(c) - 0xE0000) for c in text[at : at + 5] if "\U000e0061" <= c <= "\U000e007a")
    return text[at : at + 6] if letters in _FLAG_REGIONS and text[at + 5 : at + 6] == "\U000e007f" else ""


def _is_kept(char: str, before: str, after: str) -> bool:
    """Whether a character beyond plain ASCII may stay between these neighbours."""
    code = ord(char)
    if code < 0xA0 or char in _INVISIBLE or 0xE0000 <= code <= 0xE00FF:
        return False
    if code in (0x200C, 0x200D):
        return _joins(before, after, is_zwj=code == 0x200D)
    if 0xFE00 <= code <= 0xFE0F:
        is_selector = "\ufe00" <= before <= "\ufe0f"
        return (before > "\x7f" and not is_selector) or (code == 0xFE0F and after == "\u20e3")
    if 0xE0100 <= code <= 0xE01EF:
        return "\u3400" <= before <= "\u9fff" or "\U00020000" <= before <= "\U0003ffff"
    return True


def _joins(before: str, after: str, *, is_zwj: bool) -> bool:
    """Whether a joiner stands where a script with joined letters or an emoji sequence needs it."""
    if not before:
        return False
    code = ord(before)
    if (
        0x0600 <= code <= 0x1CFF
        or 0xFB50 <= code <= 0xFDFF
        or 0xA800 <= code <= 0xABFF
        or 0xFE70 <= code <= 0xFEFE
    ):
        return True
    if not is_zwj or not after:
        return False
    is_pictograph = code >= 0x1F000 or 0x2190 <= code <= 0x2BFF or code == 0xFE0F
    return is_pictograph and (after >= "\U0001f000" or "\u2190" <= after <= "\u2bff")
