"""Notes that are kept, changed and forgotten through commands, and what the graph then says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.command_runs import read
from tests.support.make_repo import Repo

ENGRAM = [sys.executable, "-m", "engram_hooks"]


@pytest.fixture
def engram(repo: Repo, data: str) -> Engram:
    """Run commands in the repository, each as a process of its own."""
    return Engram(repo)


class Engram:
    """The program as a process: (exit code, standard output, standard error)."""

    def __init__(self, repo: Repo) -> None:
        self._repo = repo

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [*ENGRAM, *arguments],
            cwd=self._repo.path,
            env={**os.environ},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def links(self, *arguments: str) -> list[tuple[str, bool]]:
        """The relations of the graph, and whether each holds."""
        found = read(self, "graph", *arguments)
        return [(f"{one['source']} {one['kind']} {one['target']}", one["live"]) for one in found["edges"]]


def test_graph_follows_what_becomes_of_notes(engram: Engram) -> None:
    engram("add", "-s", "The search service uses Solr")
    assert engram.links() == [("search service uses solr", True)]
    engram("add", "-s", "The search service uses Typesense", "--supersedes", "d1")
    assert sorted(engram.links()) == [
        ("search service uses solr", False),
        ("search service uses typesense", True),
    ]
    engram("forget", "d2", "--yes")
    assert engram.links("solr") == [("search service uses solr", False)]
    engram("forget", "d2", "--undo")
    engram("edit", "d2", "-s", "The search service uses Meilisearch")
    assert engram.links("meilisearch") == [("search service uses meilisearch", True)]
    assert engram("graph", "typesense")[0] == 1


def test_forgetting_for_good_leaves_no_name(engram: Engram, data: str) -> None:
    engram("add", "-s", "The quuxfrob worker uses ZanzibarDB")
    engram("add", "-s", "The mailer uses Postgres")
    assert len(engram.links()) == 2
    code, _, err = engram("forget", "d1", "--hard", "--yes")
    assert code == 0, err
    assert engram.links() == [("mailer uses postgres", True)]
    left = [
        path.name
        for path in Path(data).rglob("*")
        if path.is_file() and b"zanzibar" in path.read_bytes().lower()
    ]
    assert left == []


def test_recall_tells_what_lies_beside_an_answer(engram: Engram) -> None:
    engram("add", "-s", "The orders service uses Postgres")
    engram("add", "-s", "Postgres runs on Nomad", "-t", "fact")
    code, out, _ = engram("recall", "-q", "orders service", "--related")
    assert code == 0
    assert out.splitlines()[1:3] == ["beside it", out.splitlines()[2]]
    assert "Postgres runs on Nomad" in out
    assert "via Postgres" in out
    assert "via" not in engram("recall", "-q", "orders service")[1]
