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
_COMMON = ("test_", "live_", "secret_")  # names of functions and variables begin like this too
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
            value = _cut_encoded(text[body:end]).rstrip(".-_=%" if "=" not in chars else ".-_%")
            if len(value) >= least and _is_issued(start, value):
                spans.append((at, body + len(value), "token"))
        at = text.find(start, max(end, body))


def _cut_encoded(value: str) -> str:
    """`value` up to a percent sign that stands for a quote, a blank or another mark that no token holds."""
    for mark in ("%22", "%27", "%26", "%20", "%0", "%7D", "%2C", "%5C"):
        value = value.partition(mark)[0]
    return value


def _is_issued(start: str, value: str) -> bool:
    if is_one_character(value) or value.endswith("EXAMPLE"):
        return False
    if start not in _COMMON and (len(start) >= _PLENTY or start in ("AKIA", "ASIA", "ABIA", "ACCA")):
        tail = value.lower()
        return not (
            ("-" in value or "_" in value)
            and is_wordlike(value)
            and ("your" in tail or "here" in tail or "xxx" in tail)
        )
    if not has_digit_and_letter(value):
        return count_switches(value) * 3 >= len(value) or value.isdigit()
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
        start = max(run_start(text, at, DIGITS, max_chars=16), at - 10)
        end = run_end(text, at + 1, URL64)
        if at - start >= 8 and 33 <= end - at - 1 <= 36 and not is_one_character(text[at + 4 : end]):
            spans.append((start, end, "token"))
        at = text.find(":AA", end)


# (mark, characters before it, characters that may stand there, least and most characters behind it)
_MARKS = (
    ("JQQJ99", 52, ALNUM, 20, 30),
    ("AZDO", 76, ALNUM, 4, 4),
    ("Q~", 4, URL64 + ".~", 30, 36),
    ("-us", 32, HEX, 1, 2),
)


def _find_inner_marks(text: str, spans: list[tuple[int, int, str]]) -> None:
    """Keys whose issuer put its mark in the middle or at the end."""
    for mark, head, chars, least, most in _MARKS:
        at = text.find(mark)
        while at >= 0:
            stop = at + len(mark)
            end = run_end(text, stop, DIGITS if mark == "-us" else chars)
            before = text[max(0, at - head) : at]
            is_key = least <= end - stop <= most and len(before) == head and not before.strip(chars)
            if is_key and is_random(text[at - head : end]):
                spans.append((at - head, end, "token"))
            at = text.find(mark, max(end, stop))


def _find_three_parts(text: str, pool: str, spans: list[tuple[int, int, str]]) -> None:
    """Bot tokens of Discord: three parts of known length, the first a number in base64."""
    for word in pool.split("\n"):
        parts = word.split(".") if 58 <= len(word) <= 400 else []
        for i in range(len(parts) - 2):
            if len(parts[i + 1]) == 6:
                token = _read_bot(parts[i], parts[i + 1], parts[i + 2])
                if token:
                    at = text.find(token)
                    spans.append((at, at + len(token), "token"))


def _read_bot(first: str, second: str, third: str) -> str:
    """The token whose parts these are, without what stands before and behind it; empty where they are none."""
    third = third[: run_end(third, 0, URL64)]
    for size in (24, 26, 28, 25, 27):
        head = first[-size:]
        token = f"{head}.{second}.{third}"
        fits = len(head) == size and head[0] in "MNO" and 27 <= len(third) <= 40
        if fits and not token.strip(URL64 + ".") and count_switches(token) >= 8:
            return token
    return ""
