"""The benchmark of the closed loop: its world, and a small run of it through the hooks."""

from __future__ import annotations

import pytest

from engram_hooks.bench.loop.measure import Outcome, Plan, measure
from engram_hooks.bench.loop.world import DECKS, EMPTY, LATE, USEFUL, World, make_world


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    """One run of four windows."""
    folder = tmp_path_factory.mktemp("loop")
    return measure(Plan(turns=80, runs=1), folder, tick=lambda: None)


def test_notes_of_no_use_fall_silent(outcome: Outcome) -> None:
    first, *_, last = outcome.windows
    assert first.empty >= 5
    assert outcome.fall >= 0.7
    assert outcome.fall_beside >= 0.7
    assert last.empty < last.empty_without


def test_useful_notes_are_told_as_before(outcome: Outcome) -> None:
    met = sum(window.recall for window in outcome.windows)
    without = sum(window.recall_without for window in outcome.windows)
    assert met >= without - 0.05
    assert met / len(outcome.windows) > 0.6


@pytest.mark.parametrize("split", sorted(DECKS))
class TestWorld:
    """The made-up projects."""

    def make(self, split: str, *, has_late: bool = False) -> World:
        return make_world(split, 3, has_late=has_late)

    def test_a_tenth_of_the_notes_is_of_no_use(self, split: str) -> None:
        sorts = [note.sort for note in self.make(split).notes]
        assert (sorts.count(USEFUL), sorts.count(EMPTY)) == (90, 10)
        late = [note.sort for note in self.make(split, has_late=True).notes]
        assert (late.count(LATE), late.count(EMPTY)) == (1, 9)

    def test_same_seed_is_the_same_world(self, split: str) -> None:
        one, other = self.make(split), self.make(split)
        assert one.notes == other.notes
        assert list(one.ask(50, late_from=50)) == list(other.ask(50, late_from=50))

    def test_no_prompt_gives_the_value_away(self, split: str) -> None:
        deck = DECKS[split]
        for facet in deck.facets:
            assert len(set(facet.values)) == len(deck.areas)
            assert all("{v}" not in prompt and "{a}" in prompt for prompt in facet.prompts)
            assert "{v}" in facet.note
            assert "{v}" in facet.code

    def test_late_note_is_needed_from_its_turn_on(self, split: str) -> None:
        asked = list(self.make(split, has_late=True).ask(80, late_from=40))
        assert all(turn.need.sort != LATE for turn in asked[:40])
        assert sum(turn.need.sort == LATE for turn in asked[40:]) == 10


def test_splits_share_no_words_of_their_own() -> None:
    dev, unseen = DECKS["dev"], DECKS["unseen"]
    assert not set(dev.areas) & set(unseen.areas)
    values = [{value for facet in deck.facets for value in facet.values} for deck in (dev, unseen)]
    assert not values[0] & values[1]
    assert not {facet.topic for facet in dev.facets} & {facet.topic for facet in unseen.facets}
