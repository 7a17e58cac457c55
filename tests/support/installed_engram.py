"""engram as a user has it: installed for the interpreter that runs the tests, set up in a temporary HOME."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from tests.support.conversation import Statement


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

    def read_json(self, cwd: Path, *arguments: str) -> list[dict[str, object]]:
        """Run a command with `--json`; return the rows that it printed."""
        rows = json.loads(self.run(cwd, *arguments, "--json"))
        assert isinstance(rows, list)
        return rows

    def hook_commands(self) -> dict[str, str]:
        """Return the command that setup registered with the client for each event."""
        settings = json.loads((self.home / ".claude" / "settings.json").read_text(encoding="utf-8"))
        return {
            event: hook["command"]
            for event, groups in settings["hooks"].items()
            for group in groups
            for hook in group["hooks"]
        }

    def status_line_command(self) -> str:
        """Return the command that setup registered for the status line."""
        settings = json.loads((self.home / ".claude" / "settings.json").read_text(encoding="utf-8"))
        return str(settings["statusLine"]["command"])

    def data_dir(self) -> Path:
        """Return the folder that holds the one store of this HOME."""
        (found,) = self.home.rglob("engram.db")
        return found.parent

    def read_log(self, session_id: str, *, agent: str | None = "") -> list[Statement]:
        """Return a session's log straight from the store; `agent` None takes the subagents' rows with it."""
        query = (
            "SELECT lower(hex(log.uuid)), log.role, log.text, log.agent FROM log"
            " JOIN sessions ON sessions.id = log.session_id WHERE sessions.client_id = ? ORDER BY log.id"
        )
        address = f"file:{self.data_dir() / 'engram.db'}?mode=ro"
        with closing(sqlite3.connect(address, uri=True, timeout=10)) as store:
            rows = store.execute(query, (session_id,)).fetchall()
        return [Statement(str(UUID(row[0])), row[1], row[2]) for row in rows if agent in (None, row[3])]
