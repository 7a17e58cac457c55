"""The launcher knows what it needs, and doctor can read it back."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from engram_hooks import __version__
from engram_hooks.client.launcher import (
    LauncherState,
    launcher_path,
    launcher_state,
    remove_launcher,
    render_launcher,
    write_launcher,
)
from engram_hooks.errors import EngramError


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "lib" / "engram_hooks"
    folder.mkdir(parents=True)
    (folder / "entry.py").write_text("")
    return folder.parent


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "my dätä\n'x'"


def state_of(data: Path) -> LauncherState:
    return launcher_state(data, windows=False)


def write(data: Path, package: Path, *, python: str = sys.executable) -> bool:
    return write_launcher(data, python=python, package_parent=package, windows=False)


def test_written_launcher_is_in_order(data: Path, package: Path) -> None:
    assert write(data, package)
    path = launcher_path(data, windows=False)
    assert state_of(data) == LauncherState(path, __version__, sys.executable, str(package), ())
    assert stat.S_IMODE(path.stat().st_mode) == 0o700
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert os.listdir(path.parent) == ["engram-hook"]


def test_second_writing_changes_nothing(data: Path, package: Path) -> None:
    write(data, package)
    assert not write(data, package)


def test_missing_launcher_is_a_problem(data: Path) -> None:
    assert state_of(data).problems == ("launcher-missing",)


def test_launcher_of_another_hand_is_a_problem(data: Path) -> None:
    (data / "bin").mkdir(parents=True)
    launcher_path(data, windows=False).write_text("#!/bin/sh\nexit 0\n")
    assert state_of(data).problems == ("launcher-unreadable",)


def test_other_version_is_a_problem(data: Path, package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(data, package)
    monkeypatch.setattr("engram_hooks.client.launcher.__version__", "99.0")
    assert state_of(data).problems == ("launcher-version",)


def test_interpreter_that_is_gone_is_a_problem(data: Path, package: Path, tmp_path: Path) -> None:
    write(data, package, python=str(tmp_path / "gone"))
    assert state_of(data).problems == ("launcher-python",)


def test_package_that_is_gone_is_a_problem(data: Path, package: Path) -> None:
    write(data, package)
    (package / "engram_hooks" / "entry.py").unlink()
    assert state_of(data).problems == ("launcher-package",)


def test_unknown_interpreter_is_an_expected_failure(data: Path, package: Path) -> None:
    with pytest.raises(EngramError, match="interpreter"):
        write(data, package, python="")


def test_removal_takes_our_scripts_only(data: Path, package: Path) -> None:
    write(data, package)
    assert remove_launcher(data)
    assert not (data / "bin").exists()
    write(data, package)
    (data / "bin" / "mine").write_text("")
    assert remove_launcher(data)
    assert os.listdir(data / "bin") == ["mine"]
    assert not remove_launcher(data)


def test_windows_launcher_doubles_percent_signs() -> None:
    text = render_launcher(
        Path("C:/100% data"), python="C:/py/python.exe", package_parent=Path("C:/lib"), windows=True
    ).decode()
    assert '"C:/100%% data" %1\r\n' in text
    assert text.count("%") - 2 * text.count("%%") == 1
