"""Encoded text inside a text: base64, hexadecimal, escapes, percent signs, binary, rot13, written backwards."""

from __future__ import annotations

import binascii
import re

from engram_hooks.guard.signs import NAMES, TURNED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MIN_CHARS = 8  # of what comes out
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{12,}(?:(?:\\n|[\r\n]+[ \t]{0,8})[A-Za-z0-9+/_-]{8,}){0,400}={0,2}"
)
_BASE64_SPACED = re.compile(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4,76}[ \t]){3,400}[A-Za-z0-9+/]{2,76}={0,2}")
_BASE32 = re.compile(r"(?<![A-Z0-9])[A-Z2-7]{24,}={0,6}")
_HEX = re.compile(
    r"(?<![0-9A-Za-z])(?:0x)?(?:[2-7][0-9a-fA-F]|0[adAD])(?:[ :,;-]{0,2}(?:0x|\\x)?(?:[2-7][0-9a-fA-F]|"
    r"0[adAD])){7,}(?![0-9A-Za-z])"
)
_ESCAPES = re.compile(
    r"(?:(?:\\x[0-9a-fA-F]{2}|\\u\{?00[0-9a-fA-F]{2}\}?|\\u[0-9a-fA-F]{4}|\\U0{4}[0-9a-fA-F]{4}|"
    r"\\[0-7]{3}|%u00[0-9a-fA-F]{2}|&\#x[0-9a-fA-F]{1,6};|&\#[0-9]{1,7};|=[0-9A-F]{2}|"
    r"U\+[0-9A-Fa-f]{4,5})[ ,]?){4,}(?:[\w ]{0,3}(?:\\x[0-9a-fA-F]{2}|&\#[0-9]{1,7};))*"
)
_ESCAPE = re.compile(
    r"\\x([0-9a-fA-F]{2})|\\u\{?([0-9a-fA-F]{4})\}?|\\U0{4}([0-9a-fA-F]{4})|\\([0-7]{3})|"
    r"%u([0-9a-fA-F]{4})|&\#x([0-9a-fA-F]{1,6});|&\#([0-9]{1,7});|=([0-9A-F]{2})|U\+([0-9A-Fa-f]{4,5})"
)
_BASES = (16, 16, 16, 8, 16, 16, 10, 16, 16)
_PERCENT = re.compile(
    r"(?:[\w.~!*'()+,;:@/?&=-]|%[0-9a-fA-F]{2}){0,60}%[0-9a-fA-F]{2}(?:[\w.~!*'()+,;:@/?&=-]|%[0-9a-fA-F]{2})*"
)
_PLUSES = re.compile(r"[A-Za-z0-9']{1,20}(?:[+][A-Za-z0-9'!.,]{1,20}){3,40}")
_BINARY = re.compile(r"(?<![01])0[01]{7}(?:[ ,_-]?0[01]{7}){7,}(?![01])")
_DECIMALS = re.compile(r"(?<!\d)(?:\d{2,3}[ ,;-]{1,2}){8,}\d{2,3}(?!\d)")
_MORSE = re.compile(r"(?:[.\u00b7-]{1,5}[ /|]{1,3}){8,}[.\u00b7-]{1,5}")
_MORSE_CODE = """
    .- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..
""".split()
_ROT13 = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM",
)
_PROSE = re.compile(
    r"(?<![A-Za-z'-])[.]?[A-Za-z'-]{1,40}(?:[ ,.:;!?_/()@\"#&=-]{1,4}[A-Za-z'-]{1,40}){2,80}[.!?]?"
)
_MAX_DECODED = 200_000


