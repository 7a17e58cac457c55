"""Each step by itself: what it does, and what it must leave alone."""

from __future__ import annotations

from typing import Any

import pytest

from engram_hooks.curate.consolidate import Report, consolidate
from engram_hooks.curate.lineage import restore
from engram_hooks.store import lookup, records
from engram_hooks.store.branches import Branch, put_branch
from tests.conftest import NOW_MS
from tests.unit.curate.consolidation.conftest import DAY_MS, Kept

PROTECTED: list[dict[str, Any]] = [
    {"kind": "decision"},
    {"kind": "constraint"},
    {"kind": "architecture"},
    {"kind": "fact", "tags": "api security"},
    {"kind": "fact", "is_pinned": 1},
]


def run(kept: Kept, *steps: str, days: float = 0) -> Report:
    """Do some steps, some days after now."""
    return consolidate(
        kept.db, kept.data, kept.environ, now_ms=int(NOW_MS + days * DAY_MS), steps=list(steps)
    )


@pytest.mark.parametrize("fields", PROTECTED)
@pytest.mark.parametrize("days", [3_000, 40])
def test_what_is_protected_is_never_touched(kept: Kept, fields: dict[str, Any], days: int) -> None:
    ids = [kept.add("Release freeze until 3 May 2020", days=days, **fields) for _ in range(2)]
    ids += [kept.add(f"api/orders.py has a trap in case {n}", days=days, **fields) for n in range(5)]
    before = [kept.read(record_id) for record_id in ids]
    report = run(kept, "promote", "merge", "expire", "decay", "compact", "reflect")
    assert [kept.read(record_id) for record_id in ids] == before
    assert {change.action for _, change in report.changes} <= {"proposed"}


@pytest.mark.parametrize("fields", PROTECTED[:4])
def test_repeated_protected_record_is_proposed_until_a_person_decides(
    kept: Kept, fields: dict[str, Any]
) -> None:
    own, other = (
        kept.add(text, **fields)
        for text in ("Orders are kept for ten years", "orders are kept for ten years")
    )
    for _ in range(2):
        changes = [change for _, change in run(kept, "merge").changes]
        assert [(change.action, {change.record_id, change.target_id}) for change in changes] == [
            ("proposed", {own, other})
        ]
    records.supersede(kept.db, own, other, at_ms=NOW_MS, now_ms=NOW_MS, actor="person")
    assert run(kept, "merge").changes == []


class TestDecay:
    def test_use_keeps_a_record(self, kept: Kept) -> None:
        used = kept.add("The cache is warmed by hand", days=300, use_count=6)
        unused = kept.add("The queue is drained by hand", days=300)
        run(kept, "decay")
        assert [kept.read(record_id)["status"] for record_id in (used, unused)] == ["active", "archived"]

    def test_old_note_that_was_brought_in_today_is_kept(self, kept: Kept) -> None:
        at = NOW_MS - 900 * DAY_MS
        row = {"kind": "fact", "project_id": 1, "summary": "An old fact", "created_at": at, "valid_from": at}
        record_id = records.insert(kept.db, row, now_ms=NOW_MS, actor="import")
        run(kept, "decay")
        assert kept.read(record_id)["status"] == "active"
        run(kept, "decay", days=900)
        assert kept.read(record_id)["status"] == "archived"

    def test_new_record_is_kept_however_unimportant(self, kept: Kept) -> None:
        record_id = kept.add("A trifle", days=13, importance=0.05)
        run(kept, "decay")
        assert kept.read(record_id)["status"] == "active"

    def test_restored_record_lasts_as_long_as_a_new_one(self, kept: Kept) -> None:
        record_id = kept.add("The cache is warmed by hand", days=400)
        run(kept, "decay")
        restore(kept.db, record_id, now_ms=NOW_MS)
        run(kept, "decay", days=100)
        assert kept.read(record_id)["status"] == "active"
        run(kept, "decay", days=400)
        assert kept.read(record_id)["status"] == "archived"

    def test_record_that_was_shown_in_vain_fades_sooner(self, kept: Kept) -> None:
        ids = [kept.add(f"Note {n} on the cache", days=150, ignored_count=n * 40) for n in (0, 1)]
        run(kept, "decay")
        assert [kept.read(record_id)["status"] for record_id in ids] == ["active", "archived"]


class TestExpire:
    def test_event_expires_a_day_after_its_own(self, kept: Kept) -> None:
        # 28 May 2026 is now; it was said in the middle of March
        record_id = kept.add("Release freeze until 20 May", days=70)
        run(kept, "expire", days=-7)
        assert kept.read(record_id)["status"] == "active"
        run(kept, "expire")
        row = kept.read(record_id)
        assert row["status"] == "expired"
        assert row["valid_to"] < NOW_MS

    def test_state_of_work_expires_when_it_is_not_heard_of(self, kept: Kept) -> None:
        old = kept.add("The move to the new queue is half done", kind="state", days=70)
        heard = kept.add("The rewrite of the parser is half done", kind="state", days=70)
        records.add_evidence(kept.db, heard, "log", "again", now_ms=NOW_MS - 10 * DAY_MS)
        run(kept, "expire")
        assert [kept.read(record_id)["status"] for record_id in (old, heard)] == ["expired", "active"]

    @pytest.mark.parametrize("kind", ["feedback", "user", "procedure"])
    def test_rule_that_names_a_day_stays(self, kept: Kept, kind: str) -> None:
        record_id = kept.add("Send the report by 20 May", kind=kind, days=70)
        run(kept, "expire")
        assert kept.read(record_id)["status"] == "active"


