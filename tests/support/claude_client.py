"""The real Claude Code client, run without a screen in a temporary HOME against a scripted API."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.support.messages_api import Request, read_shown_text

PLACEHOLDER_KEY = "placeholder-for-the-loopback-server"

_LIMIT_S = 60.0
_QUIET = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "DISABLE_AUTOUPDATER",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_TELEMETRY",
)


@dataclass(frozen=True, slots=True)
class HookCall:
    """One hook run as the client reports it: the event, what it printed and how it ended."""

    name: str
    stdout: str
    stderr: str
    exit_code: int | None
    outcome: str


@dataclass(frozen=True, slots=True)
class Run:
    """One finished client process. `replies` holds the final text of each prompt."""

    exit_code: int
    wall_s: float
    session_id: str
    replies: tuple[str, ...]
    hook_calls: tuple[HookCall, ...]
    stderr: str

    def calls_of(self, event: str) -> list[HookCall]:
        """Return the hook calls of one event, in order of their ends."""
        return [call for call in self.hook_calls if call.name.partition(":")[0] == event]


def seen_by_model(requests: Iterable[Request], text: str, *, lane: str = "main") -> list[int]:
    """Return the positions, within a lane, of the requests in which the model reads `text`."""
    shown = [read_shown_text(request) for request in requests if request.lane == lane]
    return [index for index, whole in enumerate(shown) if text in whole]


def client_environ(home: Path, api_url: str) -> dict[str, str]:
    """Return the whole environment of a client: nothing of the caller's reaches it but PATH."""
    environ = {
        "ANTHROPIC_API_KEY": PLACEHOLDER_KEY,
        "ANTHROPIC_BASE_URL": api_url,
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "NO_PROXY": "127.0.0.1,localhost",
        "PATH": os.environ.get("PATH", os.defpath),
        "SHELL": "/bin/sh",
        "TERM": "xterm-256color",
    }
    environ |= dict.fromkeys(_QUIET, "1")
    if os.geteuid() == 0:
        environ["IS_SANDBOX"] = "1"  # as root the client refuses to skip permissions without it
    return environ


def prepare_home(home: Path, projects: Iterable[Path]) -> None:
    """Create a HOME in which the questions of the first start are answered already."""
    (home / ".claude").mkdir(parents=True, exist_ok=True)
    trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    state = {
        "hasCompletedOnboarding": True,
        "bypassPermissionsModeAccepted": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [PLACEHOLDER_KEY[-20:]], "rejected": []},
        "projects": {str(project.resolve()): trusted for project in projects},
    }
    (home / ".claude.json").write_text(json.dumps(state), encoding="utf-8")


def find_client(environ: Mapping[str, str], variable: str) -> Path | None:
    """Return the client that a variable names, or None where it names no program."""
    named = shutil.which(environ.get(variable, ""))
    return Path(named) if named else None


class LiveRun:
    """A client process under way; a context manager that leaves none behind, and ends one that hangs."""

    def __init__(self, argv: Sequence[str], *, cwd: Path, environ: Mapping[str, str]) -> None:
        self._started = time.monotonic()
        self._process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=environ,
            text=True,
            encoding="utf-8",
            start_new_session=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._events: list[dict[str, object]] = []
        self._stderr: list[str] = []
        self._reader = threading.Thread(target=self._read_stderr)
        self._reader.start()
        self._limit = threading.Timer(_LIMIT_S, self.kill)
        self._limit.start()

    def send(self, prompt: str) -> None:
        """Give the client one prompt and wait for nothing."""
        assert self._process.stdin is not None
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def ask(self, prompt: str) -> str:
        """Give the client one prompt, `/clear` and `/compact` among them; return how its turn ended."""
        self.send(prompt)
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._events.append(json.loads(line))
            if self._events[-1].get("type") == "result":
                return str(self._events[-1].get("result", ""))
        raise AssertionError(f"the client ended before it answered {prompt!r}: {''.join(self._stderr)}")

    def finish(self) -> Run:
        """Close the conversation, wait for the client to end and return what it reported."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._events += [json.loads(line) for line in self._process.stdout]
        exit_code = self._process.wait()
        self._reader.join()
        wall_s = time.monotonic() - self._started
        return _summarise(self._events, exit_code, wall_s, "".join(self._stderr))

    def kill(self) -> None:
        """End the client at once, as a crash does: it gets no time to run a hook."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)

    def _read_stderr(self) -> None:
        assert self._process.stderr is not None
        self._stderr.append(self._process.stderr.read())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._limit.cancel()
        self.kill()
        self._process.wait()
        self._reader.join()
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:  # a prompt that the killed client never read
                    continue


def _summarise(events: list[dict[str, object]], exit_code: int, wall_s: float, stderr: str) -> Run:
    results = [event for event in events if event.get("type") == "result"]
    calls = tuple(
        HookCall(
            name=str(event.get("hook_name", "")),
            stdout=str(event.get("stdout", "")),
            stderr=str(event.get("stderr", "")),
            exit_code=code if isinstance(code := event.get("exit_code"), int) else None,
            outcome=str(event.get("outcome", "")),
        )
        for event in events
        if event.get("subtype") == "hook_response"
    )
    return Run(
        exit_code=exit_code,
        wall_s=wall_s,
        session_id=str(results[-1].get("session_id", "")) if results else "",
        replies=tuple(str(result.get("result", "")) for result in results),
        hook_calls=calls,
        stderr=stderr,
    )


@dataclass(frozen=True, slots=True)
class ClaudeClient:
    """One installed client with one HOME, talking to one scripted API."""

    binary: Path
    home: Path
    api_url: str

    def start(self, project: Path, *, resume: str = "", arguments: Sequence[str] = ()) -> LiveRun:
        """Start a client in a project folder; `resume` is the id of a session to go on with."""
        argv = [str(self.binary), "-p", "--input-format", "stream-json", "--output-format", "stream-json"]
        argv += ["--verbose", "--include-hook-events", "--permission-mode", "bypassPermissions"]
        argv += ["--resume", resume] if resume else []
        return LiveRun([*argv, *arguments], cwd=project, environ=client_environ(self.home, self.api_url))

    def run(self, project: Path, *prompts: str, resume: str = "", arguments: Sequence[str] = ()) -> Run:
        """Play prompts (`/clear` and `/compact` among them) in one client process."""
        with self.start(project, resume=resume, arguments=arguments) as live:
            for prompt in prompts:
                live.ask(prompt)
            return live.finish()

    def transcripts_of(self, project: Path) -> list[Path]:
        """Return the transcripts of the sessions of one project, oldest first."""
        slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(project.resolve()))
        found = (self.home / ".claude" / "projects" / slug).glob("*.jsonl")
        return sorted(found, key=lambda path: path.stat().st_mtime_ns)
