"""What a text claims: of which subject it says what, what is gone, whether it denies, plans or only mentions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engram_hooks.curate.changes.patterns import (
    ANY,
    FIRST,
    LAST,
    cut_reason,
    find_replaced,
    is_denial,
    is_event,
    is_news,
    is_plan,
    is_rejection,
    join_words,
)
from engram_hooks.curate.changes.words import BOUNDARY, COLON, PAUSES, is_light, split_sentences, stem_word

# kinds of records on what happened: what they say held once
_TOLD_ONCE = "incident", "state"
LINKS = frozenset(("is", "are", "was", "were", "be", "equals", "="))
_SLOTS = frozenset(
    """in on with by through via to into onto as from at after for over use uses using
    target targets per run runs require requires need needs support supports""".split()
)
_MAX_NAME_WORDS = 3
_PARTICIPLES = frozenset(
    """kept built sent held done cut set hit read written drawn driven served run made taken stored kept hosted bought
    given shown known found put thrown hidden""".split()
)


@dataclass(frozen=True, slots=True, eq=False)  # one text has one set of claims: they are compared by identity
class Claim:
    """One sentence. `subject` are stems; `value` is what it sets or '', `replaces` what it says is gone, with
    words beside it, and `places` where in these that stands.

    `words` are its words in lower case, '' for a pause and for what it says is gone; `names` those of them that are
    written like names, numbers or versions. `polarity` is False where it denies or forbids, `is_asserted` where it only
    tells of what is gone or was done once.
    """

    text: str
    subject: frozenset[str]
    value: str
    polarity: bool
    replaces: tuple[str, ...]
    words: tuple[str, ...]
    names: frozenset[str]
    places: tuple[str, ...] = ()
    is_news: bool = False
    is_rejected: bool = False
    is_planned: bool = False
    is_asserted: bool = True


def read_claims(text: str, kind: str = "") -> list[Claim]:
    """The claims of a text, one a sentence, in order; a text that rejects or plans holds no other claims.

    `kind` is the kind of the record it stands in; notes on what happened (`incident`, `state`) claim no rule.
    """
    return list(_read(text, kind if kind in _TOLD_ONCE else ""))


@lru_cache(maxsize=4_096)
def _read(text: str, told_once: str) -> tuple[Claim, ...]:
    sentences = split_sentences(text)
    whole = " . ".join(join_words(words) for words in sentences)
    asks = text.rstrip().endswith("?")
    is_planned, is_rejected = asks or is_plan(whole), is_rejection(whole)
    claims = (_read_sentence(words, is_planned=is_planned, is_rejected=is_rejected) for words in sentences)
    return tuple(replace(claim, is_asserted=False) if told_once else claim for claim in claims)


def _read_sentence(words: Sequence[str], *, is_planned: bool, is_rejected: bool) -> Claim:
    clause = cut_reason(join_words(words))
    kept = words[: len(clause.split())]
    lower = clause.split()
    gone: dict[str, str] = {}
    value = ""
    said = [*lower]
    for region, new, place in find_replaced(clause):
        old = _last_value(region) if place == LAST else trim_value(region)
        if any(not is_light(word) for word in old.split()):
            gone[region] = place
            value = value or _take_place(new)
            _blank(said, old.split(), keep=new.split())
    plain = ["" if word in PAUSES else word for word in said]
    has_pause = any(word in PAUSES for word in lower)
    is_asserted = bool(value) or has_pause or not gone
    told_news = is_news(clause)
    names = frozenset(
        low for low, word, at in zip(lower, kept, range(len(kept)), strict=True) if is_name(word, at)
    )
    return Claim(
        text=clause,
        subject=frozenset(stem_word(word) for word in lower if word not in PAUSES and not is_light(word)),
        value=value or find_slot(lower),
        polarity=not is_denial(clause),
        replaces=tuple(gone),
        places=tuple(gone.values()),
        words=tuple(plain),
        names=names,
        is_news=told_news,
        is_rejected=is_rejected,
        is_planned=is_planned,
        is_asserted=is_asserted and (told_news or not is_event(clause)),
    )


def _blank(said: list[str], old: Sequence[str], *, keep: Sequence[str]) -> None:
    """Cut the words of what is gone out of a sentence, where they stand together."""
    size = len(old)
    for at in range(len(said) - size + 1):
        if said[at : at + size] == list(old):
            for place in range(at, at + size):
                if said[place] in BOUNDARY or said[place] in keep:
                    continue
                said[place] = ""
            return


def is_name(word: str, at: int) -> bool:
    """Whether a word is written like a name, a number, a version or a path; `at` is its place in the sentence."""
    if any(char.isdigit() for char in word) or word[1:] != word[1:].lower():
        return True
    if any(char in "_/@#." for char in word.strip(".")):
        return True
    return at > 0 and word[:1].isupper()


def trim_value(text: str) -> str:
    """A value without the words around it that are no part of it; only what stands before the first pause."""
    words = text.split()
    for mark in PAUSES:
        if mark in words:
            words = words[: words.index(mark)]
    while words and (words[0] in BOUNDARY or not words[0]):
        words = words[1:]
    end = next((at for at, word in enumerate(words) if at and word in BOUNDARY), len(words))
    return " ".join(words[:end])


def _take_place(new: str) -> str:
    """The value in what takes the place of something: a name, or the value of a sentence."""
    words = new.split()
    return find_slot(words) if len(words) > _MAX_NAME_WORDS else trim_value(new)


def find_slot(words: Sequence[str]) -> str:
    """What stands where a sentence puts a value: behind a colon, a form of 'to be', or the first slot word.

    'formatted with black' gives black, 'are squashed' squashed.
    """
    if COLON in words[1:7]:
        rest = words[words.index(COLON, 1) + 1 :]
        return (
            _behind_slot(rest) if any(word in LINKS or word in BOUNDARY for word in rest[1:4]) else ""
        ) or trim_value(" ".join(rest))
    at = next((at for at, word in enumerate(words) if at and word in LINKS), None)
    if at is not None:
        rest = [word for word in words[at + 1 :] if word not in _FILLERS]
        if not rest or not is_participle(rest[0]):
            return trim_value(" ".join(rest))
        return _behind_slot(rest[1:]) or rest[0]
    return _behind_slot(words)


_FILLERS = frozenset(
    "now always also still only just again never not all no usually currently be being".split()
)


def is_participle(word: str) -> bool:
    """Whether a word behind 'is' says what is done to something."""
    return word.endswith(("ed", "en")) or word in _PARTICIPLES


def _behind_slot(words: Sequence[str]) -> str:
    for at, word in enumerate(words[:-1]):
        if word in _SLOTS and (found := trim_value(" ".join(words[at + 1 :]))):
            return found
    return ""


def _last_value(text: str) -> str:
    """The last words of a region that may be a value."""
    words = text.split()
    while words and (words[-1] in BOUNDARY or words[-1] in PAUSES):
        words = words[:-1]
    start = next((at + 1 for at in range(len(words) - 1, -1, -1) if _is_edge(words[at])), 0)
    return " ".join(words[start:])


def find_run(region: Sequence[str], claim: Claim, place: str = ANY) -> tuple[int, int] | None:
    """Where the longest value of a region stands in a claim's words: (start, end), None where it does not.

    `place` says at which end of the region the value stands.

    Both sides must end there: what stands next to it is no part of a longer name.
    """
    stems, own = [stem_word(word) for word in claim.words], [stem_word(word) for word in region]
    for start, end in _runs(region, place):
        wanted = own[start:end]
        for at in range(len(stems) - len(wanted) + 1):
            if stems[at : at + len(wanted)] == wanted and _is_whole(claim, at, at + len(wanted)):
                return at, at + len(wanted)
    return None


def _runs(region: Sequence[str], place: str) -> Iterator[tuple[int, int]]:
    """The parts of a region that may be a value, longest first."""
    size = len(region)
    starts = [
        at for at in range(size) if region[at] not in BOUNDARY and (at == 0 or _is_edge(region[at - 1]))
    ]
    ends = [
        at
        for at in range(1, size + 1)
        if region[at - 1] not in BOUNDARY and (at == size or _is_edge(region[at]))
    ]
    starts = starts[:1] if place == FIRST else starts
    ends = ends[-1:] if place == LAST else ends
    found = [(start, end) for start in starts for end in ends if start < end]
    yield from sorted(found, key=lambda span: (span[0] - span[1], span[0]))


def _is_edge(word: str) -> bool:
    return not word or word in BOUNDARY or word in PAUSES


_HEADS = frozenset(
    stem_word(word)
    for word in """instance bucket server cluster service format file string column cookie token table key database
    provider account plan repo repository queue topic branch image ms s sec second minute min h hour day week month year
    b kb mb gb tb % percent times""".split()
)


_OBJECTS = tuple((word,) for word in ("the", "our", "all", "every", "a", "an", "its", "each"))


def is_head(word: str) -> bool:
    """Whether a word only says of what sort a thing is: `bucket`, `instances`."""
    return stem_word(word) in _HEADS


def _is_whole(claim: Claim, start: int, end: int) -> bool:
    """Whether what stands between two places is a value of its own: `Redis` is none of `Redis Sentinel`."""
    behind = claim.words[end] if end < len(claim.words) else ""
    before = claim.words[start - 1] if start else ""
    is_doer = start == 0 and behind.endswith("s") and claim.words[end + 1 : end + 2] in _OBJECTS
    return (_is_edge(behind) or stem_word(behind) in _HEADS or is_doer) and (
        end - start > 1
        or _is_edge(before)
        or before in claim.names
        or claim.words[start] in claim.names
        or start == 1
    )
