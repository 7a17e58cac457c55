"""Prompts and records that share no word: what words (for the same matter), vectors and both find."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate.asking import search_records
from engram_hooks.recall import rank, route
from engram_hooks.recall.topics import find_words, stem_of
from engram_hooks.sessions import minder
from engram_hooks.store.boot import told_records
from engram_hooks.store.matching import count_terms
from engram_hooks.terms import query_terms
from tests.evaluation.tables import read_table

PAIRS = read_table("paraphrases.txt", 2)
# hit@1 and hit@3 that must not be lost
FLOORS = {"words": (0.25, 0.4), "vectors": (0.25, 0.5), "both": (0.38, 0.56)}


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engram]:
    """The records of all pairs: each stands among those of all others."""
    home: Path = tmp_path_factory.mktemp("paraphrases")
    with Engram(home=home, cwd=home, environ={"HOME": str(home)}) as memory:
        memory.import_records(
            {"id": f"r{at}", "project": "p", "kind": "fact", "text": text}
            for at, (_, text) in enumerate(PAIRS)
        )
        yield memory


def test_table_is_what_it_says() -> None:
    assert len(PAIRS) >= 60
    assert len({record for _, record in PAIRS}) == len(PAIRS)
    for prompt, record in PAIRS:
        stems = [(term, stem_of(term)) for term in query_terms(prompt)]
        assert find_words(record, record.lower(), stems) == [], prompt


def _rank_of(wanted: int, ordered: Sequence[int]) -> int:
    return ordered.index(wanted) + 1 if wanted in ordered else 1_000


def test_hits(memory: Engram) -> None:
    ranks: dict[str, list[int]] = {"words": [], "vectors": [], "both": []}
    search_records.catch_up(memory.db, memory.question("x", project="p"))
    project_id = memory.question("x", project="p").project_id or 0
    rows = told_records(memory.db, range(1, 400))
    for at, (prompt, _) in enumerate(PAIRS, 1):
        terms, names = route.plan(prompt)
        cosines = minder.find_cosines(
            memory.db, memory.data, prompt, project_id=project_id, environ={}, limit=len(rows)
        )
        ranks["vectors"].append(_rank_of(at, list(cosines)))
        counts = count_terms(memory.db, "records", [*terms, *names])
        intent = route.find_intent(prompt)
        for name, given in (("words", None), ("both", cosines)):
            scored = rank.score(terms, names, rows, df=counts, total=len(rows), cosines=given, intent=intent)
            ranks[name].append(_rank_of(at, [row[0] for value, row, _ in scored if value]))
    for name, found in ranks.items():
        first, third = (sum(place <= most for place in found) / len(found) for most in (1, 3))
        print(f"{name}: hit@1 {first:.3f}, hit@3 {third:.3f}")
        assert first >= FLOORS[name][0]
        assert third >= FLOORS[name][1]
