"""The index of a repository: what it holds, and that it stays right whatever happens to the history."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from engram_hooks.errors import EngramError, StoreBusy
from engram_hooks.history import git, indexing, undoing_links
from engram_hooks.history.indexing import IndexReport, Source, index_repository
from engram_hooks.store import index_create
from engram_hooks.store.index_files import INDEX_VERSION, index_path, open_index
from engram_hooks.store.index_schema import STEPS
from tests.support.make_repo import Repo, make_repo, run_git

UID = "0123456789abcdef0123456789abcdef"


def index(data: Path, repo: Repo | Path, rev: str = "HEAD") -> IndexReport:
    return index_repository(os.fspath(data), UID, Source(os.fspath(repo), rev), now_ms=1)


def ask(data: Path, query: str, *values: object) -> list[tuple[object, ...]]:
    db = sqlite3.connect(index_path(os.fspath(data), UID))
    try:
        return db.execute(query, values).fetchall()
    finally:
        db.close()


def subjects(data: Path) -> list[object]:
    """The subjects of the commits in sight, by name."""
    return [row[0] for row in ask(data, "SELECT subject FROM commits WHERE is_in_head ORDER BY subject")]


def content(data: Path) -> dict[str, object]:
    """What two indexes of the same head must agree on."""
    return {
        "commits": ask(
            data,
            "SELECT hex(t.hash), t.subject, t.intent, t.is_bulk, hex(r.hash), hex(u.hash) FROM commits AS t"
            " LEFT JOIN commits AS r ON r.id = t.reverts LEFT JOIN commits AS u ON u.id = t.reverted_by"
            " WHERE t.is_in_head ORDER BY t.hash",
        ),
        "symbols": ask(
            data,
            "SELECT f.path, s.qualified, s.line, s.end_line, hex(t.hash), c.added_count, c.removed_count"
            " FROM symbols AS s JOIN files AS f ON f.id = s.file_id"
            " LEFT JOIN symbol_changes AS c ON c.symbol_id = s.id LEFT JOIN commits AS t ON t.id = c.commit_id"
            " ORDER BY 1, 3, 2, 5",
        ),
        "guards": ask(
            data,
            "SELECT f.path, hex(t.hash), g.weight, hex(g.lines), hex(g.gone) FROM guards AS g"
            " JOIN files AS f ON f.id = g.file_id JOIN commits AS t ON t.id = g.commit_id ORDER BY 1, 2",
        ),
    }


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    made = make_repo(tmp_path / "r", {"app.py": "def load():\n    return 1\n\n\ndef save():\n    return 2\n"})
    made.commit("fix: load twice", {"app.py": "def load():\n    return 3\n\n\ndef save():\n    return 2\n"})
    return made


def test_the_first_run_reads_all_and_the_second_nothing(tmp_path: Path, repo: Repo) -> None:
    first, second = index(tmp_path / "d", repo), index(tmp_path / "d", repo)
    assert (first.commits, first.new_commits, first.files, first.symbols) == (2, 2, 1, 2)
    assert (second.commits, second.new_commits, second.head) == (2, 0, repo.head())
    path = Path(index_path(os.fspath(tmp_path / "d"), UID))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.stat().st_size == first.size_bytes


def test_later_runs_give_what_one_run_gives(tmp_path: Path, repo: Repo) -> None:
    index(tmp_path / "d", repo)
    repo.commit("feat: size", {"app.py": "def size():\n    return 0\n\n\n" + (repo / "app.py").read_text()})
    index(tmp_path / "d", repo)
    repo.git("mv", "app.py", "core.py")
    repo.commit("move")
    repo.commit("fix: save", {"core.py": (repo / "core.py").read_text().replace("return 2", "return 4")})
    report = index(tmp_path / "d", repo)
    index(tmp_path / "e", repo)
    assert report.new_commits == 2
    assert content(tmp_path / "d") == content(tmp_path / "e")


@pytest.mark.parametrize("how", ["amend", "reset and clean", "switch"])
def test_a_rewritten_history_is_out_of_sight(tmp_path: Path, repo: Repo, how: str) -> None:
    repo.commit("fix: gone", {"app.py": (repo / "app.py").read_text() + "\n\ndef gone():\n    return 0\n"})
    index(tmp_path / "d", repo)
    if how == "amend":
        repo.git("commit", "-q", "--amend", "-m", "fix: stays")
    else:
        if how == "switch":
            repo.git("switch", "-q", "-c", "other", "HEAD~1")
        else:
            repo.git("reset", "-q", "--hard", "HEAD~1")
        repo.commit(
            "fix: stays", {"app.py": (repo / "app.py").read_text() + "\n\ndef stays():\n    return 0\n"}
        )
    if how == "reset and clean":
        repo.git("reflog", "expire", "--expire=now", "--all")
        repo.git("gc", "-q", "--prune=now")
    report = index(tmp_path / "d", repo)
    index(tmp_path / "e", repo)
    assert report.commits == 3
    assert "fix: stays" in subjects(tmp_path / "d")
    assert "fix: gone" not in subjects(tmp_path / "d")
    assert content(tmp_path / "d") == content(tmp_path / "e")


def test_going_back_to_a_branch_reads_nothing_again(tmp_path: Path, repo: Repo) -> None:
    index(tmp_path / "d", repo)
    before = content(tmp_path / "d")
    repo.git("switch", "-q", "-c", "side")
    repo.commit("side", {"app.py": "x = 1\n"})
    index(tmp_path / "d", repo)
    repo.git("switch", "-q", "main")
    assert index(tmp_path / "d", repo).new_commits == 0
    assert content(tmp_path / "d") == before


def test_a_run_that_is_cut_off_goes_on_from_there(
    tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        repo.commit(f"change {number}", {"app.py": f"def load():\n    return {number}\n"})
    monkeypatch.setattr(indexing, "BATCH_COMMITS", 2)

    def stop(stage: str, done: int, _total: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        index_repository(os.fspath(tmp_path / "d"), UID, Source(os.fspath(repo)), now_ms=1, on_progress=stop)
    assert ask(tmp_path / "d", "SELECT count(*) FROM commits") == [(4,)]
    assert index(tmp_path / "d", repo).new_commits == 4
    index(tmp_path / "e", repo)
    assert content(tmp_path / "d") == content(tmp_path / "e")


def test_a_shallow_clone_says_so_and_is_put_right_when_deepened(tmp_path: Path, repo: Repo) -> None:
    repo.commit("fix: boundary", {"other.py": "y = 1\n"})
    repo.commit("last", {"other.py": "y = 2\n"})
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{repo.path}", "clone")
    assert index(tmp_path / "d", tmp_path / "clone").is_shallow
    assert (
        ask(
            tmp_path / "d",
            "SELECT t.subject FROM symbol_changes AS c JOIN commits AS t ON t.id = c.commit_id",
        )
        == []
    )
    run_git(tmp_path / "clone", "fetch", "-q", "--unshallow")
    assert not index(tmp_path / "d", tmp_path / "clone").is_shallow
    index(tmp_path / "e", repo)
    assert content(tmp_path / "d") == content(tmp_path / "e")


def test_a_repository_without_commits_is_an_empty_index(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main", "r")
    report = index(tmp_path / "d", tmp_path / "r")
    assert (report.head, report.commits) == ("", 0)


@pytest.mark.parametrize("many", [pytest.param(0, id="all at once"), pytest.param(100, id="one by one")])
def test_reverts_and_relands_are_tied_to_what_they_undo(
    tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch, many: int
) -> None:
    text = (repo / "app.py").read_text()
    wrong = repo.commit("feat: cache (#7)", {"app.py": text + "\n\nCACHE = {}\n"})
    repo.git("revert", "--no-edit", wrong)
    repo.commit('Reapply "feat: cache"', {"app.py": text + "\n\nCACHE = {}\n"})
    repo.commit("try without", {"app.py": text})
    monkeypatch.setattr(undoing_links, "MANY", many)
    index(tmp_path / "d", repo)
    ties = ask(
        tmp_path / "d",
        "SELECT t.subject, r.subject, b.subject FROM commits AS t LEFT JOIN commits AS r ON r.id = t.reverts"
        " LEFT JOIN commits AS b ON b.id = t.restores WHERE t.reverts OR t.restores ORDER BY t.id",
    )
    assert ties == [
        ("try without", 'Reapply "feat: cache"', None),
        ('Reapply "feat: cache"', None, "feat: cache (#7)"),
        ('Revert "feat: cache (#7)"', "feat: cache (#7)", None),
    ]


def test_no_secret_and_no_address_is_kept(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    repo = make_repo(
        tmp_path / "r", {"a.py": f'KEY = "{token}"\n'}, message=f"fix: use {token} for the login"
    )
    repo.commit("x", {"a.py": "KEY = 1\n"}, author=f"Bo {token} <bo.secret@example.org>")
    index(tmp_path / "d", repo)
    for file in (tmp_path / "d").rglob("*"):
        data = file.read_bytes() if file.is_file() else b""
        assert token.encode() not in data
        assert token.lower().encode() not in data
        assert b"bo.secret" not in data


def test_a_damaged_or_foreign_index_is_built_anew(tmp_path: Path, repo: Repo) -> None:
    index(tmp_path / "d", repo)
    path = Path(index_path(os.fspath(tmp_path / "d"), UID))
    path.write_bytes(b"no database")
    assert index(tmp_path / "d", repo).new_commits == 2
    db = sqlite3.connect(path)
    db.execute("UPDATE facts SET value = 'other' WHERE key = 'schema'")
    db.commit()
    db.close()
    assert index(tmp_path / "d", repo).new_commits == 2
    open_index(os.fspath(tmp_path / "d"), UID).close()


def test_two_at_once_are_one_too_many(tmp_path: Path, repo: Repo) -> None:
    with index_create.hold_index(os.fspath(tmp_path / "d"), UID), pytest.raises(StoreBusy, match="indexing"):
        index(tmp_path / "d", repo)
    assert index(tmp_path / "d", repo).commits == 2


def test_what_git_refuses_leaves_the_index_alone(
    tmp_path: Path, repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(tmp_path / "d", repo)
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(git.GitError, match="ownership"):
        index(tmp_path / "d", repo)
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    with pytest.raises(git.GitMissing, match="git is not installed"):
        index(tmp_path / "d", repo)
    monkeypatch.undo()
    assert len(subjects(tmp_path / "d")) == 2


def test_an_unknown_revision_makes_no_index(tmp_path: Path, repo: Repo) -> None:
    with pytest.raises(EngramError, match="no commit 'nowhere'"):
        index(tmp_path / "d", repo, "nowhere")
    assert not os.path.exists(index_path(os.fspath(tmp_path / "d"), UID))


def test_full_text_finds_commits_by_message_name_and_changed_word(tmp_path: Path, repo: Repo) -> None:
    repo.commit("feat: orders\n\nNeeded by billing.", {"orders.py": "def parse_order(rawInput):\n    pass\n"})
    index(tmp_path / "d", repo)
    found = (
        "SELECT t.subject FROM commits_fts AS x JOIN commits AS t ON t.id = x.rowid WHERE commits_fts MATCH ?"
    )
    for query in ("orders", "billing", "parse_order", "rawinput", '"orders.py"'):
        assert ask(tmp_path / "d", found, query) == [("feat: orders",)]
    assert ask(tmp_path / "d", found, "nothing_of_this") == []


def test_the_version_is_the_number_of_steps() -> None:
    assert len(STEPS) == INDEX_VERSION


def test_a_swap_of_two_files_leaves_each_its_own_history(tmp_path: Path) -> None:
    p, q = ("".join(f"{name}{n} = {n}\n" for n in range(20)) for name in "pq")
    repo = make_repo(tmp_path / "r", {"p.py": p, "q.py": q})
    repo.commit("swap", {"p.py": q, "q.py": p})
    index(tmp_path / "d", repo)
    rows = ask(
        tmp_path / "d",
        "SELECT f.path, o.path, c.status FROM file_changes AS c JOIN files AS f ON f.id = c.file_id"
        " JOIN files AS o ON o.id = c.old_file_id ORDER BY 1",
    )
    assert json.loads(json.dumps(rows)) == [["p.py", "q.py", "R"], ["q.py", "p.py", "R"]]
