"""A fake home, data folder and git identity for every test; real ones, network and client raise."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import hypothesis
import pytest

from tests.support.make_repo import IDENTITY, Repo, make_repo

# a busy machine is no failure of a property
hypothesis.settings.register_profile("engram", deadline=None)
hypothesis.settings.load_profile("engram")

pytest_plugins = ["tests.support.no_skips"]

NOW_MS = 1_780_000_000_000
_FOREIGN = "ENGRAM", "CLAUDE", "ANTHROPIC", "GIT_", "XDG_"
_KEPT = "CLAUDE_BIN", "CLAUDE_BIN_OLD"  # where the client tests find their clients
_LOCAL = "127.0.0.1", "::1", "localhost"


@pytest.fixture(scope="session")
def _no_client(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder with a `claude` that only fails: no test starts a real one by its name."""
    folder = tmp_path_factory.mktemp("path")
    script = folder / "claude"
    script.write_text("#!/bin/sh\necho 'a test started claude' >&2\nexit 97\n", encoding="utf-8")
    script.chmod(0o755)
    return str(folder)


@pytest.fixture(autouse=True)
def _apart(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, _no_client: str
) -> None:
    """Nothing of the person who runs the tests reaches a test, and nothing of a test reaches them."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN) and name not in _KEPT:
            monkeypatch.delenv(name)
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    # a test that needs a home asks for the fixture `home`; for all others it cannot be made
    nowhere = tmp_path / "no-home"
    nowhere.write_bytes(b"")
    for name in ("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.setenv(name, str(nowhere / "use-the-fixture-home"))
    if request.node.get_closest_marker("client") is None:
        monkeypatch.setenv("PATH", _no_client + os.pathsep + os.environ.get("PATH", os.defpath))
    _refuse_network(monkeypatch)


def _refuse_network(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def connect_locally(self: socket.socket, address: object) -> None:
        if isinstance(address, tuple) and address[0] not in _LOCAL:
            raise AssertionError(f"a test reached for the network: {address}")
        connect(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", connect_locally)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder; `HOME` names it."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(folder))
    for name in ("LOCALAPPDATA", "APPDATA"):
        monkeypatch.delenv(name)
    return folder


@pytest.fixture
def data(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The path of a data folder that does not exist yet; `ENGRAM_HOME` names it."""
    folder = str(tmp_path / "data")
    monkeypatch.setenv("ENGRAM_HOME", folder)
    return folder


@pytest.fixture
def store(data: str) -> Iterator[Connection]:
    """An open, empty store in the folder `data`."""
    from engram_hooks.store.create import ensure_store

    db = ensure_store(data, now_ms=NOW_MS)
    yield db
    db.close()


@pytest.fixture
def repo(tmp_path: Path, home: Path) -> Repo:
    """A git repository with one commit."""
    return make_repo(tmp_path / "shop")
