"""Rules always fire: first on reading a file, at the edit as they ask for, within their repository alone."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from engram_hooks import Engram
from engram_hooks.curate import invariants
from engram_hooks.recall.globs import keys_of
from engram_hooks.recall.rules import rules_on
from engram_hooks.store.invariants import rules_under
from tests.integration.test_attempt_hooks import BAD, OLD, OTHER, SOURCE, Agent
from tests.support.bare_start import bare_start_s
from tests.support.make_repo import Repo, make_repo

FILE = ".engram/invariants.toml"
RULES = """\
[[invariant]]
id = "capped"
text = "waiting is capped at 30 seconds"
globs = ["*.py"]
symbol = "backoff|min"
severity = "critical"
why = "INC-7"

[[invariant]]
id = "typed"
text = "public functions are typed"
globs = ["other.py"]
"""


@pytest.fixture
def shop(tmp_path: Path, home: Path, data: str) -> Repo:
    """A repository with rules, compiled."""
    repo = make_repo(tmp_path / "shop", {"backoff.py": SOURCE, "other.py": SOURCE, FILE: RULES})
    with Engram(cwd=repo.path) as memory:
        assert invariants.faults_here(memory) == []
        invariants.refresh_here(memory)
    return repo


def test_rules_of_a_file_come_first_and_once(shop: Repo, data: str) -> None:
    agent = Agent(shop.path, data, "s")
    brief = agent.read("other.py")
    assert brief.startswith(
        '<engram file="other.py" from="rules">\nRule (critical) in backoff|min: waiting is capped'
    )
    assert "because INC-7" in brief
    assert "public functions are typed [typed]" in brief
    assert agent.read("other.py") == ""


def test_edit_under_a_critical_rule_is_held_up_once_for_each_change(shop: Repo, data: str) -> None:
    agent = Agent(shop.path, data, "s")
    plan = agent.plan(OLD, BAD)
    assert plan["permissionDecision"] == "deny"
    assert "waiting is capped" in plan["permissionDecisionReason"]
    assert "permissionDecision" not in agent.plan(OLD, BAD)
    assert agent.plan(OLD, "    return min(attempt, 9)")["permissionDecision"] == "deny"


def test_rule_of_a_symbol_leaves_other_changes_alone(shop: Repo, data: str) -> None:
    assert Agent(shop.path, data, "s").plan(OTHER, "    return attempt >= limit") == {}


def test_lighter_rule_is_advice(shop: Repo, data: str) -> None:
    plan = Agent(shop.path, data, "s").plan(OTHER, "    return attempt >= limit", "other.py")
    assert "public functions are typed" in plan["additionalContext"]
    assert "permissionDecision" not in plan


@pytest.mark.parametrize(("mode", "decision"), [("off", None), ("advise", None), ("ask", "ask")])
def test_mode_says_what_a_rule_does(shop: Repo, data: str, mode: str, decision: str | None) -> None:
    agent = Agent(shop.path, data, "s", ENGRAM_INVARIANTS_MODE=mode)
    assert agent.plan(OLD, BAD).get("permissionDecision") == decision
    assert (agent.read() == "") is (mode == "off")


def test_other_repository_is_not_ruled(shop: Repo, tmp_path: Path, data: str) -> None:
    other = make_repo(tmp_path / "elsewhere", {"backoff.py": SOURCE, "x.py": "x = 1\n"})
    agent = Agent(other.path, data, "s")
    assert agent.read() == ""
    assert agent.plan(OLD, BAD) == {}


def test_private_rule_holds_beside_the_teams(shop: Repo, data: str) -> None:
    with Engram(cwd=shop.path) as memory:
        invariants.add_here(memory, {"text": "never sleep in a loop", "globs": ["backoff.py"]})
    assert "never sleep in a loop [r1]" in Agent(shop.path, data, "s").read()


def test_thousands_of_rules_cost_a_hook_little(shop: Repo, data: str) -> None:
    with Engram(cwd=shop.path) as memory:
        text = "".join(
            f'[[invariant]]\nid = "n{number}"\ntext = "rule {number}"\nglobs = ["pkg{number % 50}/**/m{number}_*.py"]\n'
            for number in range(3_000)
        )
        shop.write({FILE: RULES + text})
        invariants.refresh_here(memory)
        file, project_id = invariants.file_here(memory), memory.project_id or 0
        began = time.process_time()
        for number in range(100):
            path = f"pkg{number % 50}/a/m{number}_x.py"
            found = rules_on(rules_under(memory.db, project_id, file, keys_of(path)), path)
            assert [rule[1] for rule in found] == ["capped", f"n{number}"]
        each_s = (time.process_time() - began) / 100
    assert each_s < 0.2 * bare_start_s()


def test_preflight_names_rules_with_and_without_an_index(shop: Repo, data: str) -> None:
    def read(*arguments: str) -> dict[str, Any]:
        argv = [sys.executable, "-m", "engram_hooks", "preflight", "backoff.py", *arguments, "--json"]
        done = subprocess.run(argv, cwd=shop.path, text=True, capture_output=True, check=True, timeout=60)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    assert [rule["id"] for rule in read()["invariants"]] == ["capped"]
    with Engram(cwd=shop.path) as memory:
        memory.index()
    assert [rule["id"] for rule in read("--symbol", "backoff")["invariants"]] == ["capped"]
    assert read("--symbol", "is_over")["invariants"] == []


def test_commit_under_a_rule_is_told_without_an_index(shop: Repo, data: str) -> None:
    def check() -> list[dict[str, object]]:
        argv = [sys.executable, "-m", "engram_hooks", "pre-commit", "--json"]
        done = subprocess.run(argv, cwd=shop.path, text=True, capture_output=True, check=True, timeout=60)
        findings = json.loads(done.stdout)["findings"]
        assert isinstance(findings, list)
        return findings

    shop.write({"backoff.py": SOURCE.replace(OLD, BAD)})
    shop.git("add", "-A")
    (finding,) = check()
    assert (finding["check"], finding["rule"], finding["file"]) == ("rule", "capped", "backoff.py")
    shop.write({"backoff.py": SOURCE.replace(OTHER, "    return attempt >= limit")})
    shop.git("add", "-A")
    assert check() == []


def test_commands_list_check_and_remove(shop: Repo, data: str) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        argv = [sys.executable, "-m", "engram_hooks", "invariant", *arguments]
        return subprocess.run(argv, cwd=shop.path, text=True, capture_output=True, check=False, timeout=60)

    added = run("add", "-t", "no sleeping", "-g", "*.py", "--severity", "info", "--json")
    assert json.loads(added.stdout)["id"] == "r1"
    listed = json.loads(run("list", "--json").stdout)
    assert [one["id"] for one in listed["invariants"]] == ["capped", "typed", "r1"]
    checked = json.loads(run("check", "other.py", "README.md", "--json").stdout)
    assert [[one["id"] for one in file["invariants"]] for file in checked["files"]] == [
        ["capped", "typed", "r1"],
        [],
    ]
    assert run("remove", "r1").returncode == 0
    refused = run("remove", "typed")
    assert refused.returncode != 0
    assert f"{FILE}:9" in refused.stderr
    shop.write({FILE: RULES + '[[invariant]]\ntext = "x"\nglobs = ["{"]\n'})
    broken = run("check")
    assert broken.returncode == 1
    assert f"{FILE}:13: " in broken.stderr