def find_payloads(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what it decodes to) of each encoded run that decodes to readable text."""
    table: tuple[tuple[re.Pattern[str], Callable[[str], str], bool], ...] = (
        (_BASE64, _decode_base64, True),
        (_BASE64_SPACED, _decode_base64, " " in text),
        (_BASE32, _decode_base32, True),
        (_HEX, _decode_hex, True),
        (
            _ESCAPES,
            _decode_escapes,
            "\\" in text or "&#" in text or "=" in text or "U+" in text or "%u" in text,
        ),
        (_PERCENT, _decode_percent, "%" in text),
        (_PLUSES, _decode_pluses, "+" in text),
        (_BINARY, _decode_binary, "01" in text),
        (_DECIMALS, _decode_decimals, True),
        (_MORSE, _decode_morse, "-" in text and ". " in text),
    )
    for pattern, decode, is_possible in table:
        if is_possible:
            for match in pattern.finditer(text):
                decoded = decode(match[0])
                if len(decoded) >= MIN_CHARS and _is_readable(decoded):
                    yield (*match.span(), decoded)
    if TURNED.isdisjoint(text.lower().encode("ascii", "replace").translate(NAMES).split()):
        return
    for match in _PROSE.finditer(text):
        words = match[0].lower().encode("ascii", "replace").translate(NAMES).split()
        if not TURNED.isdisjoint(words):
            yield (*match.span(), match[0].translate(_ROT13))
            yield (*match.span(), match[0][::-1])


def _is_readable(decoded: str) -> bool:
    return sum(c.isprintable() or c in "\n\t\r" for c in decoded) >= 0.9 * len(decoded)


def _decode_base64(run: str) -> str:
    body = "".join(run.replace("\\n", "").split()).rstrip("=").replace("-", "+").replace("_", "/")
    for skip in range(4):  # a run that something else is glued to in front
        part = body[skip:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        decoded = _to_text(binascii.a2b_base64(part + "=" * (-len(part) % 4)))
        if len(decoded) >= MIN_CHARS and _is_readable(decoded):
            return decoded
    return ""


def _decode_base32(run: str) -> str:
    import base64

    body = run.rstrip("=")
    body = body[: len(body) - (len(body) % 8 in (1, 3, 6))]
    return _to_text(base64.b32decode(body + "=" * (-len(body) % 8)))


def _decode_hex(run: str) -> str:
    digits = run.replace("0x", "").replace("\\x", "")
    digits = "".join(c for c in digits if c in "0123456789abcdefABCDEF")
    return _to_text(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _decode_escapes(run: str) -> str:
    out: list[str] = []
    at = 0
    for match in _ESCAPE.finditer(run):
        out.append(run[at : match.start()].strip(" ,"))
        code = next(int(digits, base) for digits, base in zip(match.groups(), _BASES, strict=True) if digits)
        out.append(chr(code) if code < 0x110000 and not 0xD800 <= code <= 0xDFFF else "")
        at = match.end()
    return "".join(out) + run[at:]


def _decode_percent(run: str) -> str:
    from urllib.parse import unquote_plus

    return unquote_plus(unquote_plus(run)) if run.count("%") >= 2 else ""


def _decode_pluses(run: str) -> str:
    return run.replace("+", " ")


def _decode_binary(run: str) -> str:
    bits = "".join(c for c in run if c in "01")
    return _to_text(bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits) // 8 * 8, 8)))


def _decode_decimals(run: str) -> str:
    codes = [int(number) for number in re.findall(r"\d+", run)]
    return "".join(map(chr, codes)) if all(9 <= code < 127 for code in codes) else ""


def _decode_morse(run: str) -> str:
    words = [word.split() for word in re.split(r"\s*[/|]\s*|\s{2,}", run.replace("\u00b7", "."))]
    known = dict(zip(_MORSE_CODE, "abcdefghijklmnopqrstuvwxyz", strict=True))
    return " ".join("".join(known.get(sign, "") for sign in word) for word in words)


def _to_text(raw: bytes) -> str:
    try:
        text = raw.decode("utf-16-le" if raw[1:2] == b"\0" and raw[3:4] == b"\0" else "utf-8")
    except UnicodeDecodeError:
        return ""
    return text[:_MAX_DECODED]
