"""What is asked of the memory once something was given up: edits to come, files read, prompts, failures."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from engram_hooks.bench.monorepo.code import Statement
from engram_hooks.bench.tries.player import Player
from engram_hooks.bench.tries.plot import Place, change, check_of, pick_at, pick_other
from engram_hooks.bench.tries.wording import Approach, Deck

GIVEN_UP, CURED, TASTE, TEST_FIRST = "given up", "cured later", "green and undone", "test first"
WARN, SILENT, PASS = "warn", "silent", "not held up"


@dataclass(frozen=True, slots=True)
class Story:
    """What one session tried at a place, how it ended, and the number that the store gave it (0: none)."""

    place: Place
    approach: Approach
    ending: str
    at: int
    replaces: bool
    before: str
    after: str
    attempt_id: int = 0


class Query(NamedTuple):
    """Something to ask in a session of its own, and what is wanted: a warning, silence, or no hold-up."""

    kind: str
    wanted: str
    ask: Callable[[Player], tuple[str, str]]


def queries_of(story: Story, deck: Deck, rng: random.Random) -> Iterator[Query]:
    """All that is asked about a story."""
    place, path = story.place, story.place.path
    wanted = WARN if story.ending == GIVEN_UP else SILENT
    kind = "edit: the same" if story.ending == GIVEN_UP else f"edit: the same, {story.ending}"
    yield Query(kind, wanted, lambda player: player.plan(path, story.before, story.after))
    if story.ending != GIVEN_UP:
        return
    for name, after in _likes(story, rng):
        yield Query(name, WARN, lambda player, after=after: player.plan(path, story.before, after))  # type: ignore[misc]
    yield Query("file written whole", WARN, lambda player: player.plan_whole(path, story.after))
    yield Query("file read", WARN, lambda player: player.read(path))
    check = check_of(place, story.approach, rng)
    if check.failed.startswith("Exit code"):
        yield Query("the same failure", WARN, lambda player: player.run(check.command, check.failed))
    for number, prompt in enumerate(story.approach.again):
        text = place.fill(prompt)
        name = "prompt: names the file" if "{p}" in prompt else "prompt: names the function"
        yield Query(name, WARN, lambda player, text=text: player.prompt(text))  # type: ignore[misc]
        assert number < 2
    yield from _quiet(story, deck, rng)


def _likes(story: Story, rng: random.Random) -> Iterator[tuple[str, str]]:
    place, like = story.place, story.approach.like
    yield "edit: in other words", change(place, place.routine, like, at=story.at, replaces=story.replaces)
    at = pick_at(place.routine, rng)
    yield (
        "edit: elsewhere in the function",
        change(place, place.routine, story.approach.rows, at=at, replaces=False),
    )


def _quiet(story: Story, deck: Deck, rng: random.Random) -> Iterator[Query]:
    """What has to stay silent: other wishes for the same file, with code of the same look."""
    place, path = story.place, story.place.path
    rows = [pick_other(deck.approaches, story.approach, rng).rows for _ in range(4)]
    sibling = change(place, place.sibling, rows[0], at=story.at, replaces=True)
    yield Query("edit: sibling function", SILENT, lambda player: player.plan(path, story.before, sibling))
    other = change(place, place.other, rows[1], at=pick_at(place.other, rng), replaces=True)
    yield Query("edit: another function", SILENT, lambda player: player.plan(path, story.before, other))
    noted = _with_note(place, rng)
    yield Query(
        "edit: a remark in the function", SILENT, lambda player: player.plan(path, story.before, noted)
    )
    apart = change(place, place.routine, rows[2], at=story.at, replaces=story.replaces)
    yield Query("edit: another approach there", PASS, lambda player: player.plan(path, story.before, apart))
    test = place.unit.test.path
    yield Query("file read: its test", SILENT, lambda player: player.read(test))
    aside = place.fill(rng.choice(deck.asides))
    yield Query("prompt: something else", SILENT, lambda player: player.prompt(aside))


def _with_note(place: Place, rng: random.Random) -> str:
    body = place.routine.body
    note = Statement("note", (f"see page {rng.randint(2, 90)} of the handbook",), 0)
    place.routine.body = [note, *body]
    try:
        return place.unit.text()
    finally:
        place.routine.body = body
