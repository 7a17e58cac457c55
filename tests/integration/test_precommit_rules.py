"""Rules before a commit: told, and no reason to stop it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.support.make_repo import Repo

RULES = '[[invariant]]\ntext = "amounts are in cents"\nglobs = ["pay/**"]\nseverity = "critical"\n'


def engram(repo: Repo, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "engram_hooks", *arguments],
        cwd=repo.path,
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def shop(repo: Repo, data: str) -> Repo:
    """A repository with a rule that was read."""
    repo.write({".engram/invariants.toml": RULES})
    assert engram(repo, "invariant", "list").returncode == 0
    return repo


def test_a_rule_is_told_and_stops_no_strict_commit(shop: Repo) -> None:
    shop.write({"pay/charge.py": "amount = 1\n"})
    shop.git("add", "pay")
    done = engram(shop, "pre-commit", "--strict")
    assert done.returncode == 0
    assert "(this commit is not blocked)" in done.stdout
    assert "amounts are in cents" in done.stdout
    answer = json.loads(engram(shop, "pre-commit", "--strict", "--json").stdout)
    assert [one["check"] for one in answer["findings"]] == ["rule"]
    assert answer["blocked"] is False


def test_a_file_without_a_rule_hears_of_none(shop: Repo) -> None:
    shop.write({"ship/send.py": "amount = 1\n"})
    shop.git("add", "ship")
    assert engram(shop, "pre-commit").stdout == ""
