"""What consolidation learns from sessions: what recurs, what patterns teach, what each was about."""

from __future__ import annotations

from typing import Any

import pytest

from engram_hooks.curate.review import list_proposals
from engram_hooks.store import lookup, records, summaries, tool_events
from engram_hooks.store.session_list import list_sessions
from tests.conftest import NOW_MS
from tests.unit.curate.consolidation.conftest import DAY_MS, Kept
from tests.unit.curate.consolidation.test_steps import run


def edit(kept: Kept, session_id: int, path: str, *, days: float, failed: str = "") -> None:
    """Edit a file in a session; with a command that then failed, where one is named."""
    at = int(NOW_MS - days * DAY_MS)
    row = (session_id, "Edit", path, "", "ok", "", None, "")
    tool_events._insert(kept.db, row, at)
    if failed:
        tool_events._insert(kept.db, (session_id, "Bash", "", failed, "failed", "1 failed", None, ""), at)


class TestPromote:
    RULE = "Always run the linter before committing"

    def propose(self, kept: Kept, **fields: Any) -> int:
        """A candidate that was heard in the first session."""
        session = kept.say("s0", ("user", self.RULE))
        summary = fields.pop("summary", self.RULE)
        row: dict[str, Any] = {
            "kind": "feedback",
            "status": "candidate",
            "session_id": session,
            "confidence": 0.8,
        } | fields
        record_id = kept.add(summary, **row)
        records.add_evidence(kept.db, record_id, "log", "s0-1", now_ms=NOW_MS)
        return record_id

    def test_what_three_sessions_say_becomes_a_memory(self, kept: Kept) -> None:
        record_id = self.propose(kept)
        kept.say("s1", ("user", "Please, always run the linter before committing."))
        run(kept, "promote")
        assert kept.read(record_id)["status"] == "candidate"
        kept.say(
            "s2", ("user", "always run the linter before committing!"), ("user", "Thanks a lot for that")
        )
        run(kept, "promote")
        assert kept.read(record_id)["status"] == "active"
        assert kept.read(record_id)["evidence_count"] == 3

    def test_repeating_it_in_one_session_is_not_enough(self, kept: Kept) -> None:
        record_id = self.propose(kept)
        kept.say("s0", *[("user", self.RULE)] * 5)
        run(kept, "promote")
        assert kept.read(record_id)["status"] == "candidate"

    @pytest.mark.parametrize(
        "text", ["Never run the linter before committing", "Always run the tests before committing"]
    )
    def test_other_things_do_not_count(self, kept: Kept, text: str) -> None:
        record_id = self.propose(kept)
        for name in ("s1", "s2", "s3"):
            kept.say(name, ("user", text))
        run(kept, "promote")
        assert kept.read(record_id)["status"] == "candidate"

    def test_what_would_change_a_decision_waits_for_a_person(self, kept: Kept) -> None:
        old = kept.add("The package manager is npm", kind="decision", source="person", days=10)
        new = "The package manager is now pnpm"
        record_id = self.propose(kept, summary=new, kind="decision")
        for name in ("s1", "s2", "s3"):
            kept.say(name, ("user", new))
        run(kept, "promote")
        assert kept.read(record_id)["status"] == "needs_review"
        assert kept.read(old)["status"] == "active"


class TestReflect:
    def test_file_that_is_reworked_again_and_again_is_an_insight(self, kept: Kept) -> None:
        for number in range(3):
            session = kept.say(f"s{number}", ("user", "Fix it"), days=3 - number)
            edit(kept, session, "/shop/api/retry.py", days=3 - number, failed="pytest" if number else "")
            edit(kept, session, "/shop/api/retry.py", days=3 - number)
            edit(kept, session, "/shop/api/along.py", days=3 - number)
        run(kept, "reflect")
        rows = lookup.list_records(kept.db, project_ids=[1], statuses=["candidate"])
        assert [row["paths"] for row in rows] == ["api/retry.py"]
        assert "reworked in 3 sessions" in rows[0]["summary"]
        assert [one.speaker for one in list_proposals(kept.db, 1)] == ["engram"]
        assert run(kept, "reflect", days=1).changes == []

    def test_calm_work_teaches_nothing(self, kept: Kept) -> None:
        for number in range(3):
            session = kept.say(f"s{number}", ("user", "Go on"), days=3 - number)
            edit(kept, session, "/shop/api/retry.py", days=3 - number)
        for number in range(2):
            session = kept.say(f"t{number}", ("user", "Go on"), days=3 - number)
            edit(kept, session, "/shop/api/other.py", days=3 - number, failed="pytest")
        assert run(kept, "reflect").changes == []

    def test_rule_that_had_to_be_said_again_is_an_insight(self, kept: Kept) -> None:
        rule = kept.add("Answer in British English", kind="feedback")
        for number in range(3):
            kept.say(f"s{number}", ("user", "Answer in British English, please."))
        run(kept, "promote", "reflect")
        rows = lookup.list_records(kept.db, project_ids=[1], statuses=["candidate"])
        assert [row["external_id"] for row in rows] == [f"reflect:repeated:{rule}"]


class TestSummarise:
    TALK = (
        ("user", "Move the retries of payments to exponential backoff"),
        (
            "assistant",
            "Done: the jitter is in. We decided to cap retries at five because the bank refuses more.",
        ),
        ("user", "From now on use pnpm here, npm breaks the workspace links"),
        ("assistant", "Noted. The gateway test still fails with ERR_PAYMENT_DUPLICATE."),
    )

    def test_session_is_told_in_a_few_lines(self, kept: Kept) -> None:
        session = kept.say("one", *self.TALK)
        edit(kept, session, "/shop/api/retry.py", days=1, failed="pytest tests/api")
        run(kept, "summarise")
        text = summaries.read_summaries(kept.db, ["one"])["one"]
        for part in (
            "Asked: Move the retries",
            "pnpm",
            "Failed: pytest tests/api",
            "retry.py",
            "Open: ",
            "still fails",
        ):
            assert part in text
        assert len(text) <= 1_000

    def test_session_that_goes_on_is_summarised_again_when_it_is_quiet(self, kept: Kept) -> None:
        kept.say("one", *self.TALK, days=2)
        run(kept, "summarise", days=-1)
        assert run(kept, "summarise").changes == []
        kept.say("one", ("user", "Now the refunds: always log their amount"), days=0.001)
        kept.db.execute("UPDATE sessions SET last_at = ?", (NOW_MS,))
        assert run(kept, "summarise").changes == []
        assert len(run(kept, "summarise", days=1).changes) == 1
        assert "refunds" in summaries.read_summaries(kept.db, ["one"])["one"]

    def test_summary_goes_with_the_log(self, kept: Kept) -> None:
        kept.say("one", *self.TALK, days=40)
        run(kept, "summarise")
        kept.environ["ENGRAM_LOG_RETENTION_DAYS"] = "30"
        run(kept, "prune")
        assert summaries.read_summaries(kept.db, ["one"]) == {}

    def test_summary_stands_in_the_list_of_sessions(self, kept: Kept) -> None:
        kept.say("one", *self.TALK)
        assert [row["summary"] for row in list_sessions(kept.db, project_id=1)] == [""]
        run(kept, "summarise")
        assert list_sessions(kept.db, project_id=1)[0]["summary"].startswith("Asked: Move the retries")
