"""Intents: what a commit is called, from its message and the parts of the files it changed."""

from __future__ import annotations

import pytest

from engram_hooks.history.intents import INTENTS, LOAD_BEARING, Shape, classify

CODE = Shape(frozenset(("source",)))
CODE_AND_TEST = Shape(frozenset(("source", "test")))
COMMENTS = Shape(frozenset(("source",)), is_cosmetic=True)


@pytest.mark.parametrize(
    "message",
    [
        "Fix retry after a timeout",
        "fix(gateway): reuse one key for all retries",
        "fix!: close the socket twice",
        "hotfix: orders without a customer",
        "Fixed #174",
        "parser: fix off-by-one at the end of a line",
        "[core] fix a crash on empty input",
        "src/lexer.c: fix use-after-free",
        "Prevent a KeyError when the header is missing",
        "Avoid nil panic without a writer",
        "Don't crash on an empty path",
        "Handle None when the body is undefined",
        "Deadlock between worker and writer",
        "Pre-allocate the buffer\n\nFixes #3485.",
        "Refactor the merge of settings, fixing a memory leak",
        "Fix content-length: 0",
        "Fix comment parsing in nested blocks",
        "fix: typing indicator stays",
    ],
)
def test_a_repair_of_behaviour_is_a_bugfix(message: str) -> None:
    assert classify(message, CODE_AND_TEST) == "bugfix"


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ("Fix typo in an error message", "docs"),
        ("Fix spelling of a variable", "docs"),
        ("fix lint", "chore"),
        ("Fix flake8 errors", "chore"),
        ("Fix whitespace", "chore"),
        ("Fix formatting with black", "chore"),
        ("Fix code style", "chore"),
        ("Address review comments", "chore"),
        ("fixes based on review", "chore"),
        ("Fix docstring of send", "docs"),
        ("fix(docs): wrong default", "docs"),
        ("Fix the readme", "docs"),
        ("Fix the comment, too", "docs"),
        ("Fix comment about retries", "docs"),
        ("Fixed login example for new sessions", "docs"),
        ("Fix failing test", "test"),
        ("Fix test for the progress bar", "test"),
        ("Fix flaky integration tests", "test"),
        ("Fix CI", "build"),
        ("Fix typing in secho", "build"),
        ("fix: compile error on musl", "build"),
        ("Fix build warnings", "build"),
        ("fix(deps): pin the parser", "build"),
        ("Fix deprecation warnings", "build"),
        ("Fix the build", "build"),
        ("Bump version to 1.2.3", "build"),
        ("Add a fix button to the toolbar", "feature"),
        ("Add support for proxies", "feature"),
        ("feat(api): crash reports", "feature"),
        ("chore: fix", "chore"),
        ("Rename fixture helpers", "test"),
        ("Improve the message of errors", "chore"),
        ("wip", "chore"),
        ("", "chore"),
    ],
)
def test_what_mends_no_behaviour_is_no_bugfix(message: str, intent: str) -> None:
    assert classify(message, CODE) == intent


@pytest.mark.parametrize("message", ["Fix the retry", "fix: retry", "Prevent a crash"])
def test_a_change_of_comments_and_blanks_alone_is_no_bugfix(message: str) -> None:
    assert classify(message, COMMENTS) == "chore"


@pytest.mark.parametrize(
    ("parts", "intent"),
    [
        (("docs",), "docs"),
        (("test",), "test"),
        (("test", "docs"), "test"),
        (("build",), "build"),
        (("build", "docs"), "build"),
        (("lock",), "build"),
        (("vendored",), "chore"),
        (("generated", "docs"), "docs"),
        (("source", "docs", "test"), "bugfix"),
        (("other",), "bugfix"),
        (("build", "test"), "bugfix"),
    ],
)
def test_the_parts_of_the_files_decide_first(parts: tuple[str, ...], intent: str) -> None:
    assert classify("Fix the retry", Shape(frozenset(parts))) == intent


@pytest.mark.parametrize(
    ("message", "intent"),
    [
        ('Revert "Fix the retry"', "revert"),
        ("revert: feat(api): new endpoint", "revert"),
        ("Back out the new scheduler", "revert"),
        ("Cut the cache\n\nThis reverts commit 1234567890abcdef.", "revert"),
        ('api: revert "new endpoint"', "revert"),
        ('Reapply "new scheduler"', "revert"),
        ("Fix CVE-2024-1234", "security"),
        ("Merge pull request from GHSA-686w-5m7m-54vc", "security"),
        ("Escape names: XSS in the listing", "security"),
        ("security: check the signature", "security"),
        ("Fix path traversal in uploads", "security"),
        ("perf: fewer queries", "perf"),
        ("Speed up the scan", "perf"),
        ("Avoid repeated lookups of the host", "perf"),
        ("Refactor sessions", "refactor"),
        ("Rename Session to Client", "refactor"),
        ("Remove unused imports", "refactor"),
        ("Extract the parser", "refactor"),
        ("Introduce retries", "feature"),
        ("docs: explain retries", "docs"),
        ("test: cover retries", "test"),
        ("ci: run on two systems", "build"),
        ("style: reformat", "chore"),
    ],
)
def test_other_intents(message: str, intent: str) -> None:
    assert classify(message, CODE) == intent


@pytest.mark.parametrize(
    "message",
    [
        "Add parallel directory traversal",
        "Show the undo button",
        "Allow to revert an order",
        "Use a faster XML parser",
    ],
)
def test_words_of_the_trade_alone_prove_nothing(message: str) -> None:
    assert classify(message, CODE) not in LOAD_BEARING


def test_every_intent_has_its_name() -> None:
    assert set(INTENTS) > LOAD_BEARING
    assert len(INTENTS) == 10
