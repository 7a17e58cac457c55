"""How well things and their relations are read out of developers' sentences of many fields."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from engram_hooks.curate.relations.reading import read_record
from engram_hooks.curate.relations.words import normalise_name
from tests.evaluation.tables import read_table

MIN_PRECISION = 0.97
MIN_THINGS, MIN_RELATIONS = 0.93, 0.92

Link = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with what must be read out of it, and what else may be."""

    sentence: str
    things: frozenset[str]
    links: frozenset[Link]
    fine: frozenset[str]


def _names(field: str) -> frozenset[str]:
    return frozenset(normalise_name(name) for name in field.split(";") if name.strip())


def _link(field: str) -> Link:
    source, kind, target = (part.strip() for part in field.split(">"))
    return normalise_name(source), kind, normalise_name(target)


def _cases() -> list[Case]:
    out = []
    for sentence, things, links, fine in read_table("relation_sentences.txt", 4):
        wanted = frozenset(_link(field) for field in links.split(";") if field.strip())
        ends = {end for source, _, target in wanted for end in (source, target)}
        out.append(Case(sentence, _names(things), wanted, _names(fine) | _names(things) | ends))
    return out


CASES = _cases()


def test_precision_and_recall_of_things() -> None:
    wanted = found = wrong = 0
    for case in CASES:
        read = {thing.norm for thing in read_record(case.sentence).things}
        wanted, found = wanted + len(case.things), found + len(case.things & read)
        wrong += len(read - case.fine)
    print(f"things: precision {found / (found + wrong):.3f}, recall {found / wanted:.3f} of {wanted}")
    assert found / (found + wrong) >= MIN_PRECISION
    assert found / wanted >= MIN_THINGS


def test_precision_and_recall_of_relations() -> None:
    wanted = found = wrong = 0
    for case in CASES:
        read = set(read_record(case.sentence).relations)
        wanted, found = wanted + len(case.links), found + len(case.links & read)
        wrong += len(read - case.links)
    print(f"relations: precision {found / (found + wrong):.3f}, recall {found / wanted:.3f} of {wanted}")
    assert found / (found + wrong) >= MIN_PRECISION
    assert found / wanted >= MIN_RELATIONS


@pytest.mark.parametrize("case", [pytest.param(one, id=one.sentence) for one in CASES if not one.things])
def test_sentences_that_name_nothing_give_nothing(case: Case) -> None:
    read = read_record(case.sentence)
    assert {thing.norm for thing in read.things} <= case.fine
    assert set(read.relations) == set(case.links)
