"""What the brain's opinion changes, and what it never changes without a person."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.curate.brain.answers import Ruling
from engram_hooks.curate.brain.asking import make_brain
from engram_hooks.curate.brain.rulings import Adviser, adopt, advise, open_adviser
from engram_hooks.curate.changes.judging import Verdict
from engram_hooks.curate.promote import promote_candidate
from engram_hooks.store import audit, records
from tests.conftest import NOW_MS
from tests.support.scripted_brain import brain_command, read_calls

CREATE = Verdict("create", reason="nothing like it")
PLAIN = {"kind": "fact", "tags": "", "paths": "", "is_pinned": 0, "valid_from": NOW_MS}
NEW = {**PLAIN, "id": 9, "summary": "The office plants get water on Fridays"}
OLD = {**PLAIN, "id": 4, "summary": "The plants in the office are watered every Monday"}
ALSO = {**PLAIN, "id": 5, "summary": "Water the office plants on Mondays"}


def rule(action: str, target_id: int | None = 4) -> Ruling:
    return Ruling(action, target_id, 0.9, "Words of the model, which may quote anything.")


@pytest.mark.parametrize("action", ["update", "merge", "supersede", "discard", "needs_review"])
def test_opinion_becomes_a_verdict_in_our_own_words(action: str) -> None:
    verdict = adopt(NEW, CREATE, rule(action), olds=[OLD])
    assert (verdict.action, verdict.target_id, verdict.confidence) == (action, 4, 0.9)
    assert verdict.reason.startswith("brain.command thinks it ")
    assert "Words of the model" not in verdict.reason


def test_restatements_go_with_what_is_replaced() -> None:
    assert adopt(NEW, CREATE, rule("supersede"), olds=[OLD, ALSO], also=[ALSO]).also == (5,)


@pytest.mark.parametrize("action", ["update", "merge", "supersede"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"kind": "constraint"}, id="a rule"),
        pytest.param({"kind": "decision"}, id="a decision"),
        pytest.param({"kind": "architecture"}, id="the architecture"),
        pytest.param({"tags": "security"}, id="a security rule"),
        pytest.param({"is_pinned": 1}, id="a pinned record"),
        pytest.param({"summary": "A refund is paid out on Fridays"}, id="money"),
        pytest.param({"summary": "Sessions end after an hour without a login"}, id="login"),
    ],
)
def test_protected_and_risky_records_wait_for_a_person(change: dict[str, Any], action: str) -> None:
    for new, old in (
        ({**NEW, **change}, {**OLD, "kind": change.get("kind", "fact")}),
        ({**NEW, "kind": change.get("kind", "fact")}, {**OLD, **change}),
    ):
        verdict = adopt(new, CREATE, rule(action), olds=[old])
        assert (verdict.action, verdict.held, verdict.target_id) == ("needs_review", action, 4)
    if action == "supersede":
        verdict = adopt(NEW, CREATE, rule(action), olds=[OLD], also=[{**ALSO, **change}])
        assert (verdict.action, verdict.held) == ("needs_review", action)


def test_protected_text_is_never_thrown_away() -> None:
    new = {**NEW, "kind": "constraint"}
    verdict = adopt(new, CREATE, rule("discard", None), olds=[OLD])
    assert (verdict.action, verdict.held) == ("needs_review", "discard")


@pytest.mark.parametrize(
    ("action", "change"),
    [
        pytest.param("create", {}, id="nothing to add"),
        pytest.param("merge", {"kind": "procedure"}, id="of another kind"),
        pytest.param("update", {"paths": "src/**"}, id="of another place"),
        pytest.param("supersede", {"valid_from": NOW_MS + 1}, id="a newer one"),
    ],
)
def test_opinion_that_does_not_fit_changes_nothing(action: str, change: dict[str, Any]) -> None:
    assert adopt(NEW, CREATE, rule(action), olds=[{**OLD, **change}]) is CREATE


class Scene:
    """A project with one record, and a candidate that is like it in words the rules make nothing of."""

    def __init__(self, store: Connection, data: str, record: Path) -> None:
        self.store, self.data, self.record = store, data, record
        self.old = self.add(OLD["summary"])
        self.new = self.add(NEW["summary"], status="candidate")

    def add(self, summary: object, *, status: str = "active", kind: str = "fact") -> int:
        fields = {"kind": kind, "project_id": 1, "summary": summary, "status": status, "valid_from": NOW_MS}
        return records.insert(self.store, fields, now_ms=NOW_MS, actor="miner")

    def adviser(self, action: str, *, confidence: float = 0.9, target: int | None = None) -> Adviser:
        """A brain that answers with an action about the old record."""
        answer = {
            "action": action,
            "target_id": target or self.old,
            "confidence": confidence,
            "reason": "So it is.",
        }
        return self.open(brain_command("say", json.dumps(answer), record=self.record))

    def open(self, command: str) -> Adviser:
        environ = {"PATH": os.environ["PATH"], "ENGRAM_HOME": self.data, "ENGRAM_BRAIN_COMMAND": command}
        found = open_adviser(self.store, environ, now_ms=NOW_MS, data=self.data)
        assert found is not None
        return found

    def promote(self, advise: Adviser) -> Verdict:
        return promote_candidate(self.store, self.new, actor="consolidation", now_ms=NOW_MS, advise=advise)

    def statuses(self) -> tuple[str, str]:
        """Of the old record and of the candidate."""
        old, new = (records.read(self.store, record_id)["status"] for record_id in (self.old, self.new))
        return old, new


@pytest.fixture
def scene(store: Connection, data: str, tmp_path: Path) -> Scene:
    return Scene(store, data, tmp_path / "seen")


def test_brain_settles_what_the_rules_make_nothing_of(scene: Scene) -> None:
    verdict = scene.promote(scene.adviser("supersede"))
    assert (verdict.action, verdict.target_id) == ("supersede", scene.old)
    assert scene.statuses() == ("superseded", "active")
    entries = audit.list_entries(scene.store, scene.old)
    assert entries[-1]["actor"] == "brain"


@pytest.mark.parametrize("mode", ["malformed", "half", "wrong-ids", "exit", "long"])
def test_failure_leaves_what_the_rules_found(mode: str, scene: Scene) -> None:
    assert scene.promote(scene.open(brain_command(mode, record=scene.record))).action == "create"
    assert scene.statuses() == ("active", "active")
    assert audit.list_entries(scene.store, scene.new)[-1]["actor"] == "consolidation"
    assert len(read_calls(scene.record)) == 1


def test_unsure_opinion_counts_for_nothing(scene: Scene) -> None:
    assert scene.promote(scene.adviser("supersede", confidence=0.5)).action == "create"


def test_record_that_was_not_offered_is_out_of_reach(scene: Scene) -> None:
    other = scene.add("Parcels are left with the neighbours downstairs")
    assert scene.promote(scene.adviser("supersede", target=other)).action == "create"
    assert records.read(scene.store, other)["status"] == "active"


def test_brain_is_not_asked_where_nothing_is_like_it(scene: Scene) -> None:
    scene.new = scene.add("Zebras graze beyond the river", status="candidate")
    assert scene.promote(scene.adviser("discard")).action == "create"
    assert read_calls(scene.record) == []


def test_what_a_person_did_meanwhile_stays(scene: Scene) -> None:
    ask = scene.adviser("supersede")

    def interrupt(row: Any, verdict: Verdict) -> Verdict:
        advised = ask(row, verdict)
        records.set_status(scene.store, scene.new, "retracted", now_ms=NOW_MS, actor="person")
        return advised

    scene.promote(interrupt)
    assert scene.statuses() == ("active", "retracted")


def test_target_that_went_meanwhile_is_left_alone(scene: Scene) -> None:
    answer = {"action": "merge", "target_id": scene.old, "confidence": 1, "reason": "So it is."}
    environ = {"PATH": os.environ["PATH"], "ENGRAM_BRAIN_COMMAND": brain_command("say", json.dumps(answer))}
    brain = make_brain(scene.store, environ, now_ms=NOW_MS, data=scene.data)

    def interrupt() -> int:  # the clock is looked at once the question stands
        records.set_status(scene.store, scene.old, "retracted", now_ms=NOW_MS, actor="person")
        return NOW_MS

    row = records.read(scene.store, scene.new)
    assert advise(replace(brain, clock=interrupt), row, CREATE) is CREATE
    assert scene.statuses() == ("retracted", "candidate")
