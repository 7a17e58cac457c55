"""engram as a user has it: installed for the interpreter that runs the tests, set up in a temporary HOME."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


def make_project(folder: Path) -> Path:
    """Create a repository with one file and one commit of its own; return its folder."""
    folder.mkdir(parents=True)
    (folder / "app.py").write_text("def add(a, b):\n    return a + b\n", encoding="utf-8")
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"]
    # the message holds the name: two projects must not share their root commit
    commit = ["git", *who, "commit", "-q", "-m", f"Begin {folder.name}"]
    for argv in (["git", "init", "-q", "-b", "main"], ["git", "add", "."], commit):
        subprocess.run(argv, cwd=folder, check=True, env=_environ(folder))
    return folder


def _environ(home: Path) -> dict[str, str]:
    return {
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "PATH": os.environ.get("PATH", os.defpath),
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def is_installed() -> bool:
    """Return whether the interpreter of the tests finds the package from any folder."""
    argv = [sys.executable, "-I", "-c", "import engram_hooks"]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


@dataclass(frozen=True, slots=True)
class InstalledEngram:
    """The command as the user of one HOME types it."""

    home: Path

    def call(self, cwd: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        """Run `engram ARGUMENTS` in a folder; return how it ended."""
        argv = [sys.executable, "-m", "engram_hooks", *arguments]
        return subprocess.run(
            argv,
            cwd=cwd,
            env=_environ(self.home),
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    def run(self, cwd: Path, *arguments: str, text: str = "") -> str:
        """Run `engram ARGUMENTS`, which must succeed; return what it printed."""
        done = self.call(cwd, *arguments, text=text)
        assert done.returncode == 0, f"engram {' '.join(arguments)}: {done.stdout}{done.stderr}"
        return done.stdout

    def read_json(self, cwd: Path, *arguments: str) -> object:
        """Run a command with `--json`; return the value that it printed."""
        return json.loads(self.run(cwd, *arguments, "--json"))

    def hook_commands(self) -> dict[str, str]:
        """Return the command that setup registered with the client for each event."""
        settings = json.loads((self.home / ".claude" / "settings.json").read_text(encoding="utf-8"))
        return {
            event: hook["command"]
            for event, groups in settings["hooks"].items()
            for group in groups
            for hook in group["hooks"]
        }

    def store_path(self) -> Path:
        """Return the one store of this HOME."""
        (found,) = self.home.rglob("engram.db")
        return found
