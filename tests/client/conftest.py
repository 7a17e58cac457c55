"""What the client tests share: the installed clients, a scripted API, a HOME with engram set up in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from tests.support.claude_client import find_client, prepare_home
from tests.support.installed_engram import InstalledEngram, is_installed, make_project

NEWEST = "CLAUDE_BIN"
OLDEST = "CLAUDE_BIN_OLD"


def miss(what: str) -> NoReturn:
    """Skip a test for want of a tool; where everything must run, fail."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} (nothing may be skipped here)")
    pytest.skip(what)


def _require_client(variable: str) -> Path:
    return find_client(os.environ, variable) or miss(f"no Claude Code client: {variable} names none")


@pytest.fixture(scope="session")
def newest_client() -> Path:
    """The newest client."""
    return _require_client(NEWEST)


@pytest.fixture(
    scope="session", params=[pytest.param(NEWEST, id="newest"), pytest.param(OLDEST, id="oldest")]
)
def each_client(request: pytest.FixtureRequest) -> Path:
    """Each client that is supported."""
    return _require_client(str(request.param))


@pytest.fixture(scope="session")
def tmux() -> str:
    """The terminal that interactive clients run in."""
    return shutil.which("tmux") or miss("tmux is not installed")


@pytest.fixture(scope="session")
def installed() -> None:
    """The package, installed for the interpreter that runs the tests."""
    if not is_installed():
        miss("engram is not installed for this interpreter: pip install -e .")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one commit."""
    return make_project(tmp_path / "shop")


@pytest.fixture
def home(tmp_path: Path, project: Path) -> Path:
    """A HOME that trusts the project."""
    folder = tmp_path / "home"
    prepare_home(folder, [project])
    return folder


@pytest.fixture
def engram(installed: None, home: Path) -> InstalledEngram:
    """engram, set up in the HOME."""
    command = InstalledEngram(home)
    command.run(home, "setup")
    return command
