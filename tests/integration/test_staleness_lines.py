"""Notes are held against the code through branches, rewritten history, clones of all kinds, and runs that break off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.store import anchors, meta
from tests.support.make_repo import Repo, make_repo, run_git
from tests.support.noted_shop import FILES, NOTES, RETRY, add, refresh, state


@pytest.fixture
def shop(tmp_path: Path, data: str) -> Repo:
    return make_repo(tmp_path / "shop", FILES)


@pytest.fixture
def memory(shop: Repo) -> Iterator[Engram]:
    with Engram(cwd=shop) as memory:
        yield memory


def test_file_of_a_feature_branch_counts_until_the_branch_is_merged(memory: Engram, shop: Repo) -> None:
    shop.git("checkout", "-q", "-b", "topic")
    shop.commit("Queue", {"src/queue.py": "SIZE = 9\n"})
    record = add(memory, "src/queue.py holds nine charges")
    assert (record.branch, state(memory, record)[0]) == ("topic", "active")
    shop.git("checkout", "-q", "main")
    assert refresh(memory) == []
    shop.git("merge", "-q", "--no-ff", "-m", "Bring the queue in", "topic")
    assert refresh(memory) == []
    shop.commit("Drop the queue", {"src/queue.py": None})
    refresh(memory)
    assert state(memory, record)[0] == "stale"


def test_commit_is_found_again_after_a_rebase_and_missed_when_it_is_gone(memory: Engram, shop: Repo) -> None:
    shop.git("checkout", "-q", "-b", "topic")
    old = shop.commit("Try six times", {"src/retry.py": RETRY.replace("range(5)", "range(6)")})
    shop.git("checkout", "-q", "main")
    shop.commit("Other work", {"docs/notes.md": "more\n"})
    record = add(memory, f"Six attempts since {old[:10]}, the bank asked for it")
    shop.git("checkout", "-q", "topic")
    shop.git("rebase", "-q", "main")
    new = shop.head()
    assert new != old
    assert refresh(memory) == []
    (anchor,) = anchors.read_anchors(memory.db, [record.id])[record.id]
    assert (anchor.ref, anchor.place) == (old, new)
    shop.git("checkout", "-q", "main")
    shop.git("branch", "-q", "-D", "topic")
    shop.git("worktree", "prune")
    shop.commit("Go on", {"docs/notes.md": "even more\n"})
    refresh(memory)
    assert state(memory, record) == ("stale", f"no branch holds commit {old[:8]} any more")


def test_commit_of_a_squashed_branch_is_where_the_branch_went(memory: Engram, shop: Repo) -> None:
    shop.git("checkout", "-q", "-b", "topic")
    old = shop.commit("Try six times", {"src/retry.py": RETRY.replace("range(5)", "range(6)")})
    record = add(memory, f"Six attempts since {old[:10]}")
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--squash", "topic")
    shop.commit("Retries (#3)")
    refresh(memory)
    shop.git("branch", "-q", "-D", "topic")
    shop.commit("Go on", {"docs/notes.md": "more\n"})
    refresh(memory)
    assert state(memory, record)[0] == "active"


def test_shallow_clone_loses_no_commit_and_still_sees_files(shop: Repo, tmp_path: Path, data: str) -> None:
    old = shop.head()
    for number in range(4):
        shop.commit(f"Step {number}", {"docs/notes.md": f"{number}\n"})
    run_git(tmp_path, "clone", "-q", "--depth", "2", f"file://{shop.path}", "shallow")
    with Engram(cwd=tmp_path / "shallow") as memory:
        of_file, of_commit = add(memory, NOTES["file"]), add(memory, f"All began with {old}")
        shop.commit("Drop the retries", {"src/retry.py": None})
        run_git(tmp_path / "shallow", "fetch", "-q", "--depth", "1")
        run_git(tmp_path / "shallow", "reset", "-q", "--hard", "origin/main")
        refresh(memory)
        assert (state(memory, of_file)[0], state(memory, of_commit)[0]) == ("stale", "active")


def test_bare_repository_with_worktrees(shop: Repo, tmp_path: Path, data: str) -> None:
    run_git(tmp_path, "clone", "-q", "--bare", str(shop.path), "bank.git")
    run_git(tmp_path / "bank.git", "worktree", "add", "-q", str(tmp_path / "tree"), "main")
    run_git(tmp_path / "bank.git", "worktree", "add", "-q", "-b", "topic", str(tmp_path / "topic"), "main")
    tree = Repo(tmp_path / "tree", 1)
    with Engram(cwd=tree) as memory:
        record = add(memory, NOTES["file"])
        Repo(tmp_path / "topic", 1).commit("Drop it there", {"src/retry.py": None})
        assert refresh(memory) == []
        tree.commit("Drop it here", {"src/retry.py": None})
        refresh(memory)
        assert state(memory, record)[0] == "stale"


def test_lost_checkout_changes_nothing(memory: Engram, shop: Repo) -> None:
    record = add(memory, NOTES["file"])
    (shop.path / ".git").rename(shop.path / "git-is-away")
    assert refresh(memory) == []
    assert state(memory, record)[0] == "active"


def test_dry_run_tells_and_changes_nothing(memory: Engram, shop: Repo) -> None:
    record = add(memory, NOTES["file"])
    shop.commit("Drop the retries", {"src/retry.py": None})
    before = list(memory.db.iterdump())
    told = refresh(memory, is_dry=True)
    assert list(memory.db.iterdump()) == before
    assert refresh(memory) == told
    assert state(memory, record)[0] == "stale"


def test_refresh_that_is_broken_off_goes_on_the_next_time(
    memory: Engram, shop: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = NOTES["file"], "The bank hung up until src/retry.py came", "Ana wrote src/retry.py on a train"
    made = [add(memory, text) for text in texts]
    shop.commit("Drop the retries", {"src/retry.py": None})
    monkeypatch.setattr("engram_hooks.curate.ground.staleness.BATCH", 1)
    clock = iter([0.0, 0.0, 9.0, *[9.0] * 9])
    monkeypatch.setattr("engram_hooks.curate.ground.staleness.time.monotonic", lambda: next(clock))
    assert len(refresh(memory, until=5.0)) == 1
    monkeypatch.undo()
    assert len(refresh(memory)) == 2
    assert {state(memory, record)[0] for record in made} == {"stale"}


def test_looking_again_changes_nothing(memory: Engram, shop: Repo) -> None:
    for text in NOTES.values():
        memory.add(text, kind="fact")
    refresh(memory)
    shop.git("mv", "src/retry.py", "src/waiting.py")
    shop.commit("Call it waiting")
    drop: dict[str, str | bytes | None] = {"src/waiting.py": None, "src/gateway.py": None}
    shop.commit("Drop all", drop)
    assert refresh(memory)
    meta.set_fact(memory.db, f"staleness:{memory.project_id}", "")
    before = [row for row in memory.db.iterdump() if '"meta"' not in row]
    assert refresh(memory) == []
    assert [row for row in memory.db.iterdump() if '"meta"' not in row] == before
