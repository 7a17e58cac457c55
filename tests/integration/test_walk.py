"""The walk over `git log` on real repositories: everything that git can hold comes out as it is."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engram_hooks.history import git
from engram_hooks.history.changes import Commit
from engram_hooks.history.walk import resolve, walk_commits
from tests.support.make_repo import IDENTITY, Repo, make_repo, run_git


def walk(repo: Repo | Path, **options: object) -> list[Commit]:
    return list(walk_commits(os.fspath(repo), **options))  # type: ignore[arg-type]


def test_a_change_has_its_lines_and_where_they_stand(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a.py": "one\ntwo\nthree\nfour\n"})
    repo.commit("Change", {"a.py": "one\n2\nthree\nfour\nfive\n", "b.py": "x\r\ny"})
    newest, first = walk(repo)
    a, b = newest.changes
    assert (newest.message, newest.author, newest.author_email) == ("Change", "Ana", "ana@example.com")
    assert newest.parents == (first.hash,)
    assert newest.authored_at == newest.committed_at == first.authored_at + 3_600_000
    assert (a.status, a.path, a.is_binary, a.is_cut) == ("M", "a.py", False, False)
    assert [hunk[:6] for hunk in a.hunks] == [(2, 1, 2, 1, ("two",), ("2",)), (4, 0, 5, 1, (), ("five",))]
    assert (b.status, [hunk[:6] for hunk in b.hunks]) == ("A", [(0, 0, 1, 2, (), ("x\r", "y"))])
    assert (b.old_blob, b.blob) == ("", repo.git("rev-parse", "HEAD:b.py"))


def test_a_file_without_a_last_line_break_loses_no_line(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "one\ntwo"})
    repo.commit("c", {"a": "one\ntwo\n-- three\n++ four"})
    (hunk,) = walk(repo)[0].changes[0].hunks
    assert (hunk.removed, hunk.added) == (("two",), ("two", "-- three", "++ four"))


def test_renames_deletions_links_modes_and_binaries(tmp_path: Path) -> None:
    body = "".join(f"line {n}\n" for n in range(40))
    repo = make_repo(tmp_path / "r", {"old.py": body, "gone.py": "x\n", "thing": "x\ny\n", "same.py": "a\n"})
    repo.git("mv", "old.py", "new.py")
    (repo / "thing").unlink()
    os.symlink("new.py", repo / "thing")
    (repo / "same.py").chmod(0o755)
    changed = {"new.py": body.replace("line 7\n", "line seven\n"), "gone.py": None, "b.bin": b"\0\1\2"}
    repo.commit("c", changed)
    found = {change.path: change for change in walk(repo)[0].changes}
    assert (found["new.py"].status, found["new.py"].old_path) == ("R", "old.py")
    assert found["new.py"].hunks[0][:6] == (8, 1, 8, 1, ("line 7",), ("line seven",))
    assert (found["gone.py"].status, found["gone.py"].hunks[0].removed) == ("D", ("x",))
    assert (found["thing"].status, found["thing"].mode, found["thing"].hunks) == ("T", "120000", ())
    assert (found["same.py"].status, found["same.py"].hunks, found["same.py"].mode) == ("M", (), "100755")
    assert found["b.bin"].is_binary
    repo.commit("back", {"thing": None})
    repo.commit("again", {"thing": "z\n"})
    assert walk(repo)[0].changes[0].hunks[0].added == ("z",)


def test_a_link_that_becomes_a_file_has_the_lines_of_the_file_alone(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    os.symlink("README.md", repo / "thing")
    repo.commit("link")
    (repo / "thing").unlink()
    repo.commit("file", {"thing": "a\nb\n", "z.py": "z\n"})
    thing, last = walk(repo)[0].changes
    assert (thing.status, [hunk[:6] for hunk in thing.hunks]) == ("T", [(0, 0, 1, 2, (), ("a", "b"))])
    assert last.hunks[0].added == ("z",)


def test_a_repository_without_commits_has_none(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "-q", "-b", "main", "r")
    assert walk(tmp_path / "r") == []
    assert resolve(os.fspath(tmp_path / "r")) == ""


def test_an_unknown_revision_is_an_error(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    with pytest.raises(git.GitError, match="no commit 'nowhere'"):
        walk(repo, rev="nowhere")
    with pytest.raises(git.GitError):
        walk(repo, rev="--output=x")


def test_ancestors_of_a_commit_can_be_left_out_and_commits_named(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    first = repo.head()
    second, third = repo.commit("b", {"b": "b\n"}), repo.commit("c", {"c": "c\n"})
    assert [commit.hash for commit in walk(repo, after=first)] == [third, second]
    assert [commit.hash for commit in walk(repo, hashes=[first, third])] == [first, third]
    assert walk(repo, hashes=[]) == []
    told: list[int] = []
    walk(repo, on_progress=told.append)
    assert told == [1, 2, 3]


def test_a_sha256_repository_has_long_hashes(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", object_format="sha256")
    repo.commit("c", {"a": "a\n"})
    assert [len(commit.hash) for commit in walk(repo)] == [64, 64]


def test_the_boundary_of_a_shallow_clone_changes_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a": "a\n"})
    repo.commit("b", {"b": "b\n"})
    repo.commit("c", {"c": "c\n"})
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{repo.path}", "clone")
    newest, last = walk(tmp_path / "clone")
    assert ([change.path for change in newest.changes], newest.is_boundary) == (["c"], False)
    assert (last.changes, last.parents, last.is_boundary) == ((), (), True)


def test_a_merge_names_the_files_it_made_its_own(tmp_path: Path) -> None:
    body = [f"line {n}" for n in range(20)]
    repo = make_repo(tmp_path / "r", {"a": "\n".join(body) + "\n", "b": "b\n"})
    repo.git("switch", "-qc", "side")
    repo.commit("side", {"a": "\n".join(["top", *body]) + "\n", "only": "x\n"})
    repo.git("switch", "-q", "main")
    repo.commit("main", {"a": "\n".join([*body, "end"]) + "\n"})
    repo.git("merge", "-q", "--no-edit", "side")
    merge = walk(repo)[0]
    assert (len(merge.parents), merge.changes) == (2, ())
    (file,) = merge.merged
    assert file.path == "a"
    assert file.old_blobs == (repo.git("rev-parse", "HEAD^1:a"), repo.git("rev-parse", "HEAD^2:a"))
    assert [[hunk[:4] for hunk in side] for side in file.hunks] == [[(0, 0, 1, 1)], [(21, 0, 22, 1)]]


def test_a_bare_repository_and_a_worktree_show_the_same(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r")
    repo.commit("c", {"a": "a\n"})
    run_git(tmp_path, "clone", "-q", "--bare", os.fspath(repo), "bare.git")
    repo.git("worktree", "add", "-q", "-b", "side", os.fspath(tmp_path / "wt"))
    assert walk(tmp_path / "bare.git") == walk(tmp_path / "wt") == walk(repo)


def test_settings_and_attributes_of_a_repository_run_nothing_and_change_nothing(tmp_path: Path) -> None:
    repo = make_repo(tmp_path / "r", {"a.py": "a\n", ".gitattributes": "*.py diff=evil filter=evil\n"})
    repo.commit("c", {"a.py": "b\n"})
    before = walk(repo)
    mark = tmp_path / "ran"
    settings = {
        "diff.external": f"touch {mark}",
        "diff.evil.textconv": f"touch {mark}; cat",
        "diff.evil.command": f"touch {mark}",
        "filter.evil.clean": f"touch {mark}; cat",
        "core.fsmonitor": f"touch {mark}",
        "core.pager": f"touch {mark}",
        "diff.context": "9",
        "diff.interHunkContext": "9",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.renames": "copies",
        "log.showRoot": "false",
        "log.date": "relative",
        "log.decorate": "full",
        "color.ui": "always",
        "color.diff": "always",
        "format.pretty": "oneline",
        "diff.algorithm": "patience",
    }
    for name, value in settings.items():
        repo.git("config", name, value)
    environ = {**os.environ, **IDENTITY, "GIT_DIR": "/nowhere", "GIT_EXTERNAL_DIFF": f"touch {mark}"}
    assert walk(repo, environ=environ) == before
    assert not mark.exists()


def test_a_very_large_change_keeps_its_place_and_loses_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engram_hooks.history import stream

    monkeypatch.setattr(stream, "MAX_FILE_BYTES", 20_000)
    monkeypatch.setattr(stream, "READ_BYTES", 4096)
    repo = make_repo(tmp_path / "r", {"a": "a\n", "big": "x\n", "z": "z\n"})
    big = "".join(f"@@ -{n} +1 @@ \x01 line\n" for n in range(3000))
    repo.commit("c", {"a": "b\n", "big": "x\n" + big, "long": "y" * 90_000, "z": "zz\n"})
    repo.commit("d", {"a": "c\n"})
    last, newest, _ = walk(repo)
    a, large, long, z = newest.changes
    assert (last.changes[0].hunks[0].added, a.hunks[0].added, z.hunks[0].added) == (("c",), ("b",), ("zz",))
    assert large.is_cut
    assert [hunk[:6] for hunk in large.hunks] == [(1, 0, 2, 3000, (), ())]
    assert (long.is_cut, [hunk[:4] for hunk in long.hunks]) == (True, [(0, 0, 1, 1)])


def test_a_commit_of_many_files_keeps_the_texts_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engram_hooks.history import stream

    monkeypatch.setattr(stream, "MAX_FILE_BYTES", 2_000)
    monkeypatch.setattr(stream, "MAX_COMMIT_BYTES", 20_000)
    monkeypatch.setattr(stream, "READ_BYTES", 1_000)
    repo = make_repo(tmp_path / "r")
    repo.commit("c", {f"f{n:03}": f"line of {n}\n" * 50 for n in range(100)})
    changes = walk(repo)[0].changes
    assert [change.path for change in changes] == [f"f{n:03}" for n in range(100)]
    assert all(change.hunks[0][:4] == (0, 0, 1, 50) for change in changes)
    assert not changes[0].is_cut
    assert changes[-1].is_cut
    assert changes[0].hunks[0].added[0] == "line of 0"


def test_a_submodule_has_no_lines(tmp_path: Path) -> None:
    part = make_repo(tmp_path / "part")
    repo = make_repo(tmp_path / "r")
    repo.git("submodule", "--quiet", "add", os.fspath(part), "part")
    repo.commit("add part")
    found = {change.path: change for change in walk(repo)[0].changes}
    assert (found["part"].mode, found["part"].hunks, found["part"].blob) == ("160000", (), "")
