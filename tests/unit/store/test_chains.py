"""Chains of successors."""

from __future__ import annotations

from itertools import pairwise
from sqlite3 import Connection

from engram_hooks.store import records
from engram_hooks.store.chains import find_ends, read_links

NOW = 1_780_000_000_000


def add(store: Connection, count: int) -> list[int]:
    """New records of one project."""
    row = {"kind": "decision", "project_id": 1, "summary": "quartz"}
    return [records.insert(store, row, now_ms=NOW, actor="person") for _ in range(count)]


def link(store: Connection, old: int, new: int) -> None:
    """Let one record replace another."""
    records.supersede(store, old, new, at_ms=NOW, now_ms=NOW, actor="person")


def test_a_chain_is_found_from_each_of_its_records(store: Connection) -> None:
    first, twin, second, third, other = add(store, 5)
    link(store, first, second)
    link(store, twin, second)
    link(store, second, third)
    expected = {first: second, twin: second, second: third, third: None}
    for one in expected:
        links = read_links(store, [one])
        assert links == expected
        assert find_ends(links) == dict.fromkeys(expected, third)
    assert read_links(store, [other]) == {other: None}
    assert read_links(store, []) == {}


def test_a_long_chain_is_cut_and_a_circle_ends(store: Connection) -> None:
    chain = add(store, 80)
    for old, new in pairwise(chain):
        link(store, old, new)
    links = read_links(store, [chain[0]])
    assert 60 < len(links) < 80
    assert len(set(find_ends(links).values())) == 1
    assert set(find_ends({1: 2, 2: 1})) == {1, 2}


def test_many_ids_are_read_in_parts(store: Connection) -> None:
    ids = add(store, 450)
    assert read_links(store, ids) == dict.fromkeys(ids)
