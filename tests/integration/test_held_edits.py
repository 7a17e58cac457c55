"""An edit that several reasons speak against is held up once, with all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.curate import invariants
from engram_hooks.store.invariants import FILE
from tests.integration.test_attempt_hooks import BAD, OLD, SOURCE, Agent
from tests.support.make_repo import Repo, make_repo

RULE = '[[invariant]]\nid = "capped"\ntext = "waiting is capped"\nglobs = ["*.py"]\nseverity = "critical"\n'


@pytest.fixture
def shop(tmp_path: Path, home: Path, data: str) -> Repo:
    """A repository in which an approach was given up and a rule holds since."""
    repo = make_repo(tmp_path / "shop", {"backoff.py": SOURCE})
    agent = Agent(repo.path, data, "first")
    agent.edit(OLD, BAD)
    agent.fail()
    agent.undo()
    agent.stop()
    repo.write({FILE: RULE})
    with Engram(cwd=repo.path) as memory:
        invariants.refresh_here(memory)
    return repo


def test_all_reasons_come_with_one_refusal(shop: Repo, data: str) -> None:
    agent = Agent(shop.path, data, "second")
    plan = agent.plan(OLD, BAD)
    assert plan["permissionDecision"] == "deny"
    assert "waiting is capped" in plan["permissionDecisionReason"]
    assert "Tried and given up" in plan["permissionDecisionReason"]
    assert "permissionDecision" not in agent.plan(OLD, BAD)


def test_question_to_the_user_is_not_passed_by_a_refusal(shop: Repo, data: str) -> None:
    plan = Agent(shop.path, data, "second", ENGRAM_INVARIANTS_MODE="ask").plan(OLD, BAD)
    assert plan["permissionDecision"] == "ask"
    assert "Tried and given up" in plan["permissionDecisionReason"]


def test_other_edit_hears_of_the_rule_alone(shop: Repo, data: str) -> None:
    plan = Agent(shop.path, data, "second").plan(
        "def is_over(attempt, limit):", "def is_over(attempt, most):"
    )
    assert plan["permissionDecision"] == "deny"
    assert "Tried and given up" not in plan["permissionDecisionReason"]
