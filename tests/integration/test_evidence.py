"""Notes rest on commits, files, lines and symbols of the repository: given by hand, or named in their words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.cli.main import main
from engram_hooks.curate.ground.proofs import evidence_of
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.store import anchors
from tests.support.make_repo import Repo, make_repo

PAY = "def charge(order):\n    return order\n\n\nclass Queue:\n    def push(self):\n        return 1\n"


@pytest.fixture
def shop(tmp_path: Path, data: str) -> Repo:
    files: dict[str, str | bytes | None] = {
        "src/pay.py": PAY,
        "src/load.py": "x = 1\n",
        "lib/load.py": "x = 2\n",
    }
    return make_repo(tmp_path / "shop", files)


@pytest.fixture
def memory(shop: Repo) -> Iterator[Engram]:
    with Engram(cwd=shop) as memory:
        yield memory


def kept(memory: Engram, text: str, *evidence: str, **more: object) -> list[tuple[str, str, str, str]]:
    """(kind, ref, where it is named, state) of the anchors of a new note."""
    record = memory.add(text, kind="fact", evidence=evidence, **more)  # type: ignore[arg-type]
    found = anchors.read_anchors(memory.db, [record.id])[record.id]
    return [(one.kind, one.ref, one.source, one.state) for one in found]


@pytest.mark.parametrize(
    ("ref", "kind", "full"),
    [
        pytest.param("src/pay.py", "file", "src/pay.py", id="path"),
        pytest.param("src/pay.py:1-2", "lines", "src/pay.py:1-2", id="lines"),
        pytest.param("src/pay.py:5", "lines", "src/pay.py:5-5", id="line"),
        pytest.param("src/pay.py#charge", "symbol", "src/pay.py#charge", id="symbol"),
        pytest.param("src/pay.py#Queue.push", "symbol", "src/pay.py#Queue.push", id="method"),
        pytest.param("src/pay.py#push", "symbol", "src/pay.py#push", id="method by its name"),
        pytest.param("src/", "glob", "src/", id="folder"),
    ],
)
def test_what_is_given_is_an_anchor(memory: Engram, ref: str, kind: str, full: str) -> None:
    assert kept(memory, "Payments are charged once", ref) == [(kind, full, "given", "there")]


@pytest.mark.parametrize("name", ["", "HEAD", "HEAD~0", "main", "v1"])
def test_commit_may_be_given_by_its_start_or_a_name(memory: Engram, shop: Repo, name: str) -> None:
    shop.git("tag", "v1")
    head = shop.head()
    assert kept(memory, "Payments are charged once", name or head[:9]) == [("commit", head, "given", "there")]


@pytest.mark.parametrize(
    "ref",
    [
        pytest.param("src/gone.py", id="no such file"),
        pytest.param("src/pay.py:90-95", id="no such lines"),
        pytest.param("src/pay.py#refund", id="no such symbol"),
        pytest.param("deadbeef1", id="no such commit"),
        pytest.param("load.py", id="two of that name"),
        pytest.param("src/new.py", id="in the work tree alone"),
        pytest.param("#charge", id="nothing at all"),
    ],
)
def test_what_is_not_there_is_refused_before_anything_is_kept(memory: Engram, shop: Repo, ref: str) -> None:
    shop.write({"src/new.py": "y = 1\n"})
    with pytest.raises(UsageError):
        memory.add("Payments are charged once", evidence=[ref])
    assert memory.list_records() == []


def test_place_outside_the_repository_is_refused(memory: Engram) -> None:
    with pytest.raises(EngramError):
        memory.add("Payments are charged once", evidence=["../other/pay.py"])
    assert memory.list_records() == []


def test_staged_file_counts_from_its_commit_on(memory: Engram, shop: Repo) -> None:
    shop.write({"src/new.py": "y = 1\n"})
    shop.git("add", "-A")
    assert kept(memory, "Payments are charged once", "src/new.py") == [("file", "src/new.py", "given", "new")]


def test_paths_are_read_from_the_folder_that_one_stands_in(shop: Repo) -> None:
    with Engram(cwd=shop / "src") as memory:
        assert kept(memory, "Payments are charged once", "pay.py") == [
            ("file", "src/pay.py", "given", "there")
        ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            "charge() in src/pay.py is called once",
            [("file", "src/pay.py"), ("symbol", "src/pay.py#charge")],
            id="both",
        ),
        pytest.param("pay.py is the only one that charges", [("file", "src/pay.py")], id="name"),
        pytest.param("All of src/ is typed", [("glob", "src/")], id="folder"),
        pytest.param("The loader is load.py", [], id="two of that name"),
        pytest.param("src/new.py will do it", [], id="in the work tree alone"),
        pytest.param("charge() is called once", [], id="a symbol of nobody knows which file"),
    ],
)
def test_what_a_note_names_is_an_anchor_where_commits_have_it(
    memory: Engram, shop: Repo, text: str, found: list[tuple[str, str]]
) -> None:
    shop.write({"src/new.py": "y = 1\n"})
    assert [item[:2] for item in kept(memory, text)] == found


def test_symbol_alone_is_found_with_an_index(memory: Engram) -> None:
    memory.index()
    assert [item[:2] for item in kept(memory, "charge() is called once")] == [("symbol", "src/pay.py#charge")]


def test_paths_of_a_note_are_anchors_where_they_match(memory: Engram) -> None:
    found = kept(memory, "Typed all over", paths=["src/**", "nowhere/**", "src/pay.py"])
    assert [item[:3] for item in found] == [("glob", "src/**", "paths"), ("file", "src/pay.py", "paths")]


def test_evidence_is_told_as_a_tree(memory: Engram, shop: Repo) -> None:
    record = memory.add(
        "charge() in src/pay.py is called once, see src/pay.py:5",
        kind="fact",
        evidence=[shop.head()[:10], "https://example.com/adr/3"],
    )
    told = evidence_of(memory.db, record.id)
    assert [(one.kind, one.ref) for one in told] == [
        ("person", "typed"),
        ("document", "https://example.com/adr/3"),
        ("commit", shop.head()),
        ("file", "src/pay.py"),
    ]
    assert [(one.kind, one.ref) for one in told[-1].children] == [
        ("lines", "src/pay.py:5-5"),
        ("symbol", "src/pay.py#charge"),
    ]
    assert {one.state for one in (told[-1], *told[-1].children)} == {"there"}


def test_note_without_evidence_rests_on_its_author_alone(memory: Engram) -> None:
    record = memory.add("Deploys run on Tuesdays")
    (one,) = evidence_of(memory.db, record.id)
    assert (one.kind, one.ref, one.state, one.children) == ("person", "typed", "", ())


def test_command_takes_evidence(
    shop: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(shop.path)
    argv = ["add", "-s", "Payments are charged once", "--evidence", "src/pay.py#charge", "--json"]
    assert main(argv) == 0
    assert json.loads(capsys.readouterr().out)["evidence_count"] == 1
    assert main(["add", "-s", "Another", "--evidence", "src/gone.py"]) == 2
    assert "there is no src/gone.py" in capsys.readouterr().err


def test_evidence_outside_a_repository_is_refused(tmp_path: Path, data: str, home: Path) -> None:
    (tmp_path / "plain").mkdir()
    with Engram(cwd=tmp_path / "plain") as memory, pytest.raises(EngramError, match="no git repository"):
        memory.add("Payments are charged once", evidence=["pay.py"])
