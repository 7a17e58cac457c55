"""Changes that do not name what was before: two texts that set one thing to two values."""

from __future__ import annotations

from collections.abc import Sequence

from engram_hooks.curate.changes.claims import LINKS, Claim, is_participle
from engram_hooks.curate.changes.frames import Frame
from engram_hooks.curate.changes.words import BOUNDARY, is_light, stem_word

_MAX_VALUE_WORDS = 6
_MIN_SAME_WORDS = 2
_MIN_SHARED = 2
_ONE_VALUE = frozenset(
    ("is", "are", "must", "only", "say", "says", "called", "equals", "be", "default", "set")
)


def differ_in_value(
    mine: Frame, theirs: Frame, *, is_news: bool, same_subject: bool, names_old: bool = False
) -> frozenset[str] | None:
    """The stems of what two claims set to values of one sort that differ; None where they do not.

    `names_old` where the new claim says which value it replaces.
    """
    if mine.family != theirs.family or (mine.amounts == theirs.amounts and mine.value == theirs.value):
        return None
    if not mine.amounts and not (mine.value - theirs.value and theirs.value - mine.value):
        return None
    both = mine.value & theirs.value
    shared = (mine.subject & theirs.subject) | (both if mine.family == "version" else frozenset())
    if same_subject:
        return shared
    extra, missing = mine.subject - theirs.subject, theirs.subject - mine.subject
    if not shared or extra or (missing and not is_news) or len(missing) > len(shared):
        return None
    are_definite = mine.is_definite and theirs.is_definite
    if not is_news and not (are_definite and (mine.amounts or (mine.has_name and theirs.has_name))):
        return None
    if names_old and (missing or len(shared) < _MIN_SHARED):
        return None  # it says what it replaces, and that is another value
    is_sure = are_definite or mine.family == "version" or len(shared) >= _MIN_SHARED
    return shared if is_sure else None


def differ_once(claim: Claim, other: Claim) -> bool:
    """Whether two sentences are the same but for one value towards their end.

    Where nothing says that something is new, the sentence must say that there is one value only.
    """
    own, others = _plain(claim), _plain(other)
    start = _count_equal(own, others)
    end = _count_equal(own[start:][::-1], others[start:][::-1])
    mine, theirs = own[start : len(own) - end], others[start : len(others) - end]
    if not (0 < len(mine) <= _MAX_VALUE_WORDS and 0 < len(theirs) <= _MAX_VALUE_WORDS):
        return False
    if any(word in BOUNDARY or is_participle(word) for word in (*mine, *theirs)):
        return False
    if any(map(_has_digit, mine)) and _drop_digits(mine) != _drop_digits(theirs):
        return False  # so many of one thing and so many of another
    before, behind = own[:start], own[len(own) - end :]
    if any(word in LINKS or word in claim.names for word in behind):
        return False  # what differs is the subject
    same = [word for word in (*before, *behind) if not is_light(word)]
    if len(same) < _MIN_SAME_WORDS or not any(not is_light(word) for word in before):
        return False
    if claim.is_news:
        return True
    are_names = claim.names & set(mine) and other.names & set(theirs)
    return bool(are_names and _ONE_VALUE & set(own) & set(others))


def _has_digit(word: str) -> bool:
    return any(char.isdigit() for char in word)


def _drop_digits(words: Sequence[str]) -> list[str]:
    return [stem_word(word) for word in words if not _has_digit(word)]


def _plain(claim: Claim) -> list[str]:
    """The words of a claim without those that only say that it is news."""
    return [
        word for word in claim.words if word and word not in ("now", "again", "today", "instead", "currently")
    ]


def _count_equal(words: Sequence[str], others: Sequence[str]) -> int:
    count = 0
    for word, other in zip(words, others, strict=False):
        if stem_word(word) != stem_word(other):
            break
        count += 1
    return count
