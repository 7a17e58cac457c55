"""The real client's interactive screen, in a terminal of its own that tmux provides."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.claude_client import ClaudeClient, client_environ

_POLL_S = 0.1


class ClaudeScreen:
    """One interactive client; a context manager. Only its own private tmux server is ever ended."""

    def __init__(self, client: ClaudeClient, project: Path, *, columns: int = 110, rows: int = 36) -> None:
        self._client = client
        self._project = project
        self._size = ("-x", str(columns), "-y", str(rows))
        # not in the test's own folder: the address of a socket may have a hundred characters or so
        self._folder = Path(tempfile.mkdtemp(prefix="engram-screen-"))

    def read(self) -> str:
        """Return the text on the screen."""
        return self._tmux("capture-pane", "-p", "-t", "client")

    def type_line(self, text: str) -> None:
        """Type a line and press Enter."""
        self._tmux("send-keys", "-t", "client", "-l", text)
        time.sleep(0.3)  # keys that arrive together are taken for a paste, Enter included
        self._tmux("send-keys", "-t", "client", "Enter")

    def wait_until(self, is_there: Callable[[str], bool], *, timeout_s: float = 20.0) -> str:
        """Return the first screen for which `is_there` holds; fail with the last one otherwise."""
        ends_at = time.monotonic() + timeout_s
        shown = self.read()
        while not is_there(shown):
            if time.monotonic() > ends_at:
                raise AssertionError(f"not on the screen after {timeout_s:g} s:\n{shown}")
            time.sleep(_POLL_S)
            shown = self.read()
        return shown

    def wait_for(self, text: str, *, timeout_s: float = 20.0) -> str:
        """Return the first screen that holds `text`."""
        return self.wait_until(lambda shown: text in shown, timeout_s=timeout_s)

    def _tmux(self, *arguments: str) -> str:
        argv = ["tmux", "-S", str(self._folder / "s"), "-f", "/dev/null", *arguments]
        environ = client_environ(self._client.home, self._client.api_url)
        return subprocess.run(
            argv,
            cwd=self._project,
            env=environ,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        ).stdout

    def __enter__(self) -> Self:
        self._tmux("new-session", "-d", "-s", "client", *self._size, str(self._client.binary))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._tmux("kill-server")
        shutil.rmtree(self._folder, ignore_errors=True)
