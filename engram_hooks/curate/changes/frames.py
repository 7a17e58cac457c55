"""The two halves of a claim: what it is about, and the value that it sets, amounts in one unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engram_hooks.curate.changes.claims import LINKS, Claim, find_slot
from engram_hooks.curate.changes.words import BOUNDARY, COLON, COMMA, is_light, stem_word

_UNITS = {
    **dict.fromkeys(("ms", "millisecond", "milliseconds"), ("time", 0.001)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("time", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("time", 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("time", 3600.0)),
    **dict.fromkeys(("d", "day", "days"), ("time", 86_400.0)),
    **dict.fromkeys(("week", "weeks"), ("time", 604_800.0)),
    **dict.fromkeys(("month", "months"), ("time", 2_592_000.0)),
    **dict.fromkeys(("year", "years"), ("time", 31_104_000.0)),
    **dict.fromkeys(("b", "byte", "bytes"), ("size", 1.0)),
    **dict.fromkeys(("k", "kb", "kib", "kilobytes"), ("size", 1e3)),
    **dict.fromkeys(("m", "mb", "mib", "megabytes"), ("size", 1e6)),
    **dict.fromkeys(("g", "gb", "gib", "gigabytes"), ("size", 1e9)),
    **dict.fromkeys(("tb", "tib", "terabytes"), ("size", 1e12)),
    **dict.fromkeys(("%", "percent"), ("share", 1.0)),
    **dict.fromkeys(("times", "attempts", "tries", "retries", "x"), ("count", 1.0)),
}
_NUMBERS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "ten": 10,
    "twelve": 12,
    "half": 0.5,
}
_MIN_PART = 3
_COUNTS = {"once": 1, "twice": 2, "thrice": 3}
_EVERY = {"hourly": 3600, "daily": 86_400, "nightly": 86_400, "weekly": 604_800, "monthly": 2_592_000}
_VERBS = BOUNDARY - frozenset(
    """named name number port version release line default defaults test tests build builds the a an our your its set
    sets now old new first last next""".split()
)


@dataclass(frozen=True, slots=True)
class Frame:
    """`subject` are stems, `value` stems of what is set, `amounts` its numbers (`time 900`), `family` their unit.

    `is_definite` where the sentence says what its subject is, so that it has one value only; `has_name` where that is
    written like a name.
    """

    subject: frozenset[str]
    value: frozenset[str]
    amounts: frozenset[str]
    family: str
    is_definite: bool
    has_name: bool


@lru_cache(maxsize=4_096)
def read_frame(claim: Claim) -> Frame:
    """The halves of a claim."""
    amounts, used = _read_amounts(claim)
    said = claim.text.split()
    slot = "" if amounts else _choose_value(claim, said)
    value = frozenset(stem_word(word) for word in slot.split() if not is_light(word))
    end = _find_end(claim.text.split())
    plain = [
        word for at, word in enumerate(claim.words[:end]) if word and at not in used and not is_light(word)
    ]
    subject = frozenset(stem_word(word) for word in plain) - value
    family = min(amounts).split()[0] if amounts else "version" if _has_version(claim, slot) else ""
    at = _find_verb(said)
    is_definite = bool(at and (said[at] in LINKS or said[at] == COLON)) or bool(amounts)
    has_name = any(word in claim.names or word[:1].isdigit() for word in slot.split())
    return Frame(subject, value, amounts, family, is_definite, has_name)


def _find_end(said: Sequence[str]) -> int:
    """Where the first part of a sentence ends: what stands behind the first comma is said beside it."""
    return next((at for at, word in enumerate(said) if word == COMMA and at >= _MIN_PART), len(said))


def _choose_value(claim: Claim, said: Sequence[str]) -> str:
    """The value: in its slot, or in front where a sentence begins with it ('Flux is our deployer')."""
    at = _find_verb(said)
    head, tail = said[:at], said[at:]
    if at and all(word in claim.names or word[:1].isdigit() for word in head):
        is_turned = not any(word in claim.names for word in tail)
        if is_turned and (said[at] not in LINKS or {"our", "the", "used"} & set(tail[1:3])):
            return " ".join(head)
    if at == 1 and said[at] in LINKS and tail[1:2] in (["the"], ["our"]) and not is_light(head[0]):
        return head[0]  # somebody is the owner of something
    return claim.value or find_slot(said)


def _find_verb(said: Sequence[str]) -> int:
    """The place of the first word that parts what a sentence is about from what it says of it, 0 for none."""
    return next(
        (at for at, word in enumerate(said) if at and (word in LINKS or word == COLON or word in _VERBS)), 0
    )


def _read_amounts(claim: Claim) -> tuple[frozenset[str], set[int]]:
    """(the numbers with their units, one unit a family, the places of the words they stand in)."""
    amounts: set[str] = set()
    used: set[int] = set()
    words, said = claim.words, claim.text.split()
    for at, word in enumerate(words):
        behind = words[at + 1] if at + 1 < len(words) else ""
        before = words[at - 1] if at else ""
        if word in _COUNTS or (word in _EVERY and at > 1):
            amounts.add(f"count {_COUNTS[word]}" if word in _COUNTS else f"time {_EVERY[word]}")
            used.add(at)
            continue
        number, unit = _split_amount(word)
        if number is None:
            continue
        if word == "a" and before and before not in BOUNDARY:
            continue  # so many a minute
        if word in _NUMBERS and behind not in _UNITS and at and said[at - 1] in (COLON, *LINKS):
            used.add(at)
            amounts.add(f"number {number:g}")
            continue
        if unit or behind in _UNITS:
            family, factor = _UNITS[unit or behind]
            used |= {at} if unit else {at, at + 1}
            amounts.add(f"{family} {number * factor:g}")
        elif word[0].isdigit() and before in claim.names and before not in BOUNDARY:
            continue  # a version: it belongs to the name in front of it
        elif word[0].isdigit() or word[0] in ":$€":
            used.add(at)
            what = stem_word(behind) if behind and behind not in BOUNDARY else "number"
            amounts.add(f"{what} {word}")
    return frozenset(amounts), used


def _split_amount(word: str) -> tuple[float | None, str]:
    """(15, `mb`) of `15MB`, (15, '') of `15`; (None, '') for what is no number."""
    if word in _NUMBERS:
        return float(_NUMBERS[word]), ""
    plain = word.replace(",", "").lstrip(":$€~<>=")
    size = len(plain) - len(plain.lstrip("0123456789."))
    digits, unit = plain[:size].strip("."), plain[size:]
    if not digits or digits.count(".") > 1 or (unit and unit not in _UNITS):
        return None, ""
    return float(digits), unit


def _has_version(claim: Claim, slot: str) -> bool:
    words = slot.split()
    return len(words) > 1 and words[0] in claim.names and words[1][:1].isdigit()
