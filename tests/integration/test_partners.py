"""Partners of files in an index: the same however a history moves, whatever interrupts, and none out of noise."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks.history.indexing import Source, index_repository
from engram_hooks.store import index_partners
from engram_hooks.store.index_files import index_path
from tests.support.coupled_shop import fill_shop, make_retry
from tests.support.make_repo import Repo

UID = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def shop(repo: Repo) -> Repo:
    """A shop whose files change together."""
    fill_shop(repo)
    return repo


def index(data: Path, repo: Repo, rev: str = "HEAD") -> None:
    index_repository(os.fspath(data), UID, Source(os.fspath(repo), rev), now_ms=1)


def read_all(data: Path) -> tuple[set[tuple[object, ...]], set[tuple[object, ...]]]:
    """The partners and the links of the head's files, by path."""
    db = sqlite3.connect(index_path(os.fspath(data), UID))
    try:
        pairs = db.execute(
            "SELECT f.path, g.path, p.score, p.support, p.total, p.is_hidden, p.speaks FROM partners AS p"
            " JOIN files AS f ON f.id = p.file_id JOIN files AS g ON g.id = p.other_id"
        ).fetchall()
        links = db.execute(
            "SELECT f.path, g.path FROM links JOIN files AS f ON f.id = file_id JOIN files AS g ON g.id = other_id"
        ).fetchall()
        return set(pairs), set(links)
    finally:
        db.close()


def _moves(repo: Repo) -> Iterator[None]:
    """A history that is added to, renamed, forked, merged and rewritten, one step at a time."""
    repo.commit("feat: keys", {"pay/keys.py": "x = 1\n", "pay/retry.py": make_retry(9)})
    yield
    repo.commit("feat: keys", {"pay/keys.py": "import gateway\nx = 2\n", "pay/gateway.py": "y = 1\n"})
    yield
    repo.git("mv", "pay/gateway.py", "pay/bank.py")
    repo.commit("refactor: rename", {"pay/keys.py": "import bank\nx = 2\n"})
    yield
    repo.git("switch", "-q", "-c", "side", "HEAD~2")
    repo.commit("fix: aside", {"pay/retry.py": make_retry(10), "app/parser.ts": "export const parse = 10\n"})
    yield
    repo.git("switch", "-q", "main")
    repo.git("merge", "-q", "--no-edit", "side")
    yield
    repo.commit("chore: drop", {"pay/keys.py": None, "pay/retry.py": make_retry(11)})
    yield
    repo.git("commit", "-q", "--amend", "-m", "chore: drop the keys")
    yield
    repo.git("reset", "-q", "--hard", "HEAD~2")
    yield


def test_what_is_updated_equals_what_is_built_anew(shop: Repo, tmp_path: Path) -> None:
    index(tmp_path / "kept", shop)
    for number, _ in enumerate(_moves(shop)):
        index(tmp_path / "kept", shop)
        index(tmp_path / f"new{number}", shop)
        assert read_all(tmp_path / "kept") == read_all(tmp_path / f"new{number}")


def test_only_what_is_touched_is_paired_again(
    shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(tmp_path, shop)
    shop.commit("docs: alone", {"README.md": "# more\n"})
    told: list[tuple[str, int, int]] = []
    index_repository(
        os.fspath(tmp_path),
        UID,
        Source(os.fspath(shop)),
        now_ms=1,
        on_progress=lambda *step: told.append(step),
    )
    assert [step for step in told if step[0] == "partners"] == [("partners", 1, 1)]


@pytest.mark.parametrize("broken", ["forget_unpaired", "put_partners", "put_imports"])
def test_an_interrupted_update_is_made_up_for(
    shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    index(tmp_path / "kept", shop)
    shop.commit("feat: on", {"pay/retry.py": "import parser\n", "app/new.ts": "import './parser'\n"})

    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(index_partners, broken, fail)
        with pytest.raises(KeyboardInterrupt):
            index(tmp_path / "kept", shop)
    index(tmp_path / "kept", shop)
    index(tmp_path / "new", shop)
    assert read_all(tmp_path / "kept") == read_all(tmp_path / "new")


def test_bulk_commits_and_bookkeeping_say_nothing(repo: Repo, tmp_path: Path) -> None:
    for number in range(4):
        repo.commit(
            "chore: sweep",
            {f"src/f{n}.py": f"x = {number}\n" for n in range(40)} | {"CHANGELOG.md": f"{number}\n"},
        )
        repo.commit("docs: log", {"CHANGELOG.md": f"- {number}\n", "AUTHORS": f"{number}\n"})
    index(tmp_path, repo)
    assert read_all(tmp_path)[0] == set()
