"""The notes of a made-up project, and what its people ask for turn by turn."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from engram_hooks.bench.loop.development import DEVELOPMENT
from engram_hooks.bench.loop.unseen import UNSEEN
from engram_hooks.bench.loop.words import Deck

DECKS = {"dev": DEVELOPMENT, "unseen": UNSEEN}
USEFUL, EMPTY, LATE = "useful", "empty", "late"
# a third of what is known is asked for two times in three
_HOT_SHARE, _HOT_ODDS = 3, 2 / 3
_TURNS_A_SESSION = (4, 8)
# an empty note names so many of ten areas, and so many of nine topics
_AREAS_NAMED, _TOPICS_NAMED = 4, 5


@dataclass(frozen=True, slots=True)
class Note:
    """One note: of use to the prompts of its own, empty, or empty until late (then it has prompts, too)."""

    id: str
    sort: str
    text: str
    prompts: tuple[str, ...]
    code: str


@dataclass(frozen=True, slots=True)
class Asked:
    """One turn to come: the prompt, the note that it needs, and what an agent does that uses it, or any other."""

    session: int
    prompt: str
    need: Note
    said: str
    code: str


@dataclass(frozen=True, slots=True)
class World:
    """All notes of a project, and the source of chance for what happens in it."""

    deck: Deck
    notes: tuple[Note, ...]
    rng: random.Random

    def ask(self, turns: int, *, late_from: int) -> Iterator[Asked]:
        """The turns to come, in sessions; from `late_from` on every fourth needs the note that was empty so far."""
        useful = [note for note in self.notes if note.sort == USEFUL]
        late = next((note for note in self.notes if note.sort == LATE), None)
        hot = self.rng.sample(useful, len(useful) // _HOT_SHARE)
        session, left = 0, 0
        for turn in range(turns):
            if not left:
                session, left = session + 1, self.rng.randint(*_TURNS_A_SESSION)
            left -= 1
            need = self.rng.choice(hot if self.rng.random() < _HOT_ODDS else useful)
            if late and turn >= late_from and turn % 4 == 0:
                need = late
            said = " ".join(self.rng.sample(self.deck.said, 3))
            yield Asked(session, self.rng.choice(need.prompts), need, said, self.rng.choice(self.deck.code))


def make_world(split: str, seed: int, *, has_late: bool) -> World:
    """The project of a split: nine notes of ten are of use. Pure: the same seed, the same world."""
    deck, rng = DECKS[split], random.Random(seed)  # noqa: S311 (data for a benchmark)
    notes = [
        Note(
            id=f"{number}-{area}",
            sort=USEFUL,
            text=_capital(facet.note.format(a=area, v=facet.values[at])),
            prompts=tuple(prompt.format(a=area) for prompt in facet.prompts),
            code=facet.code.format(v=facet.values[at]),
        )
        for number, facet in enumerate(deck.facets)
        for at, area in enumerate(deck.areas)
    ]
    empty = [_make_empty(deck, rng, at, is_late=has_late and not at) for at in range(len(notes) // 9)]
    notes += empty
    rng.shuffle(notes)
    return World(deck, tuple(notes), rng)


def correct(asked: Asked, deck: Deck) -> Asked:
    """What a user says next whose agent did not know of the late note."""
    prompt = f"no, use {deck.late_value} for that"
    return Asked(asked.session, prompt, asked.need, asked.said, asked.need.code)


def _make_empty(deck: Deck, rng: random.Random, at: int, *, is_late: bool) -> Note:
    """A note that names areas and topics and says nothing of them; a late one names a value, and is needed there."""
    areas = rng.sample(deck.areas, _AREAS_NAMED)
    facets = rng.sample(deck.facets, _TOPICS_NAMED)
    names = {"areas": ", ".join(areas), "topics": ", ".join(facet.topic for facet in facets)}
    text = _capital(deck.empty[at % len(deck.empty)].format(**names))
    if not is_late:
        return Note(f"empty-{at}", EMPTY, text, (), "")
    prompts = [
        f"{prompt.format(a=area)}, and the same for {other} and {third}"
        for facet in facets
        for prompt in facet.prompts
        for area, other, third in zip(areas, areas[1:], areas[2:], strict=False)
    ]
    return Note(
        f"empty-{at}",
        LATE,
        text + deck.late.format(v=deck.late_value),
        tuple(prompts),
        f'run("{deck.late_value}")',
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
