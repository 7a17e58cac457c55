"""What doctor prints and leaves behind, whatever it found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engram_hooks.cli.main import main
from engram_hooks.client import doctor
from engram_hooks.client.doctor import Checkup
from engram_hooks.client.findings import Finding
from engram_hooks.client.hook_trial import EVERY_EVENT, Trial
from engram_hooks.store import trouble

Run = Callable[[Checkup], tuple[int, str]]

WELL = Trial("Stop", 12, "")
FAILED = Finding("hook-failed", "the hooks: ran without a trace", "engram setup")


@pytest.fixture
def run(data: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Doctor with a checkup that is given: (exit code, what it prints)."""
    Path(data).mkdir()

    def call(checkup: Checkup) -> tuple[int, str]:
        monkeypatch.setattr(doctor, "examine", lambda _: checkup)
        return main(["doctor"]), capsys.readouterr().out

    return call


def test_hooks_that_ran_well_are_counted(run: Run) -> None:
    assert run(Checkup([], [WELL, Trial("SessionEnd", 30, "")])) == (
        0,
        "ok       2 hooks ran well, the slowest in 30 ms\n",
    )


def test_hooks_that_did_nothing_have_not_run_well(run: Run) -> None:
    code, out = run(Checkup([FAILED], [WELL, Trial(EVERY_EVENT, 0, "ran without a trace")]))
    assert code == 1
    assert "ran well" not in out


def test_trouble_is_not_shown_any_more_once_all_is_well(run: Run, data: str) -> None:
    trouble.flag(data, "the disk is full")
    run(Checkup([FAILED]))
    assert Path(data, trouble.FLAG_NAME).exists()
    run(Checkup([]))
    assert not Path(data, trouble.FLAG_NAME).exists()
