"""One run: its steps, its report, what it leaves alone."""

from __future__ import annotations

import pytest

from engram_hooks.curate.consolidate import STEPS, Report, consolidate
from engram_hooks.errors import UsageError
from engram_hooks.store import runs
from tests.conftest import NOW_MS
from tests.unit.curate.consolidation.conftest import Kept

OWN = ["summarise", "promote", "merge", "expire", "decay", "compact", "reflect", "prune", "vacuum"]


def run(kept: Kept, *, is_dry: bool = False, days: float = 0, steps: list[str] | None = None) -> Report:
    """Consolidate the store, some days after now."""
    now_ms = int(NOW_MS + days * 86_400_000)
    return consolidate(kept.db, kept.data, kept.environ, now_ms=now_ms, is_dry=is_dry, steps=steps or OWN)


def fill(kept: Kept) -> dict[str, int]:
    """Something for every step to do."""
    for number in range(5):
        kept.add(f"payments/retry.py was slow in case {number}", days=150, tags="retry")
    kept.say("one", ("user", "Fix the retry logic in payments please"), ("assistant", "Fixed it."))
    return {
        "faded": kept.add("An old fact on caching", days=400),
        "twin": kept.add("The tests need a local Redis"),
        "other twin": kept.add("The tests need a local Redis running"),
        "frozen": kept.add("Release freeze until 20 June 2025", kind="state", days=400),
        "decision": kept.add("Postgres over Mongo", kind="decision", days=900),
        "same decision": kept.add("Postgres over Mongo!", kind="decision", days=900),
    }


def test_what_is_weak_double_or_over_is_put_away(kept: Kept) -> None:
    ids = fill(kept)
    run(kept)
    statuses = {name: kept.read(record_id)["status"] for name, record_id in ids.items()}
    assert statuses == {
        "faded": "archived",
        "twin": "archived",
        "other twin": "active",
        "frozen": "expired",
        "decision": "active",
        "same decision": "active",
    }
    assert kept.read(ids["twin"])["parent_id"] == ids["other twin"]


def test_dry_run_writes_nothing_and_says_what_a_real_one_does(kept: Kept) -> None:
    fill(kept)
    before = kept.dump()
    dry = run(kept, is_dry=True)
    assert kept.dump() == before
    assert dry.run_id is None
    assert dry.changes == run(kept).changes
    assert dry.changes


def test_second_run_changes_nothing(kept: Kept) -> None:
    fill(kept)
    run(kept)
    rows = kept.db.execute("SELECT * FROM records").fetchall()
    again = run(kept)
    assert [change for _, change in again.changes if change.action != "proposed"] == []
    assert kept.db.execute("SELECT * FROM records").fetchall() == rows


def test_report_is_kept(kept: Kept) -> None:
    fill(kept)
    report = run(kept)
    kept_run = runs.list_runs(kept.db, limit=1)[0]
    assert kept_run["id"] == report.run_id
    assert [step["name"] for step in kept_run["report"]["steps"]] == OWN
    assert kept_run["report"]["lock_ms"] == report.lock_ms > 0


def test_budget_that_is_over_leaves_all_to_the_next_run(kept: Kept) -> None:
    fill(kept)
    report = consolidate(kept.db, kept.data, kept.environ, now_ms=NOW_MS, until=0, steps=OWN)
    assert not report.is_complete
    assert report.changes == []
    assert run(kept).changes


def test_skipped_steps_are_left_out(kept: Kept) -> None:
    environ = {**kept.environ, "ENGRAM_CONSOLIDATE_SKIP": "vacuum, merge"}
    report = consolidate(kept.db, kept.data, environ, now_ms=NOW_MS)
    assert {step.name for step in report.steps} == STEPS.keys() - {"vacuum", "merge"}


def test_unknown_step_is_refused(kept: Kept) -> None:
    with pytest.raises(UsageError, match="no step 'tidy'"):
        run(kept, steps=["tidy"])
