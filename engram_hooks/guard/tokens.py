"""Tokens that are known by themselves: a fixed start of an issuer, web tokens, bot tokens."""

from __future__ import annotations

from engram_hooks.guard.issuers import ISSUERS
from engram_hooks.guard.shapes import (
    ALNUM,
    DIGITS,
    HEX,
    OPEN,
    URL64,
    count_switches,
    has_digit_and_letter,
    is_one_character,
    is_random,
    is_wordlike,
    run_end,
    run_start,
)

_APART = {code: "\n" for code in range(128) if chr(code) not in OPEN + "$"}
_PIECE_CHARS = 8192
_PLENTY = 5  # a start this long is no accident


def find_tokens(text: str, pool: str) -> list[tuple[int, int, str]]:
    """Spans of tokens in `text`; `pool` holds the long words of it, where alone they can be."""
    spans: list[tuple[int, int, str]] = []
    starts = _narrow(pool)
    if starts:
        for row in ISSUERS:
            if row[0] in starts:
                _find_issued(text, row, spans)
        if "eyJ" in starts:
            _find_web_tokens(text, spans)
        if "JQQJ99" in starts or "Q~" in starts or "-us" in starts or "AZDO" in starts:
            _find_inner_marks(text, spans)
        if "." in starts:
            _find_three_parts(text, starts, spans)
    if ":AA" in pool:
        _find_bot_tokens(text, spans)
    return spans


def _narrow(pool: str) -> str:
    """The long runs of `pool` that hold no mark which no token holds; of endless ones the beginning."""
    words = (pool.translate(_APART) if pool.isascii() else pool).split()
    return "\n".join([word[:_PIECE_CHARS] for word in words if len(word) >= 16])


def is_open(text: str, at: int, *, strict: bool) -> bool:
    """Whether a token may begin at `at`: nothing before it that would make it part of a longer word."""
    if at == 0:
        return True
    before = text[at - 1]
    if not (before.isalnum() or (strict and before in "_-/+")):
        return True
    if before in "ntr" and text[at - 2 : at - 1] == "\\":
        return True
    if text[at - 3 : at - 2] == "%" and not text[at - 2 : at].strip(HEX):
        return True
    if text[at - 6 : at - 4] == "\\u":
        return True
    return before == "m" and "\x1b[" in text[max(0, at - 10) : at]


def _find_issued(text: str, row: tuple[str, str, int, int], spans: list[tuple[int, int, str]]) -> None:
    start, chars, least, most = row
    plain = len(start) >= _PLENTY
    at = text.find(start)
    while at >= 0:
        body = at + len(start)
        end = run_end(text, body, chars)
        size = end - body
        if size >= least and (not most or size <= most) and is_open(text, at, strict=not plain):
            value = text[body:end].rstrip(".-_=%" if "=" not in chars else ".-_%")
            if len(value) >= least and _is_issued(start, value):
                spans.append((at, body + len(value), "token"))
        at = text.find(start, max(end, body))


def _is_issued(start: str, value: str) -> bool:
    if is_one_character(value) or value.endswith("EXAMPLE"):
        return False
    if len(start) >= _PLENTY or start in ("AKIA", "ASIA", "ABIA", "ACCA"):
        tail = value.lower()
        return not (
            ("-" in value or "_" in value)
            and is_wordlike(value)
            and ("your" in tail or "here" in tail or "xxx" in tail)
        )
    if not has_digit_and_letter(value):
        return count_switches(value) * 4 >= len(value) or value.isdigit()
    return is_random(value, min_chars=12) or not value.strip("0123456789abcdef")


def _find_web_tokens(text: str, spans: list[tuple[int, int, str]]) -> None:
    """JSON Web Tokens and their encrypted kin: base64 of `{"`, then parts behind dots."""
    at = text.find("eyJ")
    while at >= 0:
        end = run_end(text, at, URL64)
        size = end - at
        while text[end : end + 1] == "." and text[end + 1 : end + 2].isalnum():
            end = run_end(text, end + 1, URL64)
        parts = text[at:end].count(".")
        whole = parts >= 2 or (parts == 1 and text.find(".eyJ", at, end) > 0)
        if size >= 12 and whole and end - at >= 36 and not is_one_character(text[at + 3 : at + size]):
            spans.append((at, end, "jwt"))
        at = text.find("eyJ", max(end, at + 3))


def _find_bot_tokens(text: str, spans: list[tuple[int, int, str]]) -> None:
    at = text.find(":AA")
    while at >= 0:
        start = run_start(text, at, DIGITS, max_chars=16)
        end = run_end(text, at + 1, URL64)
        if 8 <= at - start <= 12 and 33 <= end - at - 1 <= 36 and not is_one_character(text[at + 4 : end]):
            spans.append((start, end, "token"))
        at = text.find(":AA", end)


_MARKS = (
    ("JQQJ99", ALNUM, 70, 90),
    ("Q~", ALNUM + "_-.~", 36, 44),
    ("-us", "", 35, 37),
    ("AZDO", ALNUM, 84, 84),
)


def _find_inner_marks(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Keys whose issuer put its mark in the middle or at the end."""
    for mark, chars, least, most in _MARKS:
        at = text.find(mark)
        while at >= 0:
            start = run_start(text, at, chars or HEX)
            end = run_end(text, at + len(mark), chars or DIGITS)
            if least <= end - start <= most and (chars or at - start == 32) and is_random(text[start:end]):
                spans.append((start, end, "token"))
            at = text.find(mark, max(end, at + len(mark)))


def _find_three_parts(text: str, pool: str, spans: list[tuple[int, int, str]]) -> None:
    """Bot tokens of Discord: three parts of known length, the first a number in base64."""
    for word in pool.split("\n"):
        if word.count(".") < 2 or not 58 <= len(word) <= 400:
            continue
        for piece in word.replace("=", " ").replace("/", " ").split():
            parts = piece.strip(".").split(".")
            if len(parts) == 3 and parts[0][:1] in ("M", "N", "O") and _is_bot(parts):
                whole = ".".join(parts)
                at = text.find(whole)
                spans.append((at, at + len(whole), "token"))


def _is_bot(parts: list[str]) -> bool:
    first, second, third = (len(part) for part in parts)
    joined = "".join(parts)
    return (
        23 <= first <= 28
        and second == 6
        and 27 <= third <= 40
        and not joined.strip(URL64)
        and count_switches(joined) >= 8
    )
