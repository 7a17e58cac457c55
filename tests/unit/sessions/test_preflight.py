"""What an index knows of lines: fixes that they carry, by whom they are touched, and what goes along."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks.sessions import preflight
from engram_hooks.store import index_changes, index_commits, index_create, index_partners
from engram_hooks.store.index_briefs import find_file_id, line_key, pack_keys, pack_lines
from engram_hooks.store.index_changes import SymbolRow
from engram_hooks.store.index_commits import CommitRow
from engram_hooks.store.index_files import open_index
from engram_hooks.store.index_ownership import GuardRow
from engram_hooks.store.index_partners import PartnerRow
from engram_hooks.store.transactions import Transaction

UID = "ab" * 16
HEAD = [
    "def load(path):",
    "    with open(path) as file:",
    "        text = file.read()",
    "        return text.strip()",
]
GONE = ["cache = {}", "if path in cache:"]
PATHS = "src/app.py", "src/near.py", "src/far.py", "src/Straße.py"


def commit(number: int, intent: str) -> CommitRow:
    name = f"{number:040x}"
    return CommitRow(
        name,
        (),
        number,
        number,
        "Ana",
        f"{intent} {number}",
        "",
        "",
        intent,
        False,
        False,
        "",
        ("", "", "", ""),
    )


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Connection]:
    """An index with one file of four lines: a fix owns two of them, a revert one; it took out two others."""
    data = str(tmp_path)
    db = index_create.ensure_index(data, UID)
    index_commits.add_batch(db, [(commit(1, "bugfix"), [], []), (commit(2, "revert"), [], [])])
    fix = GuardRow(1, 0.9, pack_lines([(line, line_key(HEAD[line - 1])) for line in (2, 3)]), b"")
    revert = GuardRow(2, 0.5, pack_lines([(4, line_key(HEAD[3]))]), pack_keys(map(line_key, GONE)))
    with Transaction(db):
        index_changes.set_tree(db, dict.fromkeys(PATHS, "00" * 20), lambda _: "source")
        ids = [find_file_id(db, path) or 0 for path in PATHS]
        others = [(ids[1], 9, True), (ids[2], 1, True), (ids[3], 9, False)]
        rows = [
            PartnerRow(one, 0.5, support, 10, is_hidden=True, speaks=speaks)
            for one, support, speaks in others
        ]
        index_partners.put_partners(db, {ids[0]: rows})
    symbol = SymbolRow("load", "load", "function", 1, 1, 4, ())
    index_changes.put_symbols(db, [(ids[0], [symbol])], {ids[0]: [fix, revert]})
    db.close()
    reader = open_index(data, UID)
    yield reader
    reader.close()


@pytest.fixture
def file_id(index: Connection) -> int:
    return find_file_id(index, "src/app.py") or 0


def test_fixes_are_named_with_lines_of_now_and_their_symbol(index: Connection, file_id: int) -> None:
    found = preflight.find_carried_fixes(index, file_id, ["import os", *HEAD], first_line=10)
    assert [(deed[2:], ranges, symbol) for deed, ranges, symbol in found] == [
        (("bugfix", "bugfix 1"), [(12, 13)], "load"),
        (("revert", "revert 2"), [(14, 14)], "load"),
    ]


@pytest.mark.parametrize("texts", [[], ["x = 1"], ["", "    "], ["def load(path):"]])
def test_lines_without_a_fix_name_none(index: Connection, file_id: int, texts: list[str]) -> None:
    assert preflight.find_carried_fixes(index, file_id, texts, first_line=1) == []


def test_partners_are_those_that_speak_and_usually_change_along(index: Connection, file_id: int) -> None:
    assert preflight.find_mates(index, file_id) == [("src/near.py", 9, 10, True)]


def touched(
    index: Connection, file_id: int, old: list[str], new: list[str], at: int = 0
) -> list[tuple[str, int, object, int, str]]:
    found = preflight.find_touched(index, file_id, [(old, new, at)])
    return [(deed[3], lost, list(ranges), back, text) for deed, lost, ranges, back, text in found]


def test_change_names_what_it_takes_out(index: Connection, file_id: int) -> None:
    new = [HEAD[0], HEAD[1], "        text = file.read(9)", HEAD[3]]
    assert touched(index, file_id, HEAD, new) == [("bugfix 1", 1, [], 0, HEAD[2])]
    assert touched(index, file_id, HEAD, new, at=20) == [("bugfix 1", 1, [(22, 22)], 0, HEAD[2])]


def test_change_names_what_it_brings_back(index: Connection, file_id: int) -> None:
    assert touched(index, file_id, HEAD, [*GONE, *HEAD]) == [("revert 2", 0, [], 2, GONE[0])]
    assert touched(index, file_id, HEAD[3:], GONE) == [("revert 2", 1, [], 2, HEAD[3])]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(HEAD, HEAD, id="nothing"),
        pytest.param(HEAD, ["import os", *HEAD], id="a line comes"),
        pytest.param(HEAD, [HEAD[0], *(f"  {line}" for line in HEAD[1:])], id="an indent"),
        pytest.param(HEAD[:1], ["def load(path, mode):"], id="a line without a fix"),
        pytest.param(HEAD, [*GONE[:1], *HEAD], id="one of two that were taken out"),
        pytest.param([], [], id="no lines"),
    ],
)
def test_harmless_change_touches_nothing(
    index: Connection, file_id: int, old: list[str], new: list[str]
) -> None:
    assert touched(index, file_id, old, new) == []


def test_pieces_of_a_change_are_added_up(index: Connection, file_id: int) -> None:
    pieces: list[tuple[list[str], list[str], int]] = [([HEAD[1]], [], 2), ([HEAD[2]], [], 3)]
    ((_, lost, ranges, _, _),) = preflight.find_touched(index, file_id, pieces)
    assert (lost, ranges) == (2, [(2, 3)])


def test_whole_content_names_what_it_leaves_out_and_brings_back(index: Connection, file_id: int) -> None:
    found = preflight.find_left_out(index, file_id, [HEAD[0], HEAD[1], HEAD[3], *GONE])
    assert [(deed[3], lost, back) for deed, lost, _, back, _ in found] == [
        ("bugfix 1", 1, 0),
        ("revert 2", 0, 2),
    ]
    assert preflight.find_left_out(index, file_id, HEAD) == []


def test_file_is_found_however_its_name_is_written(index: Connection, tmp_path: Path) -> None:
    (tmp_path / "same").mkdir()
    for name in ("app.py", "APP.PY"):
        (tmp_path / "same" / name).write_bytes(b"")
    same, apart = str(tmp_path / "same" / "APP.PY"), str(tmp_path / "apart.py")
    assert preflight.find_file(index, "src/APP.PY", same) is None
    (tmp_path / "same" / "app.py").unlink()
    os.link(same, tmp_path / "same" / "app.py")
    assert preflight.find_file(index, "src/APP.PY", same) == find_file_id(index, "src/app.py")
    assert preflight.find_file(index, "src/APP.PY", apart) is None
    assert preflight.find_file(index, "src/a_p.py", same) is None
