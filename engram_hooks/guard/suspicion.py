"""A plain look at a text, without patterns: which thorough looks it needs before it is told. Most need none."""

from __future__ import annotations

from engram_hooks.guard import signs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import AnyStr

PHRASE, FOREIGN, ADDRESS, LEAK, ROLE, LINK, PAYLOAD, DISGUISE = 1, 2, 4, 8, 16, 32, 64, 128


# the long lists of signs, of which most texts hold none
_LISTS = signs.ALONE, signs.DROPS, signs.NOUNS, signs.DECODES, signs.TO, signs.READERS
# texts that were looked at together -> the signs of those lists that stand somewhere among them
_narrowed: dict[str, tuple[tuple[tuple[bytes, ...], ...], tuple[tuple[bytes, bytes], ...]]] = {}


def look_ahead(texts: Sequence[str]) -> None:
    """Look at texts together that are told one after another: each is then looked at for what all of them hold.

    The answers stay what they are: what stands in one of them stands in all of them together.
    """
    low = "\n".join(texts).lower()
    raw = low.encode("utf-8", "surrogatepass")
    if not raw.isascii():
        raw, _ = _add_plain(low, raw)
    flat = raw.translate(signs.FLAT, signs.SPACING)
    few = tuple(tuple(sign for sign in signs_of_list if sign in flat) for signs_of_list in _LISTS)
    core = tuple(pair for pair in signs.CORE if pair[0] in flat)
    _narrowed.update(dict.fromkeys(texts, (few, core)))


def suspect(text: str) -> int:
    """Which looks a text needs, as bits; 0 for nearly all. It costs some microseconds for a line, imports nothing."""
    low = text.lower()
    raw = low.encode("utf-8", "surrogatepass")
    looks = 0
    if not raw.isascii():
        raw, looks = _add_plain(low, raw)
    flat = raw.translate(signs.FLAT, signs.SPACING)
    words = raw.translate(signs.NAMES).split()
    (alone, drops, nouns, decodes, to, readers), core = _narrowed.get(text, (_LISTS, signs.CORE))
    if not signs.WORDS.isdisjoint(words) and (
        _has(flat, alone) or (_has(flat, drops) and _has(flat, nouns)) or _has(flat, decodes)
    ):
        looks |= PHRASE | DISGUISE
    if (not signs.AGENT_WORDS.isdisjoint(words) and _has(flat, to)) or (
        not signs.READER_WORDS.isdisjoint(words) and _has(flat, readers)
    ):
        looks |= ADDRESS
    if (
        not signs.SECRET_WORDS.isdisjoint(words) and not signs.PLACE_WORDS.isdisjoint(words)
    ) or not signs.FETCH_WORDS.isdisjoint(words):
        looks |= _suspect_leak(low, flat)
    if _has_label(raw, words):
        looks |= ROLE
    for folded, stem in core:
        if folded in flat and stem not in raw:
            looks |= DISGUISE | PHRASE
    if (b"ignor" in raw or not signs.TONGUE_VERBS.isdisjoint(words)) and _has(flat, signs.TONGUE_NOUNS):
        looks |= FOREIGN
    if not signs.TURNED.isdisjoint(words):
        looks |= PAYLOAD
    return looks | _suspect_markup(low) | _suspect_code(text, low)


def _has(text: AnyStr, words: Iterable[AnyStr]) -> bool:
    for word in words:  # noqa: SIM110 (any() takes twice as long)
        if word in text:
            return True
    return False


def _has_label(raw: bytes, words: list[bytes]) -> bool:
    """Whether the name of a speaker has a colon or a bracket behind it, or a banner may be there."""
    if not signs.BANNERS.isdisjoint(words) and _has(raw, signs.RULERS):
        return True
    return any(
        _has(raw, [word + mark for mark in signs.CLOSERS]) for word in signs.LABELS.intersection(words)
    )


def _suspect_leak(low: str, flat: bytes) -> int:
    if _has(flat, signs.SECRETS) and _has(flat, signs.PLACES):
        return LEAK
    return LEAK if _has(low, signs.RUNS) else 0


def _suspect_markup(low: str) -> int:
    if "![" in low or "@import" in low or "[//]" in low or "script:" in low or "](data:" in low:
        return LINK
    if "url(" in low and "//" in low:
        return LINK
    if "](http" in low and _has(low, ("={", "=$", "=<", "=%7b", "=[", "/{", "/<", "/$")):
        return LINK
    return LINK if "<" in low and _has(low, signs.ELEMENTS) else 0


def _suspect_code(text: str, low: str) -> int:
    """Whether something in the text may be encoded."""
    if "\\" in low and low.count("\\") > 3 and _has(low, ("\\x", "\\u", "\\1")):
        return PAYLOAD
    if "%" in low and low.count("%") > 1 and _has(low, ("%2", "%4", "%5", "%6", "%7", "%u")):
        return PAYLOAD
    if "&#" in low or "u+00" in low or (".-" in low and "-." in low) or low.count("+") > 2:
        return PAYLOAD
    if low.count("=") > 3 and _has(low, ("=6", "=7")):
        return PAYLOAD
    raw = text.encode("utf-8", "surrogatepass")
    digits = len(raw) - len(raw.translate(None, signs.DIGITS))
    if digits >= signs.MANY_DIGITS and _has(low, signs.NUMBERS):
        return PAYLOAD
    if signs.LONG in raw.translate(signs.SHAPE):
        return _suspect_runs(raw.translate(signs.RUN_BYTES).split())
    return PAYLOAD if text.count(" ") > 8 and _is_spaced_code(raw) else 0


def _suspect_runs(runs: list[bytes]) -> int:
    """Whether a long run of letters and digits may be text in base64 or base32, or words without blanks."""
    looks = 0
    for run in runs:
        if len(run) < signs.LEAST_RUN_CHARS:
            continue
        if run.isupper():  # a constant of code, if it has joints
            is_code = len(run) >= signs.LEAST_BASE32_CHARS and run.isalnum()
        else:
            is_code = not run[0::4].strip(signs.FIRSTS) or not run[1::4].strip(signs.FIRSTS)
        if is_code and not run.islower():
            looks |= PAYLOAD
        if run[1:].isalpha() and run[1:].islower() and _has(run.lower(), signs.GLUED):
            looks |= DISGUISE
    return looks


def _is_spaced_code(raw: bytes) -> bool:
    """Whether there are four words in a row that base64 may have been cut into."""
    in_row = 0
    for word in raw.split():
        in_row = (
            in_row + 1
            if len(word) % 4 == 0
            and word.isalnum()
            and not word.islower()
            and not word.isdigit()
            and not word.istitle()
            else 0
        )
        if in_row == 4:
            return True
    return False


def _add_plain(low: str, raw: bytes) -> tuple[bytes, int]:
    """The text with its plain readings behind it where letters are accented or strange; bits for other scripts."""
    looks = 0
    if _has(raw, signs.STRANGE):
        looks |= PHRASE | FOREIGN | ADDRESS | LEAK | ROLE | DISGUISE
    plain = low.translate(signs.ACCENTS)
    if _has(raw, (b"\xd0", b"\xd1", b"\xd2", b"\xd3", b"\xce", b"\xcf")):
        from engram_hooks.guard.lookalikes import LOOKALIKES

        if any("a" <= char <= "z" for char in plain):
            plain += "\n" + low.translate(LOOKALIKES)
    raw = (low + "\n" + plain).encode("utf-8", "surrogatepass")
    return raw, looks | (FOREIGN if _has(raw, signs.SCRIPTS) else 0)
