"""What was done once matters less than what holds."""

from __future__ import annotations

from sqlite3 import Connection

import pytest

from engram_hooks.curate.capture import Draft, capture
from engram_hooks.curate.worth import REPORT_IMPORTANCE, weigh
from tests.conftest import NOW_MS

REPORTS = (
    "Ran the linter over 14 files.",
    "Sorted the imports of src/app.py.",
    "Looked at ticket 812, nothing to do.",
    "Reformatted src/ui/list.tsx.",
    "I renamed a local variable in parse_orders.",
    "Just restarted the dev container, 40 seconds.",
    "Updated 12 snapshots.",
    "Rebased the branch on main, one conflict in README.md.",
)
KNOWLEDGE = (
    "Moved background jobs from Celery to Dramatiq.",
    "Replaced the home-grown scheduler with cron.",
    "Raised the upload limit to 25 MB because customers send scans.",
    "Cached responses live for five minutes.",
    "Failed logins are counted per address.",
    "Nested serializers break pagination.",
    "Shared code goes into libs/.",
    "Feed items expire after three days.",
    "Signed commits only.",
    "Dropped the users_old table, so the report must join accounts.",
    "Ran the import twice by accident: duplicates are in the table of March.",
    "The importer ran out of memory on the full export.",
    "Pinned the base image until the fix of glibc is out.",
    "",
)


@pytest.mark.parametrize("summary", REPORTS)
def test_report_of_what_was_done_matters_little(summary: str) -> None:
    assert weigh("fact", summary) == REPORT_IMPORTANCE


@pytest.mark.parametrize("summary", KNOWLEDGE)
def test_what_holds_keeps_its_weight(summary: str) -> None:
    assert weigh("fact", summary) is None


@pytest.mark.parametrize(
    "kind", ["decision", "constraint", "feedback", "user", "state", "incident", "procedure"]
)
def test_other_kinds_are_taken_at_their_word(kind: str) -> None:
    assert all(weigh(kind, summary) is None for summary in REPORTS)


def test_report_with_a_detail_says_more_than_its_first_line() -> None:
    assert weigh("fact", REPORTS[0], "Three rules were wrong: ...") is None


def test_captured_report_has_little_importance(store: Connection) -> None:
    report = capture(store, Draft(REPORTS[0], kind="fact", project_id=1), now_ms=NOW_MS)
    other = capture(store, Draft(KNOWLEDGE[4], kind="fact", project_id=1), now_ms=NOW_MS)
    assert (report.record.importance, other.record.importance) == (REPORT_IMPORTANCE, 0.5)
