"""Candidates out of a session's log: kept once, for the project that the session belongs to by then."""

from __future__ import annotations

from collections.abc import Callable
from sqlite3 import Connection

import pytest

from engram_hooks.curate import mining, review
from engram_hooks.curate.capture import Draft, capture
from engram_hooks.store import boot, log, merging, places, sessions, tombstones

NOW_MS = 1_780_000_000_000
SAID = "From now on always use pnpm here, npm breaks the workspace links."


def start(store: Connection, *, project_id: int, branch: str = "main", name: str = "s1") -> int:
    """A session of a project in which one rule was said; returns its id."""
    session = sessions.add_session(
        store,
        name,
        project_id=project_id,
        root="/shop",
        branch=branch,
        transcript_path=f"/{name}.jsonl",
        now_ms=NOW_MS,
    )
    log.append_rows(store, session[0], [(f"u-{name}", "user", "", SAID, NOW_MS)])
    return session[0]


def add_project(store: Connection, name: str) -> int:
    return places.add_project(store, name, is_provisional=False, now_ms=NOW_MS)


def candidates(store: Connection) -> list[tuple[int, str, str]]:
    """(project, scope, branch) of each."""
    return store.execute(
        "SELECT project_id, scope, branch FROM records WHERE status = 'candidate'"
    ).fetchall()


def test_rule_becomes_a_candidate_of_the_project_on_every_branch(store: Connection) -> None:
    project = add_project(store, "shop")
    session_id = start(store, project_id=project, branch="retry-backoff")
    assert mining.mine_session(store, session_id, now_ms=NOW_MS) == 1
    assert candidates(store) == [(project, "project", "")]
    assert mining.mine_session(store, session_id, now_ms=NOW_MS) == 0


def test_accepted_candidate_is_known_when_it_is_added_by_hand(store: Connection) -> None:
    project = add_project(store, "shop")
    mining.mine_session(store, start(store, project_id=project), now_ms=NOW_MS)
    (proposal,) = review.list_proposals(store, project)
    kept = review.accept(store, proposal.record.id, now_ms=NOW_MS)
    draft = Draft(kept.summary, kind=kept.kind, project_id=project, branch="main")
    found = capture(store, draft, now_ms=NOW_MS)
    assert (found.record.id, found.is_new) == (kept.id, False)


def test_candidate_follows_a_merge_that_happens_meanwhile(
    store: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, target = add_project(store, "provisional"), add_project(store, "shop")
    session_id = start(store, project_id=own)
    read = boot.known_summaries

    def read_and_merge(db: Connection, project_id: int, *, limit: int) -> list[str]:
        found = read(db, project_id, limit=limit)
        merging.merge_projects(db, own, target, now_ms=NOW_MS)
        return found

    monkeypatch.setattr(boot, "known_summaries", read_and_merge)
    assert mining.mine_session(store, session_id, now_ms=NOW_MS) == 1
    assert candidates(store) == [(target, "project", "")]


def test_refused_text_is_not_proposed(store: Connection) -> None:
    session_id = start(store, project_id=add_project(store, "shop"))
    mining.mine_session(store, session_id, now_ms=NOW_MS)
    summary = store.execute("SELECT summary FROM records").fetchone()[0]
    store.execute("DELETE FROM records")
    store.execute("UPDATE transcripts SET mined_log_id = 0")
    tombstones.bury_content(store, summary, now_ms=NOW_MS)
    assert mining.mine_session(store, session_id, now_ms=NOW_MS) == 0
    assert candidates(store) == []


def refuse(store: Connection, project_id: int) -> None:
    for proposal in review.list_proposals(store, project_id):
        review.refuse(store, [proposal.record.id], now_ms=NOW_MS)


def leave(store: Connection, project_id: int) -> None:
    """Let it wait."""


@pytest.mark.parametrize("act", [refuse, leave])
@pytest.mark.parametrize("other", [0, 1], ids=["outside any project", "another project"])
def test_what_one_project_has_refused_or_waits_there_is_proposed_in_another(
    store: Connection, act: Callable[[Connection, int], None], other: int
) -> None:
    elsewhere = add_project(store, "garden") if other else 0
    mining.mine_session(store, start(store, project_id=elsewhere), now_ms=NOW_MS)
    act(store, elsewhere)
    here = add_project(store, "shop")
    session_id = start(store, project_id=here, name="s2")
    assert mining.mine_session(store, session_id, now_ms=NOW_MS) == 1
    assert len(review.list_proposals(store, here)) == 1


def test_what_is_told_everywhere_is_not_proposed(store: Connection) -> None:
    mining.mine_session(store, start(store, project_id=0), now_ms=NOW_MS)
    (proposal,) = review.list_proposals(store, 0)
    review.accept(store, proposal.record.id, now_ms=NOW_MS)
    session_id = start(store, project_id=add_project(store, "shop"), name="s2")
    assert mining.mine_session(store, session_id, now_ms=NOW_MS) == 0
