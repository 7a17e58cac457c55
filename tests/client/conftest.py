"""What the client tests share: the installed clients, a scripted API, a HOME with engram set up in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.support.claude_client import find_client, prepare_home
from tests.support.installed_engram import InstalledEngram, is_installed
from tests.support.make_repo import make_repo

NEWEST = "CLAUDE_BIN"
OLDEST = "CLAUDE_BIN_OLD"


def _require_client(variable: str) -> Path:
    binary = find_client(os.environ, variable)
    if binary is None:
        pytest.skip(f"no Claude Code client: {variable} names none")
    return binary


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
    found = shutil.which("tmux")
    if found is None:
        pytest.skip("tmux is not installed")
    return found


@pytest.fixture(scope="session")
def installed() -> None:
    """The package, installed for the interpreter that runs the tests."""
    if not is_installed():
        pytest.skip("engram is not installed for this interpreter: pip install -e .")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with one commit."""
    return make_repo(tmp_path / "shop", {"app.py": "def add(a, b):\n    return a + b\n"}).path


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
