"""Reading a record: the things it speaks of, and how they stand to each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from engram_hooks.curate.relations import words
from engram_hooks.curate.relations.entities import (
    Entity,
    find_entities,
    read_glob,
    skip_versions,
)
from engram_hooks.curate.relations.patterns import DENIED, FIRST, PATTERNS, PEOPLE, UNSAID

MAX_TEXT_CHARS = 4_000
MAX_ENTITIES = 24
MAX_RELATIONS = 16
_MAX_SENTENCE_THINGS = 30
_FENCE = re.compile(r"^```.*?(?:^```|\Z)", re.MULTILINE | re.DOTALL)
_BREAK = re.compile(r"(?<=[.!?;])\s+(?=[\"'(]?[A-Z`@\d])|\n+\s*(?:[-*•]\s+)?|;\s+")
_DIGITS = re.compile(r"[\ue000-\uf8ff]")
_KINDS = "person", "file", "symbol", "service", "tool", "concept"
_NO_ENDS = frozenset(
    "it they we you he she i this that these those which who what everything nothing something anything anyone one"
    " everyone nobody someone there here both all none and but or so then also just only please never always if when"
    " while because since until after before not".split()
)
_NO_FIRST = _NO_ENDS | frozenset(
    "use uses using used avoid prefer keep make let run do does did don't move moved moving switch switched replace"
    " replaced the our your my its a an new old to for from with in on by as of at".split()
)
# what stands for a subject must not be a verb or a state
_NO_ABOUT = frozenset(
    "should must will would could can may might does did has have had was were been being are is that which who"
    " team teams thing things way people code change changes".split()
)


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing that a record speaks of: how it is compared, how it is written, what it is."""

    norm: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a record says: things, and (source, kind, target) by their norms; both in order, each once."""

    things: tuple[Thing, ...]
    relations: tuple[tuple[str, str, str], ...]


def read_record(
    summary: str, detail: str = "", paths: Sequence[str] = (), *, known: frozenset[str] = frozenset()
) -> Reading:
    """The things of a record and their relations; long texts are read to `MAX_TEXT_CHARS`.

    `known` are names (as they are compared) of other records: where a sentence begins with one, it is meant.
    """
    sentences = list(split_sentences(f"{summary}\n{_FENCE.sub('', detail)}"[:MAX_TEXT_CHARS]))
    plain = [find_entities(sentence) for sentence in sentences]
    known = (known - _NO_FIRST) | _find_known(plain)
    things: dict[str, Thing] = {}
    relations: dict[tuple[str, str, str], None] = {}
    for sentence, alone in zip(sentences, plain, strict=True):
        found, related = _read_sentence(sentence, _know(sentence, alone, known))
        for one in found:
            _add(things, one)
        relations |= dict.fromkeys(related)
    for glob in paths:
        file = read_glob(glob)
        if file is not None:
            _add(things, file)
    kept = dict(list(things.items())[:MAX_ENTITIES])
    held = [one for one in relations if one[0] in kept and one[2] in kept]
    return Reading(tuple(kept.values()), tuple(held[:MAX_RELATIONS]))


def split_sentences(text: str) -> Iterator[str]:
    """The sentences of a text, a line or a point of a list being one as well."""
    for part in _BREAK.split(_DIGITS.sub(" ", text)):
        sentence = " ".join(part.strip().lstrip("-*•> ").split())
        if sentence:
            yield sentence


def _know(sentence: str, alone: list[Entity], known: frozenset[str]) -> list[Entity]:
    """The things of a sentence where `known` are names; looked for anew only where that changes anything."""
    words_here = {word.strip(".,:;!?()\"'*").lower() for word in sentence.split()}
    sure = {one.norm for one in alone if one.is_sure}
    return find_entities(sentence, known=known) if known & words_here - sure else alone


def _read_sentence(sentence: str, things: list[Entity]) -> tuple[list[Entity], list[tuple[str, str, str]]]:
    """(the things of one sentence, how they stand to each other); both may be empty."""
    found = skip_versions(sentence, things)[:_MAX_SENTENCE_THINGS]
    people = _find_people(sentence, found)
    found = [replace(one, kind="person") if at in people else one for at, one in enumerate(found)]
    is_said = bool(found) and UNSAID.search(sentence) is None
    links = list(_find_links(sentence, found)) if is_said else []
    ends = {end for source, _, target in links for end in (source.norm, target.norm)}
    told = [one for at, one in enumerate(found) if one.is_sure or one.norm in ends or at in people]
    known_norms = {one.norm for one in told}
    plain = [end for source, _, target in links for end in (source, target) if end.norm not in known_norms]
    return _name_tools([*told, *plain], links), [(a.norm, kind, b.norm) for a, kind, b in links]


def _find_known(found: Sequence[Sequence[Entity]]) -> frozenset[str]:
    """Words that stand capitalised within a sentence: at a start they are names, too."""
    return frozenset(
        one.norm
        for things in found
        for one in things
        if one.is_sure and not one.is_start and one.name[:1].isupper() and " " not in one.name
    )


def _add(things: dict[str, Thing], one: Entity) -> None:
    norm = one.norm
    if len(norm) < 2:
        return
    old = things.get(norm)
    if old is None:
        things[norm] = Thing(norm, one.name, one.kind)
    elif _KINDS.index(one.kind) < _KINDS.index(old.kind):
        things[norm] = replace(old, kind=one.kind)


def _mask_both(sentence: str, found: Sequence[Entity]) -> list[str]:
    """The sentence with a character for each thing, first without what may be a mere word at its start."""
    is_doubtful = bool(found) and found[0].is_start and not found[0].is_sure
    return [_mask(sentence, found, skipped=skipped) for skipped in ((1, 0) if is_doubtful else (0,))]


def _mask(sentence: str, found: Sequence[Entity], *, skipped: int) -> str:
    parts, at = [], 0
    for number, one in enumerate(found[skipped:], skipped):
        parts += [sentence[at : one.start], chr(ord(FIRST) + number)]
        at = one.end
    return "".join([*parts, sentence[at:]])


def _find_people(sentence: str, found: Sequence[Entity]) -> set[int]:
    people = {at for at, one in enumerate(found) if one.kind == "person"}
    for masked in _mask_both(sentence, found) if found else ():
        for pattern in PEOPLE:
            for match in pattern.finditer(masked):
                at = ord(match["p"]) - ord(FIRST)
                if _is_a_name(found[at]):
                    people.add(at)
    return people


def _is_a_name(one: Entity) -> bool:
    """Whether what was found can be the name of a person: one or two capitalised words, no known tool."""
    parts = one.name.split()
    is_capital = all(part.isalpha() and part[0].isupper() and part[1:].islower() for part in parts)
    return one.kind == "person" or (is_capital and len(parts) < 3 and one.norm not in words.TOOLS)


def _find_links(sentence: str, found: Sequence[Entity]) -> Iterator[tuple[Entity, str, Entity]]:
    """Relations by every pattern; a first word that may be a name is tried as a word, then as a name."""
    seen: set[tuple[str, str, str]] = set()
    for masked in _mask_both(sentence, found):
        for kind, said, needs_tool in PATTERNS:
            for match in said.finditer(masked):
                if DENIED.search(masked[: match.start()]) and kind != "conflicts_with":
                    continue
                for source, target in _read_ends(match, found, kind):
                    if needs_tool and target.kind != "tool":
                        continue
                    link = source.norm, kind, target.norm
                    if source.norm != target.norm and not _repeats(seen, link):
                        seen.add(link)
                        yield source, kind, target


def _repeats(seen: set[tuple[str, str, str]], link: tuple[str, str, str]) -> bool:
    """Whether a weaker way of saying it only repeats what was found of the same two things."""
    pair = {link[0], link[2]}
    return any({source, target} == pair for source, _, target in seen)


def _read_ends(match: re.Match[str], found: Sequence[Entity], kind: str) -> Iterator[tuple[Entity, Entity]]:
    groups = match.groupdict()
    sources = (
        _ends(groups["s"], found, said_as=groups.get("as")) if groups.get("s") else _about(groups.get("a"))
    )
    if "p" in groups:
        person = found[ord(groups["p"]) - ord(FIRST)]
        if _is_a_name(person):
            yield from ((one, replace(person, kind="person")) for one in sources)
        return
    for source in sources:
        for target in _ends(groups["t"], found):
            if _fits(source, kind, target):
                yield source, target


def _fits(source: Entity, kind: str, target: Entity) -> bool:
    """Whether two things can stand to each other so; one of them must be known by itself."""
    if kind == "part_of":
        is_code = source.kind in ("symbol", "file")
        return source.is_sure and (is_code or (source.kind == "service" and target.kind == "file"))
    if kind == "configured_by":
        return target.kind in ("file", "symbol")
    if kind == "owned_by":
        return True
    if "person" in (source.kind, target.kind):
        return False
    if kind in ("replaces", "chosen_over"):
        return bool(source.start or target.start or source.end or target.end)
    return True


def _ends(text: str, found: Sequence[Entity], *, said_as: str | None = None) -> list[Entity]:
    """The things that a group of a pattern holds, with the word behind them; a plain word becomes one."""
    things = [found[ord(char) - ord(FIRST)] for char in text if char >= FIRST]
    if things and said_as:
        return [Entity(0, 0, f"{things[-1].name} {said_as}", "concept")]
    if things:
        return things
    return [] if text in _NO_ENDS or text in words.VAGUE else [Entity(0, 0, text, "concept")]


def _about(text: str | None) -> list[Entity]:
    """The plain words that a sentence is about, as a thing; nothing where they are no noun."""
    low = (text or "").lower().split()
    if low and low[0] in ("the", "our", "all", "every", "each"):
        low = low[1:]
    is_vague = any(part in words.VAGUE or part in _NO_ABOUT or part.endswith("ly") for part in low)
    if not low or is_vague or low[0] in _NO_FIRST or low[-1] in _NO_ENDS:
        return []
    return [Entity(0, 0, " ".join(low), "concept")]


def _name_tools(found: Sequence[Entity], links: Sequence[tuple[Entity, str, Entity]]) -> list[Entity]:
    """Names of which only the place is known are tools where something uses, replaces or runs on them."""
    used = {
        target.norm for _, kind, target in links if kind in ("uses", "replaces", "chosen_over", "runs_on")
    }
    used |= {source.norm for source, kind, _ in links if kind in ("replaces", "chosen_over")}
    return [
        replace(one, kind="tool")
        if one.kind == "concept" and one.norm in used and (one.end or " " not in one.name)
        else one
        for one in found
    ]
