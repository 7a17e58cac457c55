"""Notes carry the branch they were made on, rank by it, and follow it into the mainline, by whatever way it came."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate import branches
from engram_hooks.memory import now
from engram_hooks.store import records
from engram_hooks.store.branches import GONE, MERGED, OPEN, read_branches
from tests.support.make_repo import Repo, make_repo, run_git

TOPIC = "topic/retry"
CODE = "def charge():\n    return 1\n"


@pytest.fixture
def shop(tmp_path: Path, data: str) -> Repo:
    """A repository in which a topic branch with one commit of its own is checked out."""
    repo = make_repo(tmp_path / "shop", {"pay.py": CODE, "README.md": "shop\n"})
    repo.git("checkout", "-q", "-b", TOPIC)
    repo.commit("Retry charges", {"retry.py": "RETRIES = 5\n"})
    return repo


@pytest.fixture
def memory(shop: Repo) -> Iterator[Engram]:
    with Engram(cwd=shop) as memory:
        memory.add("Retries of charges are capped at five", kind="fact")
        yield memory


def look(memory: Engram) -> str:
    """The state of the topic branch after a look."""
    branches.look_here(memory)
    assert memory.project_id is not None
    return read_branches(memory.db, memory.project_id)[TOPIC].state


def merge(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "Bring the retries in", TOPIC)


def forward(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--ff-only", TOPIC)


def squash(repo: Repo) -> None:
    repo.git("checkout", "-q", TOPIC)
    repo.commit("Retry six times", {"retry.py": "RETRIES = 6\n", "pay.py": CODE + "\n\nRETRY = True\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--squash", TOPIC)
    repo.commit("Retries (#12)")


def squash_beside_other_work(repo: Repo) -> None:
    repo.git("checkout", "-q", TOPIC)
    repo.commit("Say so", {"README.md": "shop\nretries\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("Other work", {"pay.py": "# payments\n" + CODE})
    repo.git("merge", "-q", "--squash", TOPIC)
    repo.commit("Retries (#12)")
    repo.commit("Change it at once", {"retry.py": "RETRIES = 7\n"})


def squash_into_a_changed_file(repo: Repo) -> None:
    lines = "".join(f"line {number}\n" for number in range(30))
    repo.git("checkout", "-q", "main")
    repo.commit("A list", {"list.txt": lines})
    repo.git("checkout", "-q", TOPIC)
    repo.git("rebase", "-q", "main")
    repo.commit("Change its end", {"list.txt": lines.replace("line 28", "line twenty-eight")})
    repo.git("checkout", "-q", "main")
    repo.commit("Change its start", {"list.txt": lines.replace("line 1\n", "line one\n")})
    repo.git("merge", "-q", "--squash", TOPIC)
    repo.commit("Retries (#12)")


def rebase(repo: Repo) -> None:
    repo.git("checkout", "-q", TOPIC)
    repo.commit("Retry pay", {"pay.py": CODE + "\n\nRETRY = True\n"})
    repo.git("checkout", "-q", "main")
    repo.commit("Other work", {"README.md": "# shop\n"})
    for commit in repo.git("rev-list", "--reverse", f"main..{TOPIC}").split():
        repo.git("cherry-pick", commit)


WAYS = [merge, forward, squash, squash_beside_other_work, squash_into_a_changed_file, rebase]


@pytest.mark.parametrize("way", [pytest.param(way, id=way.__name__) for way in WAYS])
@pytest.mark.parametrize("is_deleted", [pytest.param(False, id="kept"), pytest.param(True, id="deleted")])
def test_merged_branch_is_known_however_it_was_merged(
    memory: Engram, shop: Repo, way: Callable[[Repo], None], is_deleted: bool
) -> None:
    assert look(memory) == OPEN
    way(shop)
    if is_deleted:
        shop.git("branch", "-q", "-D", TOPIC)
    assert look(memory) == MERGED
    (asked,) = branches.list_asked(memory.db, memory.project_id or 0, memory.environ)
    assert (asked.branch.name, asked.count) == (TOPIC, 1)


def test_branch_that_was_never_seen_before_its_merge_is_known(memory: Engram, shop: Repo) -> None:
    merge(shop)
    shop.git("branch", "-q", "-D", TOPIC)
    assert look(memory) == MERGED


def test_branch_that_is_known_by_the_message_of_its_merge_alone(memory: Engram, shop: Repo) -> None:
    shop.git("checkout", "-q", "main")
    shop.git("merge", "-q", "--no-ff", "-m", f"Merge pull request #7 from ana/{TOPIC}", TOPIC)
    shop.git("branch", "-q", "-D", TOPIC)
    (shop.path / ".git" / "logs" / "HEAD").unlink()
    assert look(memory) == MERGED


def begin_only(repo: Repo) -> None:
    """Nothing is committed on it yet."""
    repo.git("checkout", "-q", "-B", TOPIC, "main")
    (repo.path / ".git" / "logs" / "refs" / "heads" / TOPIC).unlink()


def go_on(repo: Repo) -> None:
    repo.commit("More", {"retry.py": "RETRIES = 9\n"})


def take_the_mainline_in(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.commit("Other work", {"README.md": "# shop\n"})
    repo.git("checkout", "-q", TOPIC)
    repo.git("merge", "-q", "--no-edit", "main")


def merge_a_part(repo: Repo) -> None:
    first = repo.head()
    repo.commit("More", {"retry.py": "RETRIES = 9\n"})
    repo.git("checkout", "-q", "main")
    repo.git("merge", "-q", "--no-ff", "-m", "A part", first)


OPEN_STILL = [begin_only, go_on, take_the_mainline_in, merge_a_part]


@pytest.mark.parametrize("way", [pytest.param(way, id=way.__name__) for way in OPEN_STILL])
def test_branch_whose_work_is_not_all_in_stays_open(
    memory: Engram, shop: Repo, way: Callable[[Repo], None]
) -> None:
    way(shop)
    assert look(memory) == OPEN
    assert look(memory) == OPEN
    assert branches.list_asked(memory.db, memory.project_id or 0, memory.environ) == []


def test_branch_that_goes_on_after_its_merge_is_open_again(memory: Engram, shop: Repo) -> None:
    merge(shop)
    assert look(memory) == MERGED
    shop.git("checkout", "-q", TOPIC)
    shop.commit("More", {"retry.py": "RETRIES = 9\n"})
    assert look(memory) == OPEN


def test_branch_deleted_without_a_merge_is_gone_and_its_notes_stay(memory: Engram, shop: Repo) -> None:
    assert look(memory) == OPEN
    shop.git("checkout", "-q", "main")
    shop.git("branch", "-q", "-D", TOPIC)
    assert look(memory) == GONE
    (hit,) = memory.recall("retries of charges")
    assert (hit.branch, hit.status) == (TOPIC, "live")
    assert "on branch topic/retry" in memory.context()[0]


def test_renamed_branch_takes_its_notes_along(memory: Engram, shop: Repo) -> None:
    assert look(memory) == OPEN
    shop.git("branch", "-q", "-m", "topic/backoff")
    branches.look_here(memory)
    assert [record.branch for record in memory.list_records()] == ["topic/backoff"]


def test_notes_hold_for_the_project_after_a_yes(memory: Engram, shop: Repo) -> None:
    memory.add("The flag is on here", kind="state", scope="branch")
    merge(shop)
    assert look(memory) == MERGED
    done = branches.promote_here(memory, TOPIC)
    assert sorted((record.scope, record.branch) for record in done) == [("project", "")] * 2
    assert "on branch" not in memory.context()[0]
    assert branches.look_here(memory) == []


def test_promoted_note_takes_the_place_of_what_held_before(memory: Engram, shop: Repo) -> None:
    shop.git("checkout", "-q", "main")
    old = memory.add("The order database is Mongo", kind="fact")
    shop.git("checkout", "-q", TOPIC)
    new = memory.add("The order database is Postgres", kind="fact")
    assert memory.find(old.short_id).status == "active"
    merge(shop)
    assert look(memory) == MERGED
    branches.promote_here(memory, TOPIC)
    told = memory.find(old.short_id)
    assert (told.status, told.superseded_by) == ("superseded", new.id)


@pytest.mark.parametrize(("mode", "is_promoted"), [("ask", False), ("off", False), ("auto", True)])
def test_setting_says_whether_a_merge_promotes_unasked(
    memory: Engram, shop: Repo, mode: str, is_promoted: bool
) -> None:
    merge(shop)
    assert look(memory) == MERGED
    environ = {**memory.environ, "ENGRAM_BRANCH_PROMOTE": mode}
    told = branches.promote_merged(memory.db, memory.project_id or 0, environ, now_ms=1)
    assert bool(told) is is_promoted
    assert (memory.list_records()[0].branch == "") is is_promoted
    assert len(branches.list_asked(memory.db, memory.project_id or 0, environ)) == (mode == "ask")


def test_kept_branch_is_not_asked_about_again(memory: Engram, shop: Repo) -> None:
    merge(shop)
    assert look(memory) == MERGED
    branches.keep(memory.db, memory.project_id or 0, TOPIC)
    assert look(memory) == MERGED
    assert branches.list_asked(memory.db, memory.project_id or 0, memory.environ) == []
    assert memory.list_records()[0].branch == TOPIC


@pytest.mark.parametrize(
    ("branch", "kind", "carried"),
    [
        pytest.param(TOPIC, "decision", TOPIC, id="feature branch"),
        pytest.param(TOPIC, "feedback", "", id="what a person wants"),
        pytest.param(TOPIC, "constraint", "", id="a rule"),
        pytest.param("main", "decision", "", id="mainline"),
        pytest.param("develop", "decision", "", id="shared line"),
        pytest.param("", "decision", "", id="detached"),
    ],
)
def test_what_is_made_on_a_feature_branch_carries_it(
    shop: Repo, branch: str, kind: str, carried: str
) -> None:
    shop.git("branch", "-q", "develop")
    shop.git("checkout", "-q", *([branch] if branch else ["--detach"]))
    with Engram(cwd=shop) as memory:
        record = memory.add("Charges go through one queue", kind=kind)
    assert (record.scope, record.branch) == ("project", carried)


def test_said_again_on_the_mainline_it_holds_there(memory: Engram, shop: Repo) -> None:
    shop.git("checkout", "-q", "main")
    record = memory.add("Retries of charges are capped at five", kind="fact")
    assert (record.branch, len(memory.list_records())) == ("", 1)


def test_notes_of_the_branch_are_not_crowded_out(memory: Engram, shop: Repo) -> None:
    project_id = memory.project_id or 0
    for number in range(40):
        row = {
            "kind": "fact",
            "project_id": project_id,
            "summary": f"Shelf {number} holds boxes",
            "importance": 0.9,
        }
        records.insert(memory.db, row, now_ms=now(), actor="person")
    pack, _ = memory.context(max_chars=9_000)
    assert "Retries of charges are capped at five" in pack
    assert 'records="41"' in pack


def test_each_worktree_sees_its_own_branch_first(memory: Engram, shop: Repo, tmp_path: Path) -> None:
    run_git(shop.path, "worktree", "add", "-q", "-b", "other", str(tmp_path / "tree"), "main")
    with Engram(cwd=tmp_path / "tree") as beside:
        beside.add("Retries of charges are capped at nine", kind="fact")
        assert [hit.branch for hit in beside.recall("how often are charges retried")] == ["other", TOPIC]
        pack, _ = beside.context()
    assert "capped at nine (" in pack
    assert f"on branch {TOPIC})" in pack
    assert [hit.branch for hit in memory.recall("how often are charges retried")] == [TOPIC, "other"]
