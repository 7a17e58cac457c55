"""`engram review` asks about notes of merged branches and about protected notes whose ground in the code is gone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.cli.main import main
from engram_hooks.curate.jobs import run_jobs
from engram_hooks.store import jobs
from tests.support.make_repo import Repo, make_repo

Run = Callable[..., str]
TOPIC = "topic/retry"


@pytest.fixture
def shop(tmp_path: Path, data: str, monkeypatch: pytest.MonkeyPatch) -> Repo:
    repo = make_repo(tmp_path / "shop", {"src/pay.py": "def charge():\n    return 1\n"})
    monkeypatch.chdir(repo.path)
    return repo


@pytest.fixture
def run(shop: Repo, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command, which must end with the code given; return what it printed."""

    def call(*argv: str, code: int = 0) -> str:
        assert main(list(argv)) == code
        return capsys.readouterr().out

    return call


@pytest.fixture
def doubt(run: Run, shop: Repo) -> str:
    """The id of a decision whose file is gone."""
    made = json.loads(run("add", "-s", "src/pay.py charges once per order", "--json"))
    shop.commit("Drop it", {"src/pay.py": None})
    return str(made["id"])


@pytest.fixture
def merged(run: Run, shop: Repo) -> str:
    """The id of a note of a branch that was merged."""
    shop.git("checkout", "-q", "-b", TOPIC)
    shop.commit("Retry", {"src/retry.py": "RETRIES = 5\n"})
    made = json.loads(run("add", "-s", "Retries are capped at five", "--json"))
    assert (made["scope"], made["branch"]) == ("project", TOPIC)
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--no-ff", "-m", "Bring it in", TOPIC)
    return str(made["id"])


def status(run: Run, ref: str) -> str:
    return str(json.loads(run("show", ref, "--json"))["status"])


def questions(run: Run) -> list[tuple[str, str]]:
    found = json.loads(run("review", "--json"))
    return [(item["id"], item["question"]) for item in found]


def test_doubtful_note_is_asked_about_and_kept(run: Run, shop: Repo, doubt: str) -> None:
    text = run("review")
    assert f"is it still true? src/pay.py is gone since {shop.head()[:8]}" in text
    assert questions(run) == [(doubt, "doubt")]
    assert run("review", "--accept", doubt) == f"Kept {doubt}.\n"
    assert (questions(run), status(run, doubt)) == ([], "active")


def test_doubtful_note_is_put_aside_and_comes_back_with_its_file(run: Run, shop: Repo, doubt: str) -> None:
    run("review")
    assert run("review", "--never", doubt) == f"Put aside {doubt}.\n"
    assert (questions(run), status(run, doubt)) == ([], "stale")
    assert f"stale: src/pay.py is gone since {shop.head()[:8]}" in run("list", "--status", "stale")
    shop.git("revert", "--no-edit", "HEAD")
    run("review")
    assert status(run, doubt) == "active"


def test_notes_of_a_merged_branch_are_asked_about_once(run: Run, merged: str) -> None:
    assert "1 note was made on it: does it hold for the project now?" in run("review")
    assert questions(run) == [(f"branch:{TOPIC}", "promote")]
    run("review", "--check", code=1)
    done = run("review", "--accept", f"branch:{TOPIC}")
    assert done == "Promoted 1 note of topic/retry to the project.\n"
    assert (questions(run), json.loads(run("show", merged, "--json"))["branch"]) == ([], "")
    assert run("branches") == "No notes wait on a branch.\n"


def test_notes_of_a_merged_branch_may_stay_on_it(run: Run, merged: str) -> None:
    run("review")
    run("review", "--never", f"branch:{TOPIC}")
    assert (questions(run), json.loads(run("show", merged, "--json"))["branch"]) == ([], TOPIC)
    assert "kept on it" in run("branches")


def test_command_lists_and_promotes_branches(run: Run, merged: str) -> None:
    assert f"{TOPIC}  1 note  merged in " in run("branches")
    (listed,) = json.loads(run("branches", "--json"))
    assert (listed["name"], listed["state"], listed["notes"], listed["is_asked"]) == (
        TOPIC,
        "merged",
        1,
        True,
    )
    assert merged in run("branches", "promote", TOPIC)
    run("branches", "promote", TOPIC, code=1)
    run("branches", "keep", "nothing", code=1)


def test_person_answers_with_one_key(
    run: Run, merged: str, doubt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = iter("xpk")
    monkeypatch.setattr("engram_hooks.cli.output.is_interactive", lambda: True)
    monkeypatch.setattr("click.getchar", lambda: next(keys))
    text = run("review")
    assert "1 of 2 · branch topic/retry was merged in" in text
    assert "kept " in text
    assert (questions(run), status(run, doubt)) == ([], "active")


def test_stopping_leaves_the_other_questions(
    run: Run, merged: str, doubt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engram_hooks.cli.output.is_interactive", lambda: True)
    monkeypatch.setattr("click.getchar", lambda: "q")
    run("review")
    assert len(questions(run)) == 2


def test_note_in_no_doubt_cannot_be_answered(run: Run, shop: Repo) -> None:
    made = json.loads(run("add", "-s", "src/pay.py charges once per order", "--json"))
    run("review", "--accept", made["id"], code=1)
    assert run("review") == "Nothing to review.\n"


def test_worker_looks_at_the_code_after_a_refresh_of_the_index(run: Run, shop: Repo, data: str) -> None:
    made = json.loads(run("add", "-t", "fact", "-s", "src/pay.py charges once per order", "--json"))
    run("index")
    shop.commit("Drop it", {"src/pay.py": None})
    with Engram(cwd=shop) as memory:
        key = str(shop.path / ".git")
        jobs.add_job(memory.db, "index", key, project_id=memory.project_id or 0, now_ms=1)
        run_jobs(memory.db, memory.data, memory.environ, until=time.monotonic() + 30)
        assert memory.find(made["id"]).status == "stale"


def test_indexing_by_hand_looks_at_the_code(run: Run, shop: Repo) -> None:
    made = json.loads(run("add", "-t", "fact", "-s", "src/pay.py charges once per order", "--json"))
    shop.commit("Drop it", {"src/pay.py": None})
    run("index")
    assert status(run, made["id"]) == "stale"
