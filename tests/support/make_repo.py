"""Real git repositories with fixed dates and a fixed author, so that equal steps give equal commits."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

STARTED_AT = datetime(2024, 5, 1, 9, 0, tzinfo=UTC)
STEP_S = 3600
IDENTITY = {
    "GIT_AUTHOR_NAME": "Ana",
    "GIT_AUTHOR_EMAIL": "ana@example.com",
    "GIT_COMMITTER_NAME": "Ana",
    "GIT_COMMITTER_EMAIL": "ana@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(slots=True)
class Repo:
    """A repository on disk; usable wherever a path is."""

    path: Path
    commit_count: int = field(default=0)

    def __fspath__(self) -> str:
        return str(self.path)

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def git(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        """Run git in the repository, which must succeed; return its output without the last line break."""
        return run_git(self.path, *arguments, env=env)

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write files by their path inside the repository; None deletes one."""
        for name, content in files.items():
            file = self.path / name
            if content is None:
                file.unlink()
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(
        self,
        message: str,
        files: Mapping[str, str | bytes | None] | None = None,
        *,
        author: str = "Ana <ana@example.com>",
        at: datetime | None = None,
    ) -> str:
        """Write the files, stage everything, commit (empty where nothing changed); return the commit's hash.

        Without `at` each commit is an hour after the one before it.
        """
        self.write(files or {})
        self.git("add", "-A")
        moment = at or datetime.fromtimestamp(STARTED_AT.timestamp() + STEP_S * self.commit_count, UTC)
        self.commit_count += 1
        stamp = moment.strftime("%Y-%m-%dT%H:%M:%S%z")
        dates = {"GIT_AUTHOR_DATE": stamp, "GIT_COMMITTER_DATE": stamp}
        name, _, address = author.partition(" <")
        dates |= {"GIT_AUTHOR_NAME": name, "GIT_AUTHOR_EMAIL": address.rstrip(">")}
        self.git("commit", "-q", "--allow-empty", "-m", message, env=dates)
        return self.head()

    def head(self) -> str:
        """The hash that HEAD stands at."""
        return self.git("rev-parse", "HEAD")


def make_repo(
    path: Path | str,
    files: Mapping[str, str | bytes | None] | None = None,
    *,
    message: str = "",
    object_format: str = "sha1",
) -> Repo:
    """Create a repository with one commit on `main`; without `message` the subject holds the folder's name.

    (Two repositories made in equal steps would share their root commit, and so their identity.)
    """
    repo = Repo(Path(path))
    repo.path.mkdir(parents=True, exist_ok=True)
    repo.git("init", "-q", "-b", "main", f"--object-format={object_format}")
    repo.commit(message or f"Begin {repo.path.name}", files or {"README.md": f"# {repo.path.name}\n"})
    return repo


def run_git(folder: Path | str, *arguments: str, env: Mapping[str, str] | None = None) -> str:
    """Run git in any folder, which must succeed; return what it printed without the last line break."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    argv = ["git", "-c", "protocol.file.allow=always", "-c", "commit.gpgsign=false", *arguments]
    done = subprocess.run(
        argv,
        cwd=folder,
        env={**kept, **IDENTITY, **(env or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, f"git {' '.join(arguments)}: {done.stderr.decode('utf-8', 'replace')}"
    return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")
