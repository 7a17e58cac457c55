"""The check before a commit: files that change along, and approaches that were given up."""

from __future__ import annotations

import os
from contextlib import closing

import pytest

from engram_hooks.curate.code.precommit import Report, check_commit
from engram_hooks.curate.code.precommit_checks import Finding
from engram_hooks.history.allowance import Allowance
from engram_hooks.store.attempts import pack_faults, put_attempt
from engram_hooks.store.connect import open_store
from engram_hooks.store.places import locate
from engram_hooks.store.transactions import Transaction
from engram_hooks.store.trials import pack_lines
from tests.support.known_fixes import KnownFixes, know_fixes
from tests.support.make_repo import Repo

SCHEMA = "ORDER = {'id': int}\n"


@pytest.fixture
def known(repo: Repo, data: str) -> KnownFixes:
    """A repository in which schema.py changes along with api.py."""
    repo.commit("feat: orders", {"api.py": "def show(): ...\n", "schema.py": SCHEMA})
    found = know_fixes(repo, data)
    found.partner("api.py", "schema.py", is_hidden=True)
    return found


def check(repo: Repo, variables: dict[str, str] | None = None) -> Report:
    """Check what is staged."""
    return check_commit(str(repo.path), {**os.environ, **(variables or {})}, allowance=Allowance(60))


def told(repo: Repo) -> list[tuple[str, str]]:
    """Return check and path of each finding."""
    report = check(repo)
    assert report.reason == ""
    return [(one.check, one.path) for one in report.findings]


def stage(repo: Repo, files: dict[str, str | None]) -> None:
    repo.write(files)
    repo.git("add", "-A")


def test_forgotten_partner_is_named(known: KnownFixes) -> None:
    stage(known.repo, {"api.py": "def show(order): ...\n"})
    assert check(known.repo).findings == (
        Finding("partner", "schema.py", source="api.py", support=5, total=7, is_hidden=True),
    )


def test_partner_is_named_once_and_few_are(known: KnownFixes) -> None:
    names = [f"view{number}.py" for number in range(6)]
    known.repo.commit("feat: views", dict.fromkeys(names, "VIEW = 1\n"))
    known.repo.commit("docs: nothing")
    fresh = know_fixes(known.repo, known.data)
    for number, name in enumerate(names):
        fresh.partner("api.py", name, score=0.9 - number / 100)
        fresh.partner("schema.py", name, score=0.5)
    stage(known.repo, {"api.py": "def show(order): ...\n", "schema.py": SCHEMA + "ITEM = {}\n"})
    findings = check(known.repo).findings
    assert [(one.path, one.source) for one in findings] == [(name, "api.py") for name in names[:3]]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(
            {"api.py": "def show(order): ...\n", "schema.py": SCHEMA + "ITEM = {}\n"}, id="staged too"
        ),
        pytest.param({"api.py": "def show(order): ...\n", "schema.py": None}, id="deleted"),
        pytest.param({"api.py": "def show(order): ...\n", ".gitignore": "schema.py\n"}, id="ignored"),
        pytest.param({"api.py": "# shows an order\ndef show(): ...\n"}, id="a comment"),
        pytest.param({"api.py": "def show():   ...\n"}, id="spaces"),
        pytest.param({"api.py": None}, id="the file itself deleted"),
        pytest.param({"schema.py": SCHEMA + "ITEM = {}\n"}, id="the other direction"),
    ],
)
def test_partner_that_is_not_forgotten_is_not_named(known: KnownFixes, files: dict[str, str | None]) -> None:
    stage(known.repo, dict(files))
    assert told(known.repo) == []


def test_partner_that_the_commit_before_changed_is_not_named(known: KnownFixes) -> None:
    known.repo.commit("feat: items", {"schema.py": SCHEMA + "ITEM = {}\n"})
    stage(known.repo, {"api.py": "def show(order): ...\n"})
    assert told(known.repo) == []


def test_partner_that_does_not_speak_is_not_named(known: KnownFixes) -> None:
    known.partner("schema.py", "api.py", speaks=False)
    stage(known.repo, {"schema.py": SCHEMA + "ITEM = {}\n"})
    assert told(known.repo) == []


@pytest.mark.parametrize(
    ("commits", "is_told"), [((3, 6), True), ((2, 2), False), ((4, 9), False), ((30, 59), True)]
)
def test_partner_of_few_commits_is_not_named(
    known: KnownFixes, commits: tuple[int, int], is_told: bool
) -> None:
    known.partner("schema.py", "api.py", commits=commits)
    stage(known.repo, {"schema.py": SCHEMA + "ITEM = {}\n"})
    assert told(known.repo) == ([("partner", "api.py")] if is_told else [])


def give_up(known: KnownFixes, name: str, removed: list[str], added: list[str]) -> int:
    """Keep an approach that failed and was given up; return its id."""
    with closing(open_store(os.path.join(known.data, "engram.db"))) as store:
        project_id, _ = locate(store, str(known.repo.path), {}, now_ms=1, create=False)
        values = {
            "project_id": project_id,
            "session_id": 1,
            "outcome": "abandoned",
            "change_key": "k",
            "faults": pack_faults([["test_pay.py::test_once", "AssertionError", "two charges", ""]]),
            "created_at": 1_777_000_000_000,
            "updated_at": 1_777_000_000_000,
        }
        with Transaction(store):
            return put_attempt(store, values, [(name, [], pack_lines(removed), pack_lines(added))])


def test_change_that_was_given_up_before_is_named(known: KnownFixes) -> None:
    tried = ["def show(order):", "    return cache.fresh(order)"]
    number = give_up(known, "api.py", ["def show(): ..."], tried)
    stage(known.repo, {"api.py": "\n".join(tried) + "\n", "schema.py": SCHEMA + "ITEM = {}\n"})
    (finding,) = check(known.repo).findings
    assert (finding.check, finding.path, finding.ref) == ("attempt", "api.py", f"t{number}")
    assert "test_once" in finding.note
    assert check(known.repo, {"ENGRAM_ATTEMPTS_MODE": "off"}).findings == ()


def test_other_change_of_the_same_lines_is_not_named(known: KnownFixes) -> None:
    give_up(known, "api.py", ["def show(): ..."], ["def show(order):", "    return cache.fresh(order)"])
    stage(known.repo, {"api.py": "def render(order, page): pass\n", "schema.py": SCHEMA + "ITEM = {}\n"})
    assert told(known.repo) == []
