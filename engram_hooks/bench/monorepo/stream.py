"""A repository written through `git fast-import`: thousands of commits in seconds, the same bytes every time."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from engram_hooks.errors import EngramError
from engram_hooks.history import git

MAIN = "refs/heads/main"
_INIT = ["init", "-q", "--template=", "--initial-branch=main"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A commit to write: marks are numbers from 1, `files` holds contents by path, None deletes one."""

    mark: int
    message: str
    author: str
    at_s: int
    files: Mapping[str, str | None]
    parents: Sequence[int] = ()
    ref: str = MAIN
    zone: str = "+0000"


class CommitStream:
    """Writes commits into a new repository at `folder`; a context manager.

    Raises `EngramError` where git is missing or refuses the stream.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        git.run([*_INIT, "."], str(folder))
        answers, given = os.pipe()
        self._marks = folder / ".git" / "marks"
        argv = ["fast-import", "--quiet", "--date-format=raw-permissive", f"--cat-blob-fd={given}"]
        argv += [f"--export-marks={self._marks}"]
        try:
            self._process = subprocess.Popen(
                git.make_argv(argv),
                cwd=folder,
                env=git.make_environ(os.environ),
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[given],
            )
        except BaseException:
            os.close(answers)
            raise
        finally:
            os.close(given)
        self._answers = os.fdopen(answers, "rb")

    def __enter__(self) -> CommitStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._process.communicate()
        self._answers.close()

    def add(self, draft: Draft) -> None:
        """Write one commit. A mark among the parents must have been written."""
        who = f"{draft.author} {draft.at_s} {draft.zone}\n".encode()
        message = draft.message.encode()
        out = [f"commit {draft.ref}\nmark :{draft.mark}\n".encode(), b"author " + who, b"committer " + who]
        out += [b"data %d\n" % len(message), message, b"\n"]
        for place, parent in enumerate(draft.parents):
            out.append(f"{'merge' if place else 'from'} :{parent}\n".encode())
        for path, text in sorted(draft.files.items()):
            if text is None:
                out.append(f"D {path}\n".encode())
            else:
                content = text.encode()
                out += [f"M 100644 inline {path}\n".encode(), b"data %d\n" % len(content), content, b"\n"]
        self._write(b"".join(out))

    def name_of(self, mark: int) -> str:
        """The hash of a commit that was written."""
        self._write(b"get-mark :%d\n" % mark)
        self._flush()
        return self._answers.readline().decode("ascii").strip()

    def finish(self) -> dict[int, str]:
        """End the stream, pack what was written, check the head out; returns the hash of every mark."""
        self._write(b"done\n")
        _, complaints = self._process.communicate()
        if self._process.returncode:
            raise EngramError(f"git fast-import: {complaints.decode('utf-8', 'replace').strip()[:300]}")
        rows = self._marks.read_text("ascii").split("\n")
        self._marks.unlink()
        git.run(["repack", "-adq"], str(self.folder), timeout_s=600.0)
        git.run(["reset", "--hard", "-q", "HEAD"], str(self.folder), timeout_s=600.0)
        return {int(mark[1:]): name for mark, name in (row.split(" ") for row in rows if row)}

    def _write(self, data: bytes) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(data)
        except BrokenPipeError:
            raise EngramError("git fast-import ended before all was written") from None

    def _flush(self) -> None:
        assert self._process.stdin
        self._process.stdin.flush()
