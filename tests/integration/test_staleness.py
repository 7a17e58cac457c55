"""Notes are held against the code: what speaks of what is gone is put aside with the reason, and comes back with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.store import anchors, records
from tests.conftest import NOW_MS
from tests.support.make_repo import Repo, make_repo
from tests.support.noted_shop import FILES, NOTES, RETRY, add, refresh, state


@pytest.fixture
def shop(tmp_path: Path, data: str) -> Repo:
    return make_repo(tmp_path / "shop", FILES)


@pytest.fixture
def memory(shop: Repo) -> Iterator[Engram]:
    with Engram(cwd=shop) as memory:
        yield memory


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
