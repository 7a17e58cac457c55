"""What a run of characters looks like: random, words, a number, a uuid."""

from __future__ import annotations

LOWER = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
HEX = DIGITS + "abcdefABCDEF"
UPPER = LOWER.upper() + DIGITS
ALNUM = LOWER + LOWER.upper() + DIGITS
WORD = ALNUM + "_"
URL64 = ALNUM + "_-"
DOTTED = ALNUM + "_-."
BASE64 = ALNUM + "+/="
NAME = DOTTED
OPEN = DOTTED + "+/=%~"

_KINDS = str.maketrans(LOWER + LOWER.upper() + DIGITS, "l" * 26 + "u" * 26 + "d" * 10)
_JUDGED_CHARS = 96


def run_end(text: str, start: int, chars: str, stop: int = -1) -> int:
    """Where the run of `chars` that begins at `start` ends, at most `stop` (`start` itself where there is none)."""
    first = text[start : start + 1]
    if not first or first not in chars:
        return start
    stop = len(text) if stop < 0 else stop
    at, size = start, 64
    while at < stop:
        piece = text[at : min(at + size, stop)]
        rest = len(piece.lstrip(chars))
        at += len(piece) - rest
        if rest or not piece:
            break
        size = min(size * 4, 65536)
    return at


def run_start(text: str, end: int, chars: str, *, max_chars: int = 96) -> int:
    """Where the run of `chars` that ends before `end` begins, looking back at most `max_chars`."""
    piece = text[max(0, end - max_chars) : end]
    return end - len(piece) + len(piece.rstrip(chars))


def count_switches(value: str) -> int:
    """Changes between small letters, capitals and digits; the hump of a camelCase word is none of them."""
    kinds = value[:_JUDGED_CHARS].translate(_KINDS)
    return (
        kinds.count("ld")
        + kinds.count("dl")
        + kinds.count("ud")
        + kinds.count("du")
        + kinds.count("lu")
        - kinds.count("lull")
        + kinds.count("uul")
    )


def has_digit_and_letter(value: str) -> bool:
    """Whether at least one digit and one ASCII letter are in `value`."""
    kinds = value.translate(_KINDS)
    return "d" in kinds and ("l" in kinds or "u" in kinds)


def is_random(value: str, *, min_chars: int = 8) -> bool:
    """Whether `value` has the switches of something drawn by chance; words, names and versions have not."""
    judged = value[:_JUDGED_CHARS]
    size = len(judged)
    if size < min_chars:
        return False
    switches = count_switches(judged)
    if has_digit_and_letter(judged):
        return switches >= 3 and switches * 8 >= size
    return switches >= 3 and switches * 6 >= size


def is_hex(value: str, *, min_chars: int = 16) -> bool:
    """Whether `value` is nothing but hexadecimal digits, letters and numbers both."""
    return len(value) >= min_chars and not value.strip(HEX) and has_digit_and_letter(value)


def is_uuid(value: str) -> bool:
    """Whether `value` is written as a uuid."""
    return (
        len(value) == 36
        and [len(part) for part in value.split("-")] == [8, 4, 4, 4, 12]
        and not value.strip(HEX + "-")
    )


def is_one_character(value: str) -> bool:
    """Whether `value` repeats one or two characters, as blanks to be filled in do."""
    return len(set(value.lower().replace("-", "").replace("_", ""))) <= 2


def is_wordlike(value: str) -> bool:
    """Whether `value` is words with separators: an identifier, a label, a slug with numbers as words of their own."""
    return count_switches(value) <= 1 and not value.strip(DOTTED + " /:")
