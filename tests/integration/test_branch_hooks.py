"""Sessions in worktrees are told of the branch of their own first; notes of others say where they are from."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from engram_hooks import Engram, entry
from engram_hooks.curate.jobs import run_jobs
from engram_hooks.curate.mining import mine_session
from engram_hooks.jsontext import loads
from engram_hooks.store import log, sessions
from engram_hooks.store.transactions import Transaction
from tests.support.make_repo import Repo, make_repo, run_git

PROMPT = "How often does the payment gateway retry a declined charge before it gives up?"
HERE = "The payment gateway retries a declined charge five times before it gives up"
BESIDE = "The payment gateway retries a declined charge nine times before it gives up"


class Session:
    """One session of an agent in a checkout."""

    def __init__(self, root: Path, data: str, name: str) -> None:
        self.root, self.data, self.name = root, data, name

    def fire(self, event: str, **more: object) -> str:
        """The context that one hook gives."""
        environ = {
            "ENGRAM_HOME": self.data,
            "HOME": os.environ["HOME"],
            "ENGRAM_WORKER": "1",
            "ENGRAM_EMBED": "off",
        }
        payload = {
            "session_id": self.name,
            "transcript_path": "",
            "cwd": str(self.root),
            "hook_event_name": event,
        }
        text = entry.serve("", {**payload, **more}, self.data, environ)
        document = loads(text) if text else {}
        assert isinstance(document, dict)
        output = document.get("hookSpecificOutput", {})
        assert isinstance(output, dict)
        return str(output.get("additionalContext", ""))

    def start(self) -> str:
        return self.fire("SessionStart", source="startup")

    def ask(self) -> str:
        return self.fire("UserPromptSubmit", prompt=PROMPT, prompt_id=f"p-{self.name}")


@pytest.fixture
def trees(tmp_path: Path, data: str) -> tuple[Repo, Repo, Repo]:
    """The mainline and two worktrees on branches of their own, with a note of each branch."""
    main = make_repo(tmp_path / "shop")
    for name in ("five", "nine"):
        run_git(main.path, "worktree", "add", "-q", "-b", f"topic/{name}", str(tmp_path / name), "main")
    for folder, text in ((tmp_path / "five", HERE), (tmp_path / "nine", BESIDE)):
        with Engram(cwd=folder) as memory:
            record = memory.add(text, kind="fact")
            assert record.status == "active"
            with Transaction(memory.db):  # neither takes the other's place: their branches are not merged
                memory.db.execute(
                    "UPDATE records SET status = 'active', valid_to = NULL, superseded_by = NULL"
                )
    return main, Repo(tmp_path / "five"), Repo(tmp_path / "nine")


def test_boot_pack_tells_the_own_branch_first(trees: tuple[Repo, Repo, Repo], data: str) -> None:
    for repo, own, other in ((trees[1], HERE, BESIDE), (trees[2], BESIDE, HERE)):
        pack = Session(repo.path, data, f"s-{repo.path.name}").start()
        away = "nine" if repo is trees[1] else "five"
        assert pack.index(own) < pack.index(other)
        assert pack.count("on branch topic/") == 1
        assert f"on branch topic/{away}" in pack[pack.index(other) :]


def test_mainline_is_told_where_both_are_from(trees: tuple[Repo, Repo, Repo], data: str) -> None:
    pack = Session(trees[0].path, data, "main").start()
    assert "on branch topic/five" in pack
    assert "on branch topic/nine" in pack


def test_prompt_is_answered_from_the_own_branch(trees: tuple[Repo, Repo, Repo], data: str) -> None:
    for repo, own in ((trees[1], HERE), (trees[2], BESIDE)):
        session = Session(repo.path, data, f"q-{repo.path.name}")
        told = session.ask()
        assert own in told.split(" · ")[0]
        assert "on branch" not in told.split(" · ")[0]


def test_worker_looks_at_the_code_after_a_turn(trees: tuple[Repo, Repo, Repo], data: str) -> None:
    main = trees[0]
    main.commit("Pay", {"src/pay.py": "x = 1\n"})
    with Engram(cwd=main.path) as memory:
        record = memory.add("src/pay.py charges once per order", kind="fact")
        main.commit("Drop it", {"src/pay.py": None})
        session = Session(main.path, data, "turn")
        session.start()
        session.fire("Stop")
        run_jobs(memory.db, memory.data, memory.environ, until=time.monotonic() + 60)
        assert memory.find(record.short_id).status == "stale"


def test_what_is_noticed_on_a_branch_carries_it(trees: tuple[Repo, Repo, Repo], data: str) -> None:
    with Engram(cwd=trees[1].path) as memory:
        session = sessions.add_session(
            memory.db,
            "s",
            project_id=memory.project_id or 0,
            root=str(trees[1].path),
            branch="topic/five",
            transcript_path="",
            now_ms=1,
        )
        said = (
            "Let's go with Postgres for the orders.",
            "From now on always use pnpm here, npm breaks links.",
        )
        rows = [(f"u{number}", "user", "", text, number) for number, text in enumerate(said)]
        log.append_rows(memory.db, session[0], rows)
        assert mine_session(memory.db, session[0], now_ms=9) == 2
        found = memory.list_records(statuses=["candidate"])
        assert {record.kind: record.branch for record in found} == {"decision": "topic/five", "feedback": ""}


def test_branch_is_that_of_the_moment_of_the_prompt(trees: tuple[Repo, Repo, Repo], data: str) -> None:
    session = Session(trees[1].path, data, "moving")
    session.start()
    trees[1].git("checkout", "-q", "-b", "elsewhere", "main")
    with Engram(cwd=trees[1].path) as memory, Transaction(memory.db):
        memory.db.execute("DELETE FROM shown")
    told = session.ask()
    assert told.count("on branch topic/") == told.count("[k") > 0
