"""What `why` is asked that has no answer: no question, no index, nothing in the repository."""

from __future__ import annotations

import pytest

from engram_hooks.curate.code.why import MAX_QUERY_CHARS
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.memory import Engram
from tests.support.make_repo import Repo


@pytest.fixture
def indexed(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with an index, as the directory one is in."""
    monkeypatch.chdir(repo.path)
    with Engram() as memory:
        memory.index()
    return repo


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        pytest.param("", "no word", id="empty"),
        pytest.param("  \n\t ", "no word", id="blank"),
        pytest.param("\x00\x07\x1b[0m", "no word", id="controls"),
        pytest.param("?!", "no word", id="marks"),
        pytest.param("word " * (MAX_QUERY_CHARS * 100), "too long", id="ten-megabytes"),
    ],
)
def test_what_is_no_question_is_refused(indexed: Repo, query: str, problem: str) -> None:
    with Engram() as memory, pytest.raises(UsageError, match=problem) as caught:
        memory.why(query)
    assert caught.value.hint


def test_the_facade_refuses_an_impossible_count(indexed: Repo) -> None:
    with Engram() as memory, pytest.raises(UsageError, match="0 answers"):
        memory.why("retry", k=0)


def test_without_an_index_the_next_step_is_named(
    repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repo.path)
    with Engram() as memory, pytest.raises(EngramError, match="no index") as caught:
        memory.why("retry")
    assert caught.value.hint == "engram index"


def test_an_empty_repository_answers_nothing(
    tmp_path_factory: pytest.TempPathFactory, data: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = Repo(tmp_path_factory.mktemp("empty"))
    empty.git("init", "-q")
    monkeypatch.chdir(empty.path)
    with Engram() as memory:
        memory.index()
        found = memory.why("anything at all")
    assert (found.commits, found.files, found.symbols) == ((), (), ())
