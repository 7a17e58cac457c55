"""Git hooks in tests: installing ours, files with a mode, and all that is below a folder."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from engram_hooks.client.git_hook import HookReport, install, read_status, uninstall
from engram_hooks.client.git_hook_block import Interpreter
from tests.support.make_repo import Repo

OWN = Interpreter("/usr/bin/python3", "/opt/engram")
OLD_SHELL = b"#!/bin/sh\necho OLDHOOK\nexit 0"


def add(repo: Repo) -> HookReport:
    """Install the check."""
    return install(str(repo.path), environ=os.environ, interpreter=OWN)


def drop(repo: Repo) -> HookReport:
    """Uninstall it."""
    return uninstall(str(repo.path), environ=os.environ)


def status(repo: Repo) -> HookReport:
    """Say how it stands."""
    return read_status(str(repo.path), environ=os.environ)


def put(file: Path, content: bytes, mode: int = 0o755) -> Path:
    """Write a file with its folders."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    file.chmod(mode)
    return file


def hook_of(repo: Repo) -> Path:
    """Return the file that git runs where no setting names another folder."""
    return repo / ".git" / "hooks" / "pre-commit"


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return every file and link below a folder with its mode and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            found[str(path)] = (0, os.fsencode(os.readlink(path)))
        elif path.is_file():
            found[str(path)] = (stat.S_IMODE(path.stat().st_mode), path.read_bytes())
    return found
