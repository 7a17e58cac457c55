"""The made-up year: its plan follows from the seed, its truth is kept, its figures are what was told."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engram_hooks.bench.year.chart import draw
from engram_hooks.bench.year.checkouts import Checkout
from engram_hooks.bench.year.measure import measure
from engram_hooks.bench.year.plot import Branch, Fact, Year, holds, plan_year
from engram_hooks.bench.year.wording import SPLITS, read_deck
from engram_hooks.bench.year.world import RIGHT, UNKNOWN, WRONG, World
from engram_hooks.history import git

MONGO = Fact("value", 0, "database", "Mongo", from_day=0, to_day=10)
POSTGRES = Fact("value", 0, "database", "Postgres", from_day=10, to_day=30)
AGAIN = Fact("value", 0, "database", "Mongo", from_day=30, to_day=60)
LEAK = Fact("finding", 0, "leak", path="src/a.py", from_day=2, to_day=20)
MERGED = Fact("branch", 0, "writes", branch="feature/x", from_day=3)
SPIKE = Fact("branch", 0, "offline", branch="spike", from_day=3)
TEXTS = {
    "Orders are stored in Mongo.": MONGO,
    "Orders are stored in Postgres.": POSTGRES,
    "src/a.py leaks.": LEAK,
    "The importer writes to the new table.": MERGED,
    "The importer works offline.": SPIKE,
}


@pytest.fixture
def world() -> World:
    year = Year(60, facts=[MONGO, POSTGRES, AGAIN, LEAK, MERGED, SPIKE])
    year.branches = [Branch(0, "feature/x", 3, 12, True), Branch(0, "spike", 3, 12, False)]
    found = World(year)
    for text, fact in TEXTS.items():
        found.note(text, fact)
    return found


@pytest.mark.parametrize(
    ("text", "day", "verdict"),
    [
        ("orders are stored in mongo", 5, RIGHT),
        ("Orders are stored in Mongo.", 15, WRONG),
        ("Orders are stored in Mongo.", 40, RIGHT),  # decided anew
        ("Orders are stored in Postgres.", 15, RIGHT),
        ("src/a.py leaks.", 19, RIGHT),
        ("src/a.py leaks.", 20, WRONG),
        ("Both: orders are stored in Postgres; src/a.py leaks.", 15, RIGHT),
        ("Both: orders are stored in Postgres; src/a.py leaks.", 25, WRONG),
        ("The importer writes to the new table.", 5, WRONG),  # the mainline is checked out
        ("The importer writes to the new table.", 4, RIGHT),  # its branch is
        ("The importer writes to the new table.", 12, RIGHT),  # merged
        ("The importer works offline.", 12, WRONG),  # given up
        ("Something else.", 5, UNKNOWN),
    ],
)
def test_text_is_judged_by_what_is_so_on_the_day(world: World, text: str, day: int, verdict: str) -> None:
    assert world.judge(text, project=0, day=day) == verdict


def test_other_project_is_told_nothing_right(world: World) -> None:
    assert world.judge("Orders are stored in Mongo.", project=1, day=5) == WRONG


def test_what_was_said_before_is_no_second_time_right(world: World) -> None:
    texts = ["Orders are stored in Postgres.", "orders are stored in postgres", "src/a.py leaks.", "Hm."]
    assert world.count_told(texts, project=0, day=15) == (3, 2)


@pytest.mark.parametrize("split", SPLITS)
def test_year_follows_from_its_seed(split: str) -> None:
    deck = read_deck(split)
    one, same, other = (plan_year(deck, days=60, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one.statements != other.statements


@pytest.mark.parametrize("split", SPLITS)
def test_a_subject_has_one_value_at_a_time_and_every_kind_of_thing_happens(split: str) -> None:
    year = plan_year(read_deck(split), days=250, seed=3)
    spans: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for fact in year.facts:
        if fact.kind == "value":
            assert fact.to_day is not None
            spans.setdefault((fact.project, fact.about), []).append((fact.from_day, fact.to_day))
    for own in spans.values():
        own.sort()
        assert all(before[1] <= after[0] for before, after in pairwise(own))
    assert {fact.kind for fact in year.facts} == {
        "value",
        "rule",
        "wish",
        "finding",
        "date",
        "trifle",
        "branch",
    }
    assert any(not one.kind for many in year.statements.values() for one in many)
    assert all(holds(fact, fact.from_day) for fact in year.facts if fact.kind != "trifle")


def test_split_unseen_shares_no_subject_with_dev() -> None:
    dev, unseen = read_deck("dev"), read_deck("unseen")
    assert not {one.name for one in dev.subjects} & {one.name for one in unseen.subjects}
    sentences = [
        {text for one in deck.subjects for text in (*one.stated, *one.changed)} for deck in (dev, unseen)
    ]
    assert not sentences[0] & sentences[1]


def test_checkout_has_the_files_and_branches_of_its_day(tmp_path: Path) -> None:
    year = plan_year(read_deck("dev"), days=60, seed=5)
    checkout = Checkout(tmp_path / "repo", year, 0)
    branch = next(one for one in year.branches if one.project == 0 and one.is_merged)
    for day in (branch.from_day + 1, branch.to_day, 59):
        on = checkout.turn(day)
        assert on == year.branch_on(0, day)
        listed = git.run(["ls-tree", "-r", "--name-only", "main"], str(tmp_path / "repo")).decode().split()
        assert {path for path in listed if path.startswith("src/") and path.count("/") > 1} == set(
            year.files_on(0, day)
        )
        heads = (
            git.run(["for-each-ref", "--format=%(refname:short)"], str(tmp_path / "repo")).decode().split()
        )
        assert (branch.name in heads) == (branch.from_day <= day < branch.to_day)


@pytest.mark.slow
def test_short_year_is_played_and_drawn(tmp_path: Path) -> None:
    ticks: list[None] = []
    found = measure("dev", tmp_path, days=12, log_rows=360, tick=lambda: ticks.append(None))
    assert len(found.with_it) == len(found.without) == 12
    assert len(ticks) == 2 * 12
    assert found.with_it[-1].log_rows >= 360
    assert all(0 <= month.pack_precision <= 1 and month.pack_chars <= 4_000 for month in found.with_it)
    assert found.kept.protected > 0 == found.kept.protected_changed
    assert found.kept.restored == found.kept.put_away
    drawing = ElementTree.fromstring(draw(found))
    assert len([one for one in drawing.iter() if one.tag.endswith("path")]) == 10
