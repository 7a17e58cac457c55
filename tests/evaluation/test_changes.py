"""How well changes and repetitions are told from what is only alike: never at the price of a true record."""

from __future__ import annotations

from collections import Counter

import pytest

from engram_hooks.curate.changes.claims import read_claims
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.resolve import CHANGE, SAME, relate
from tests.evaluation.tables import read_table

KINDS = "change", "same", "refine", "other", "rejected", "mention"
# (precision, recall) of changes, then of repetitions, that must not be lost
FLOORS = {
    "changes.txt": ((0.97, 0.93), (0.95, 0.55)),
    "changes_other.txt": ((0.95, 0.8), (0.85, 0.8)),
}


@pytest.mark.parametrize("name", FLOORS)
def test_table_is_what_it_says(name: str) -> None:
    rows = read_table(name, 3)
    assert {row[0] for row in rows} == set(KINDS)
    assert len({tuple(row) for row in rows}) == len(rows)
    assert sum(row[0] != "change" for row in rows) * 2 >= len(rows)


@pytest.mark.parametrize("name", FLOORS)
def test_changes_are_told_from_what_is_only_alike(name: str) -> None:
    found: Counter[tuple[str, str]] = Counter()
    with open_measure() as measure:
        for kind, old, new in read_table(name, 3):
            found[kind, relate(read_claims(new), read_claims(old), measure).kind] += 1
    for wanted, told, floors in zip(("change", "same"), (CHANGE, SAME), FLOORS[name], strict=True):
        right = found[wanted, told]
        precision = right / sum(count for (_, is_told), count in found.items() if is_told == told)
        recall = right / sum(count for (kind, _), count in found.items() if kind == wanted)
        assert (precision, recall) >= (floors[0], 0.0), f"{told}: {precision:.3f}"
        assert recall >= floors[1], f"{told}: {recall:.3f}"


def test_sentences_of_many_projects_replace_each_other_hardly_ever() -> None:
    texts = [row[2] for row in read_table("minder_records.txt", 3)]
    texts += [row[1] for row in read_table("paraphrases.txt", 2)]
    claims = [read_claims(text) for text in texts]
    with open_measure() as measure:
        wrong = [
            (texts[at], texts[before])
            for at, new in enumerate(claims)
            for before in range(at)
            if relate(new, claims[before], measure).kind == CHANGE
        ]
    assert len(wrong) <= 3, wrong
