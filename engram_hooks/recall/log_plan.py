"""What a question asks the log for: terms with weights, and the days it names."""

from __future__ import annotations

from engram_hooks.recall.weights import ASKING_WORD, NAME_PART
from engram_hooks.stems import stem
from engram_hooks.terms import is_identifier, query_terms, split_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_TERMS = 24
MAX_QUESTION_CHARS = 4_000
MAX_DAYS = 4
_ASKING_TEXT = """
    across complete completely current currently different entire exact exactly full fully kind list many much name
    overall specific specifically type various whole
"""
_ASKING = frozenset(stem(word) for word in _ASKING_TEXT.split())
_MONTHS_TEXT = "january february march april may june july august september october november december"
_MONTHS = {name: number for number, name in enumerate(_MONTHS_TEXT.split(), 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
# words with another meaning are months only beside a number or behind one of these
_UNSURE = frozenset(("may", "march", "mar", "sep", "dec"))
_BEFORE_TEXT = "in on of since during until till by from before after around early late mid last this"
_BEFORE = frozenset(_BEFORE_TEXT.split())
_ORDINALS = "st", "nd", "rd", "th"
_PAUSES = str.maketrans(dict.fromkeys(",.;:!?()[]{}\"'`/", " "))


def plan_terms(text: str) -> dict[str, float]:
    """The distinct terms of a question with their weights (0 to 1), in order of appearance, at most 24.

    A name out of code (`orderParser`) counts as itself, its parts share `NAME_PART`; of a word with hyphens
    the parts share 1 and the whole does not count. Words that say how to answer count `ASKING_WORD`.
    """
    text = text[:MAX_QUESTION_CHARS]
    wanted = frozenset(query_terms(text, max_terms=MAX_TERMS * 3))
    weights: dict[str, float] = {}
    for word, terms in split_terms(text):
        for term, weight in _weigh_word(word, terms):
            if term in wanted and weight > weights.get(term, 0.0):
                weights[term] = weight
    return dict(list(weights.items())[:MAX_TERMS])


def find_days(text: str) -> list[str]:
    """The days, months and years that a question names, as patterns of GLOB over dates such as `2025-05-31`.

    `????-05-03` is 3 May of any year. A year alone is no day: it is a word like others.
    """
    words = text[:MAX_QUESTION_CHARS].lower().translate(_PAUSES).split()
    found: dict[str, None] = {}
    for at, word in enumerate(words):
        if _is_iso(word):
            found[word if len(word) == 10 else f"{word}-??"] = None
        elif word in _MONTHS and _is_month(words, at):
            day, year = _find_day(words, at), _find_year(words, at)
            found[f"{year or '????'}-{_MONTHS[word]:02d}-{f'{day:02d}' if day else '??'}"] = None
    return list(found)[:MAX_DAYS]


def choose_terms(counts: Mapping[str, int], *, max_places: int) -> list[str]:
    """The terms to look up, rarest first, as long as they stand in at most `max_places` lines together.

    `counts` says in how many lines each stands; the rarest is always among them.
    """
    chosen: list[str] = []
    places = 0
    for count, term in sorted((count, term) for term, count in counts.items() if count):
        if chosen and places + count > max_places:
            break
        places += count
        chosen.append(term)
    return chosen


def _weigh_word(word: str, terms: Sequence[str]) -> list[tuple[str, float]]:
    if len(terms) < 2 or not word.isascii():
        return [(term, ASKING_WORD if stem(term) in _ASKING else 1.0) for term in terms]
    parts = terms[1:]
    if is_identifier(word):
        return [(terms[0], 1.0), *((part, NAME_PART / len(parts)) for part in parts)]
    return [(part, 1.0 / len(parts)) for part in parts]


def _is_iso(word: str) -> bool:
    """`2025-05` or `2025-05-31`."""
    parts = word.split("-")
    return (
        len(word) in (7, 10)
        and word.isascii()
        and [len(part) for part in parts] in ([4, 2], [4, 2, 2])
        and all(part.isdigit() for part in parts)
    )


def _is_month(words: Sequence[str], at: int) -> bool:
    if words[at] not in _UNSURE:
        return True
    before, behind = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
    return before in _BEFORE or _read_day(before) > 0 or _read_day(behind) > 0 or _is_year(behind)


def _find_day(words: Sequence[str], at: int) -> int:
    """The day of the month that stands before (`3`, `3rd of`) or behind a month, 0 where none does."""
    before = words[at - 2] if at > 1 and words[at - 1] == "of" else words[at - 1] if at else ""
    return _read_day(before) or (_read_day(words[at + 1]) if at + 1 < len(words) else 0)


def _find_year(words: Sequence[str], at: int) -> str:
    return next((word for word in words[at + 1 : at + 3] if _is_year(word)), "")


def _read_day(word: str) -> int:
    digits = word[:-2] if word.endswith(_ORDINALS) else word
    return int(digits) if digits.isascii() and digits.isdigit() and 0 < int(digits[:3]) < 32 else 0


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isascii() and word.isdigit() and word[:2] in ("19", "20")
