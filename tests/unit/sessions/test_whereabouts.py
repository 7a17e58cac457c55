"""Paths as tools are given them."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from engram_hooks.sessions.whereabouts import ignores_case, list_spellings, make_absolute, target_of


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param("a/b.py", "/srv/a/b.py", id="relative"),
        pytest.param("/x/b.py", "/x/b.py", id="absolute"),
        pytest.param("~/b.py", "/home/ana/b.py", id="home"),
        pytest.param("~", "/home/ana", id="home itself"),
        pytest.param("~b.py", "/srv/~b.py", id="a name that begins so"),
    ],
)
def test_path_is_made_absolute(path: str, expected: str) -> None:
    assert make_absolute(path, cwd="/srv", home="/home/ana") == expected


@pytest.mark.parametrize(
    ("path", "cwd", "home"),
    [
        pytest.param("", "/srv", "/home/ana", id="empty"),
        pytest.param("a\0b", "/srv", "/home/ana", id="no path"),
        pytest.param("a.py", "", "/home/ana", id="relative to nothing"),
        pytest.param("~/a.py", "/srv", "", id="no home"),
    ],
)
def test_what_is_no_path_is_empty(path: str, cwd: str, home: str) -> None:
    assert make_absolute(path, cwd=cwd, home=home) == ""


@pytest.mark.parametrize("key", ["file_path", "notebook_path", "path"])
def test_target_is_found_by_each_name(key: str) -> None:
    assert target_of({"tool_input": {"command": "x", key: "/a"}}) == "/a"


@pytest.mark.parametrize(
    "given", [None, [], "x", {}, {"file_path": None}, {"file_path": ["a"]}, {"file_path": ""}]
)
def test_input_without_a_path_has_no_target(given: object) -> None:
    assert target_of({"tool_input": given}) == ""


def test_name_with_accents_has_other_spellings() -> None:
    composed = unicodedata.normalize("NFC", "src/café.py")
    apart = unicodedata.normalize("NFD", composed)
    assert (list_spellings(composed), list_spellings(apart)) == ([apart], [composed])
    assert list_spellings("src/cafe.py") == list_spellings("名前.py") == []


def test_case_counts_where_the_system_keeps_it_apart(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"")
    os.link(tmp_path / "a.py", tmp_path / "A.PY")
    (tmp_path / "b.py").write_bytes(b"")
    assert ignores_case(str(tmp_path / "a.py"))
    assert not ignores_case(str(tmp_path / "b.py"))
    assert not ignores_case(str(tmp_path / "none.py"))
    assert not ignores_case(str(tmp_path / "123"))
