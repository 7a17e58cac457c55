"""`engram index` and `engram history` as people type them, and the worker's job that keeps an index fresh."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engram_hooks.cli.index import STOPPED, format_progress
from engram_hooks.cli.main import main
from engram_hooks.curate import jobs
from engram_hooks.curate.code import repository
from engram_hooks.errors import EngramError
from engram_hooks.memory import Engram
from engram_hooks.store import jobs as queue
from engram_hooks.store.index_files import index_path
from tests.support.make_repo import Repo, make_repo

BODY = """\
import os


def load(path):
    with open(path) as file:
        return file.read()


class Box:
    def put(self, item):
        self.item = item
        return item
"""


@pytest.fixture
def shop(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> Repo:
    """A repository with branches, a merge and a rename, in which the commands are called."""
    repo.commit("feat: begin", {"app.py": BODY})
    repo.git("switch", "-q", "-c", "side")
    repo.commit("fix: strip what is read", {"app.py": BODY.replace("file.read()", "file.read().strip()")})
    repo.git("switch", "-q", "main")
    repo.commit("chore: more imports", {"app.py": BODY.replace("import os", "import os\nimport re")})
    repo.git("merge", "-q", "--no-edit", "side")
    repo.git("mv", "app.py", "core.py")
    text = (repo / "core.py").read_text().replace("self.item = item", "self.item = [item]")
    repo.commit("feat: many items", {"core.py": text})
    monkeypatch.chdir(repo.path)
    return repo


def call(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out


def subjects(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    found = json.loads(call(capsys, "history", *arguments, "--json"))
    return [commit["subject"] for commit in found["commits"]]


def by_git(repo: Repo, name: str, file: str) -> list[str]:
    found = repo.git("log", "-s", "--no-merges", "--format=%s", f"-L:{name}:{file}")
    return found.split("\n")


def test_index_says_what_it_holds(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "index").startswith("6 commits, 6 new, 2 files, 3 symbols; ")
    report = json.loads(call(capsys, "index", "--json"))
    assert (report["commits"], report["new_commits"], report["symbols"]) == (6, 0, 3)
    assert report["head"] == shop.head()


def test_the_history_of_a_symbol_is_that_of_its_lines(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    assert subjects(capsys, "core.py", "--symbol", "load") == by_git(shop, "load", "core.py")
    assert subjects(capsys, "core.py", "--symbol", "load") == ["fix: strip what is read", "feat: begin"]
    assert subjects(capsys, "core.py", "--symbol", "Box.put") == ["feat: many items", "feat: begin"]
    assert subjects(capsys, "core.py", "--symbol", "put") == subjects(
        capsys, "core.py", "--symbol", "Box::put()"
    )


def test_the_history_of_a_file_goes_through_its_renames(
    shop: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    call(capsys, "index")
    expected = ["feat: many items", "chore: more imports", "fix: strip what is read", "feat: begin"]
    assert sorted(subjects(capsys, "core.py")) == sorted(expected)
    assert sorted(subjects(capsys, os.path.join(shop, "core.py"))) == sorted(expected)
    assert sorted(subjects(capsys, "app.py")) == sorted(expected[1:])


def test_a_person_reads_a_table(shop: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    call(capsys, "index")
    lines = call(capsys, "history", "core.py", "--symbol", "load").splitlines()
    assert [line.split(None, 3)[1:] for line in lines] == [
        ["2024-05-01", "bugfix", "fix: strip what is read"],
        ["2024-05-01", "feature", "feat: begin"],
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["history", "core.py"], "no index yet"),
        (["index", "--rev", "nowhere"], "no commit 'nowhere'"),
    ],
)
def test_without_an_index(
    shop: Repo, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["history", "nothing.py"], "nothing.py is not in the index"),
        (["history", "core.py", "--symbol", "lood"], "no symbol 'lood'"),
        (["history", "../outside.py"], "outside the repository"),
    ],
)
def test_what_the_index_does_not_know(
    shop: Repo, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    call(capsys, "index")
    assert main(arguments) == 1
    assert message in capsys.readouterr().err


def test_outside_git_there_is_nothing_to_index(
    tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path / "plain")
    assert main(["index"]) == 1
    assert "no git repository" in capsys.readouterr().err


def test_without_git_one_line_says_so(
    shop: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", os.fspath(tmp_path))
    assert main(["index"]) == 1
    assert "git is not installed" in capsys.readouterr().err


def test_another_repository_can_be_named(
    shop: Repo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = make_repo(tmp_path / "other")
    report = json.loads(call(capsys, "index", "--repo", os.fspath(other), "--json"))
    assert (report["commits"], report["head"]) == (1, other.head())


def test_the_job_refreshes_an_index_that_is_there(shop: Repo, data: str) -> None:
    with Engram(cwd=shop.path) as memory:
        key = os.path.join(shop, ".git")
        assert repository.refresh(memory.db, data, key, memory.environ) is None
        memory.index()
        assert repository.refresh(memory.db, data, key, memory.environ) is None
        shop.commit("feat: one more", {"more.py": "x = 1\n"})
        queue.add_job(memory.db, "index", key, project_id=memory.project_id or 0, now_ms=1)
        memory.finish_jobs()
        assert memory.history("core.py").commits[0].subject == "feat: many items"
        with pytest.raises(EngramError):
            memory.history("more.py")
        jobs.run_jobs(memory.db, data, memory.environ, until=time.monotonic() + 60)
        assert memory.history("more.py").commits[0].subject == "feat: one more"


def test_a_killed_index_is_finished_by_the_next(
    shop: Repo, data: str, capsys: pytest.CaptureFixture[str]
) -> None:
    script = b"".join(
        b"commit refs/heads/main\ncommitter A <a@example.com> %d +0000\ndata 7\nno %04d\n"
        b"M 100644 inline m.py\ndata %d\n%s\n"
        % (1_700_000_000 + n, n, len(text := b"def f():\n    return %d\n" % n), text)
        for n in range(600)
    )
    folder = shop.path.parent / "many"
    make_repo(folder, message="begin")
    subprocess.run(
        ["git", "fast-import", "--quiet", "--force"],
        cwd=folder,
        input=script,
        check=True,
        capture_output=True,
    )
    engram = [sys.executable, "-m", "engram_hooks", "index", "--repo", os.fspath(folder)]
    for wait_s in (0.5, 0.9):
        with subprocess.Popen(engram, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            time.sleep(wait_s)
            process.kill()
    report = json.loads(call(capsys, "index", "--repo", os.fspath(folder), "--json"))
    assert (report["commits"], report["symbols"]) == (600, 1)
    assert any(Path(index_path(data, "x")).parent.glob("*.db"))


def test_progress_tells_rate_and_what_is_left() -> None:
    assert format_progress("commits", 1200, 6489, seconds=2) == (
        "1,200 of 6,489 commits · 18% · 600 a second · 9 s left"
    )
    assert format_progress("commits", 1, 600_000, seconds=1).endswith("10000 min left")
    assert format_progress("symbols", 0, 0, seconds=0) == "0 of 0 symbols · 0%"


def test_an_interrupted_run_says_what_becomes_of_it(
    shop: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Engram, "index", interrupt)
        assert main(["index"]) == 130
    assert capsys.readouterr().err == f"{STOPPED}\n"
    assert call(capsys, "index").startswith("6 commits, 6 new")
