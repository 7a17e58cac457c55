"""Notes are held against the code: what speaks of what is gone is put aside with the reason, and comes back with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate.record import Record
from engram_hooks.curate.staleness import refresh_staleness
from engram_hooks.store import anchors, meta, records
from tests.conftest import NOW_MS
from tests.support.make_repo import Repo, make_repo, run_git

RETRY = '''"""Retries."""

import time


def wait(attempt):
    """Wait before an attempt."""
    time.sleep(2**attempt)


def charge(order):
    for attempt in range(5):
        wait(attempt)
    return order
'''
FILES = {"src/retry.py": RETRY, "src/gateway.py": "URL = 'x'\n", "docs/notes.md": "notes\n" * 9}


@pytest.fixture
def shop(tmp_path: Path, data: str) -> Repo:
    return make_repo(tmp_path / "shop", FILES)


@pytest.fixture
def memory(shop: Repo) -> Iterator[Engram]:
    with Engram(cwd=shop) as memory:
        yield memory


def refresh(memory: Engram, *, is_dry: bool = False, until: float | None = None) -> list[str]:
    return refresh_staleness(
        memory.db,
        memory.data,
        memory.environ,
        project_id=memory.project_id or 0,
        now_ms=NOW_MS,
        until=time.monotonic() + 60 if until is None else until,
        is_dry=is_dry,
    )


def add(memory: Engram, text: str, *, kind: str = "fact", **more: object) -> Record:
    """A note whose anchors are found at once."""
    record = memory.add(text, kind=kind, **more)  # type: ignore[arg-type]
    refresh(memory)
    return record


def state(memory: Engram, record: Record) -> tuple[str, str]:
    found = memory.find(record.short_id)
    return found.status, found.status_reason


def test_note_about_a_deleted_file_is_stale_since_the_commit_that_deleted_it(
    memory: Engram, shop: Repo
) -> None:
    record = add(memory, "src/retry.py sleeps twice as long before each attempt")
    assert state(memory, record) == ("active", "")
    head = shop.commit("Drop the retries", {"src/retry.py": None})
    (told,) = refresh(memory)
    status, reason = state(memory, record)
    assert (status, reason) == ("stale", f"src/retry.py is gone since {head[:8]} (1 May 2024)")
    assert told == f"{record.short_id} is stale: {reason}"
    assert memory.recall("how long does retry sleep") == []


def test_stale_note_holds_again_when_its_file_is_back(memory: Engram, shop: Repo) -> None:
    record = add(memory, "src/retry.py sleeps twice as long before each attempt")
    shop.commit("Drop the retries", {"src/retry.py": None})
    refresh(memory)
    shop.git("revert", "--no-edit", "HEAD")
    assert refresh(memory) == [f"{record.short_id} holds again: src/retry.py is back"]
    assert state(memory, record) == ("active", "")


def rename(repo: Repo) -> None:
    repo.git("mv", "src/retry.py", "src/backoff.py")
    repo.commit("Call it backoff")


def rename_and_change(repo: Repo) -> None:
    rename(repo)
    repo.commit("Say more", {"src/backoff.py": RETRY.replace("Retries.", "Waiting, and trying again.")})
    repo.git("mv", "src/backoff.py", "src/waiting.py")
    repo.commit("Call it waiting")


def move_the_folder(repo: Repo) -> None:
    repo.git("mv", "src", "lib")
    repo.commit("Move all of it")


def change_other_lines(repo: Repo) -> None:
    repo.commit("Say more", {"src/retry.py": RETRY.replace("Retries.", "Waiting, and trying again.")})


def indent(repo: Repo) -> None:
    inside = "".join(f"    {line}\n" if line else "\n" for line in RETRY.splitlines())
    repo.commit("Put it into a class", {"src/retry.py": f"class Retries:\n\n{inside}"})


def move_lines_down(repo: Repo) -> None:
    repo.commit("A licence", {"src/retry.py": "# a licence\n" * 30 + RETRY})


def switch_to_a_branch_without_it(repo: Repo) -> None:
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("Drop it here", {"src/retry.py": None})


def switch_to_an_empty_branch(repo: Repo) -> None:
    repo.git("checkout", "-q", "--orphan", "pages")
    repo.git("rm", "-rq", "--cached", ".")
    repo.commit("Pages", {"index.html": "<p>\n"})


def delete_without_a_commit(repo: Repo) -> None:
    (repo / "src/retry.py").unlink()
    repo.git("add", "-A")


def detach(repo: Repo) -> None:
    repo.git("checkout", "-q", "--detach")


THERE = [rename, rename_and_change, move_the_folder, change_other_lines, indent, move_lines_down]
THERE += [switch_to_a_branch_without_it, switch_to_an_empty_branch, delete_without_a_commit, detach]
NOTES = {
    "file": "src/retry.py sleeps twice as long before each attempt",
    "name alone": "The sleeps are in retry.py",
    "symbol": "charge() tries five times, see src/retry.py",
    "lines": "The wait before an attempt is at src/retry.py:6-8",
    "folder": "All that talks to the bank lives in src/",
}


@pytest.mark.parametrize("way", [pytest.param(way, id=way.__name__) for way in THERE])
def test_what_is_still_there_makes_no_note_stale(
    memory: Engram, shop: Repo, way: Callable[[Repo], None]
) -> None:
    made = {name: memory.add(text, kind="fact") for name, text in NOTES.items()}
    refresh(memory)
    way(shop)
    assert refresh(memory) == []
    assert {name: state(memory, record)[0] for name, record in made.items()} == dict.fromkeys(made, "active")
    assert refresh(memory) == []


def drop_the_symbol(repo: Repo) -> None:
    repo.commit("Charge elsewhere", {"src/retry.py": RETRY.partition("def charge")[0]})


def change_the_lines(repo: Repo) -> None:
    repo.commit("Unrelated", {"docs/notes.md": "more\n"})
    repo.commit("Wait longer", {"src/retry.py": RETRY.replace("2**attempt", "3**attempt")})
    repo.commit("Say more", {"src/retry.py": "# more\n" + RETRY.replace("2**attempt", "3**attempt")})


def drop_the_folder(repo: Repo) -> None:
    repo.commit("Drop all", {"src/retry.py": None, "src/gateway.py": None})


GONE = [
    pytest.param(drop_the_symbol, "symbol", "charge is gone from src/retry.py since {0}", id="symbol"),
    pytest.param(change_the_lines, "lines", "lines 6-8 of src/retry.py changed in {1}", id="lines"),
    pytest.param(drop_the_folder, "folder", "there is nothing in src/ any more", id="folder"),
    pytest.param(drop_the_folder, "name alone", "src/retry.py is gone since {0}", id="name alone"),
]


@pytest.mark.parametrize(("way", "name", "reason"), GONE)
def test_what_is_gone_makes_its_note_stale(
    memory: Engram, shop: Repo, way: Callable[[Repo], None], name: str, reason: str
) -> None:
    record = add(memory, NOTES[name])
    before = shop.head()
    way(shop)
    refresh(memory)
    status, told = state(memory, record)
    commits = [commit[:8] for commit in shop.git("rev-list", f"{before}..HEAD").split()]
    assert (status, told.split(" (")[0]) == ("stale", reason.format(*commits))
    shop.git("revert", "--no-edit", "-n", f"{before}..HEAD")
    shop.commit("All back")
    assert len(refresh(memory)) == 1
    assert state(memory, record) == ("active", "")


@pytest.mark.parametrize("kind", ["decision", "constraint", "architecture"])
def test_protected_note_is_in_doubt_and_stays_as_it_is(memory: Engram, shop: Repo, kind: str) -> None:
    record = add(memory, NOTES["file"], kind=kind)
    before = records.read(memory.db, record.id)
    shop.commit("Drop the retries", {"src/retry.py": None})
    (told,) = refresh(memory)
    assert "in doubt" in told
    assert records.read(memory.db, record.id) == before
    assert refresh(memory) == []


@pytest.mark.parametrize("kind", ["user", "feedback"])
def test_what_a_person_is_and_wants_never_goes_stale(memory: Engram, shop: Repo, kind: str) -> None:
    record = add(memory, NOTES["file"], kind=kind)
    shop.commit("Drop the retries", {"src/retry.py": None})
    assert refresh(memory) == []
    assert state(memory, record)[0] == "active"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("src/retry.py was removed, the gateway tries again by itself", id="it says so itself"),
        pytest.param("Retries moved from src/retry.py to src/gateway.py", id="it says where it went"),
        pytest.param("Both src/retry.py and src/gateway.py talk to the bank", id="another file is left"),
        pytest.param("Deploys run on Tuesdays", id="no file at all"),
        pytest.param("See https://example.com/src/retry.py", id="an address"),
    ],
)
def test_note_that_a_deletion_does_not_touch_holds(memory: Engram, shop: Repo, text: str) -> None:
    record = add(memory, text)
    shop.commit("Drop the retries", {"src/retry.py": None})
    assert refresh(memory) == []
    assert state(memory, record)[0] == "active"


def test_file_that_went_before_anybody_looked_makes_its_note_stale(memory: Engram, shop: Repo) -> None:
    row = {
        "kind": "fact",
        "project_id": memory.project_id,
        "summary": NOTES["file"],
        "created_at": 1_714_550_000_000,
    }
    number = records.insert(memory.db, row, now_ms=NOW_MS, actor="import")
    renamed = {**row, "summary": "The bank's address is in src/gateway.py"}
    other = records.insert(memory.db, renamed, now_ms=NOW_MS, actor="import")
    shop.git("mv", "src/gateway.py", "src/bank.py")
    shop.commit("Drop the retries", {"src/retry.py": None})
    refresh(memory)
    assert memory.find(str(number)).status == "stale"
    assert memory.find(str(other)).status == "active"


def test_file_that_went_before_the_note_was_made_is_no_anchor(memory: Engram, shop: Repo) -> None:
    shop.commit("Drop the retries", {"src/retry.py": None})
    record = add(memory, NOTES["file"])
    assert anchors.read_anchors(memory.db, [record.id])[record.id] == []
    assert state(memory, record)[0] == "active"


def test_note_that_a_person_takes_back_is_not_put_aside_again(memory: Engram, shop: Repo) -> None:
    record = add(memory, NOTES["file"])
    shop.commit("Drop the retries", {"src/retry.py": None})
    refresh(memory)
    memory.reinstate(record.short_id)
    shop.commit("Go on", {"docs/notes.md": "more\n"})
    assert refresh(memory) == []
    assert state(memory, record)[0] == "active"


def test_file_that_is_written_and_not_committed_counts_from_its_commit_on(memory: Engram, shop: Repo) -> None:
    shop.write({"src/queue.py": "SIZE = 9\n"})
    record = memory.add("src/queue.py holds nine charges", kind="fact")
    assert refresh(memory) == []
    shop.commit("Queue", {})
    assert refresh(memory) == []
    shop.commit("Drop the queue", {"src/queue.py": None})
    refresh(memory)
    assert state(memory, record)[0] == "stale"
    memory.reinstate(record.short_id)
    shop.commit("Go on", {"docs/notes.md": "more\n"})
    assert refresh(memory) == []


def test_stale_note_that_is_put_right_by_hand_is_told_again(memory: Engram, shop: Repo) -> None:
    record = add(memory, NOTES["file"])
    shop.commit("Drop the retries", {"src/retry.py": None})
    refresh(memory)
    memory.edit(record.short_id, {"summary": "src/gateway.py sleeps twice as long before each attempt"})
    refresh(memory)
    assert state(memory, record)[0] == "active"
    assert refresh(memory) == []


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
    monkeypatch.setattr("engram_hooks.curate.staleness.BATCH", 1)
    clock = iter([0.0, 0.0, 9.0, *[9.0] * 9])
    monkeypatch.setattr("engram_hooks.curate.staleness.time.monotonic", lambda: next(clock))
    assert len(refresh(memory, until=5.0)) == 1
    monkeypatch.undo()
    assert len(refresh(memory)) == 2
    assert {state(memory, record)[0] for record in made} == {"stale"}


def test_looking_again_changes_nothing(memory: Engram, shop: Repo) -> None:
    for text in NOTES.values():
        memory.add(text, kind="fact")
    refresh(memory)
    rename_and_change(shop)
    drop = {"src/waiting.py": None, "src/gateway.py": None}
    shop.commit("Drop all", drop)
    assert refresh(memory)
    meta.set_fact(memory.db, f"staleness:{memory.project_id}", "")
    before = [row for row in memory.db.iterdump() if '"meta"' not in row]
    assert refresh(memory) == []
    assert [row for row in memory.db.iterdump() if '"meta"' not in row] == before
