"""pytest plugin: where everything must run (CI=true), a skipped test is a failed one.

What depends on the operating system, or on data that is not part of the repository, says so: such a
reason starts with one of `ALLOWED`.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

ALLOWED = ("only on ", "not on ", "outside data: ")


def reason_of(report: pytest.TestReport | pytest.CollectReport) -> str:
    """Return why a test was skipped, without pytest's prefix."""
    text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    return text.removeprefix("Skipped: ")


def is_forbidden_skip(report: pytest.TestReport | pytest.CollectReport, environ: dict[str, str]) -> bool:
    """Return whether a report is a skip that must not happen with this environment."""
    if environ.get("CI") != "true" or not report.skipped or hasattr(report, "wasxfail"):
        return False
    return not reason_of(report).startswith(ALLOWED)


def _fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = reason_of(report)
    report.outcome = "failed"
    report.longrepr = f"skipped, but nothing may be skipped here: {reason}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Turn the skip of a test into a failure."""
    report = yield
    if is_forbidden_skip(report, dict(os.environ)):
        _fail(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the skip of a whole module into a failure."""
    report = yield
    if is_forbidden_skip(report, dict(os.environ)):
        _fail(report)
    return report