class TestMerge:
    def test_what_a_person_said_stays_and_takes_the_evidence(self, kept: Kept) -> None:
        typed = kept.add("Run the linter before committing", kind="feedback", source="person")
        heard = kept.add("Run the linter before you commit", kind="feedback", use_count=9)
        records.add_evidence(kept.db, heard, "log", "line", now_ms=NOW_MS)
        run(kept, "merge")
        assert kept.read(heard)["parent_id"] == typed
        assert kept.read(typed)["use_count"] == 9
        assert [item["ref"] for item in lookup.list_evidence(kept.db, typed)] == ["line"]

    @pytest.mark.parametrize(
        "fields",
        [{"project_id": 2}, {"kind": "feedback"}, {"branch": "next", "scope": "branch"}, {"paths": "web/**"}],
    )
    def test_records_of_different_places_stay_apart(self, kept: Kept, fields: dict[str, Any]) -> None:
        kept.add("The tests need a local Redis")
        kept.add("The tests need a local Redis", **fields)
        assert run(kept, "merge").changes == []

    def test_restored_record_is_not_merged_again(self, kept: Kept) -> None:
        child = kept.add("The tests need a local Redis")
        kept.add("The tests need a local Redis running")
        run(kept, "merge")
        restore(kept.db, child, now_ms=NOW_MS + 1)
        assert run(kept, "merge", days=1).changes == []

    def test_new_record_meets_old_ones(self, kept: Kept) -> None:
        kept.add("The tests need a local Redis running", days=5)
        run(kept, "merge", days=-2)
        late = kept.add("The tests need a local Redis")
        run(kept, "merge")
        assert kept.read(late)["status"] == "archived"

    def test_many_new_records_are_compared_a_part_at_a_time(
        self, kept: Kept, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("engram_hooks.curate.consolidation.merge.MAX_NEW", 2)
        words = "alpha bravo charlie delta echo foxtrot".split()
        for word in words:
            kept.add(f"The {word} service restarts at night")
        last = kept.add("The foxtrot service restarts at night again")
        reports = [run(kept, "merge") for _ in range(4)]
        assert [report.is_complete for report in reports] == [False, False, False, True]
        assert sum(len(report.changes) for report in reports) == 1
        assert "archived" in {kept.read(last)["status"], kept.read(last - 1)["status"]}


class TestCompact:
    def test_weak_records_on_one_subject_become_one_with_lineage(self, kept: Kept) -> None:
        ids = [kept.add(f"api/orders.py has a trap in case {n}", days=150, tags="orders") for n in range(5)]
        run(kept, "compact")
        rows = [kept.read(record_id) for record_id in ids]
        parent = kept.read(rows[0]["parent_id"])
        assert {row["status"] for row in rows} == {"archived"}
        assert {row["parent_id"] for row in rows} == {parent["id"]}
        assert (parent["status"], parent["tags"], parent["valid_from"]) == (
            "compacted",
            "orders",
            rows[0]["valid_from"],
        )
        assert all(row["summary"] in parent["detail"] for row in rows)

    def test_few_or_strong_records_stay(self, kept: Kept) -> None:
        for number in range(3):
            kept.add(f"api/orders.py has a trap in case {number}", days=150, tags="orders")
        for number in range(5):
            kept.add(f"api/carts.py has a trap in case {number}", days=5, tags="carts")
        assert run(kept, "compact").changes == []

    def test_restored_part_is_told_beside_the_whole(self, kept: Kept) -> None:
        ids = [kept.add(f"api/orders.py has a trap in case {n}", days=150, tags="orders") for n in range(4)]
        before = kept.read(ids[0])
        run(kept, "compact")
        restore(kept.db, ids[0], now_ms=NOW_MS + 1)
        after = kept.read(ids[0])
        assert {name for name in after if after[name] != before[name]} == {"updated_at"}


@pytest.mark.parametrize(
    ("scope", "state", "days", "status"),
    [
        ("branch", "gone", 8, "expired"),
        ("branch", "gone", 6, "active"),
        ("branch", "open", 8, "active"),
        ("branch", "merged", 8, "active"),
        ("project", "gone", 8, "active"),
    ],
)
def test_note_of_a_branch_that_is_gone_expires(
    kept: Kept, scope: str, state: str, days: int, status: str
) -> None:
    seen_at = NOW_MS - days * DAY_MS
    put_branch(kept.db, 1, Branch("spike", state=state, seen_at=seen_at))
    record_id = kept.add("The importer works offline", days=9, scope=scope, branch="spike")
    run(kept, "expire")
    row = kept.read(record_id)
    assert row["status"] == status
    if status == "expired":
        assert row["status_reason"] == "its branch was deleted without a merge"
