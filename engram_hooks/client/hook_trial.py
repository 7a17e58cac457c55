"""Run the registered hook commands for real, with sample payloads in a temporary data folder."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engram_hooks import spawn
from engram_hooks.client.findings import Finding
from engram_hooks.client.sample_events import SampleSession, make_samples
from engram_hooks.paths import store_path
from engram_hooks.store import sessions, trouble
from engram_hooks.store.connect import open_store
from engram_hooks.store.create import ensure_store

TIMEOUT_S = 15
SLOW_MS = 1000
EVERY_EVENT = "all"
PLAIN_EVENTS = ("PreCompact",)
SILENT_EVENTS = ("Stop", "SessionEnd")
_KEPT = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "COMSPEC", "TMPDIR", "TEMP")


@dataclass(frozen=True, slots=True)
class Trial:
    """How one hook went: the event, its time, and what is wrong with it ('' for nothing)."""

    event: str
    duration_ms: int
    problem: str

    def as_dict(self) -> dict[str, object]:
        """The trial for JSON."""
        return {"event": self.event, "duration_ms": self.duration_ms, "problem": self.problem}


def try_hooks(commands: Mapping[str, str], environ: Mapping[str, str], *, now_ms: int) -> list[Trial]:
    """Run the command of each event once, in the order of a session; nothing of the user's data is touched.

    `commands` is by the client's name of the event. The hooks see a folder, a store and a home of their own.
    """
    with tempfile.TemporaryDirectory(prefix="engram-doctor-", ignore_cleanup_errors=True) as scratch:
        root = Path(os.path.realpath(scratch))
        data, project = root / "data", root / "project"
        (project / ".claude").mkdir(parents=True)
        ensure_store(str(data), now_ms=now_ms).close()
        session = SampleSession("doctor", project, root / "transcript.jsonl", now_ms)
        session.say("user", "A sample prompt to try the hook.")
        session.say("assistant", "A sample answer.")
        env = make_environ(environ, home=root, data=data, project=project)
        lock = spawn.lock_worker(str(data))  # held, so that no hook starts a worker here
        try:
            trials = [
                run_hook(commands[str(payload["hook_event_name"])], payload, env=env)
                for payload in make_samples(session)
                if payload["hook_event_name"] in commands
            ]
        finally:
            if lock >= 0:
                os.close(lock)
        return [*trials, *_check_effect(data, session, trials)]


def make_environ(environ: Mapping[str, str], *, home: Path, data: Path, project: Path) -> dict[str, str]:
    """The environment that the client gives a hook, with folders of its own."""
    kept = {name: environ[name] for name in _KEPT if name in environ}
    own = {"HOME": str(home), "USERPROFILE": str(home), "ENGRAM_HOME": str(data)}
    return {**kept, **own, "CLAUDE_PROJECT_DIR": str(project), "CLAUDECODE": "1"}


def run_hook(command: str, payload: Mapping[str, object], *, env: Mapping[str, str]) -> Trial:
    """Run one command the way the client does and look at its answer."""
    event = str(payload["hook_event_name"])
    started = time.monotonic()
    try:
        done = call_hook(command, payload, env=env)
    except subprocess.TimeoutExpired:
        return Trial(event, TIMEOUT_S * 1000, f"did not end within {TIMEOUT_S} s")
    except OSError as error:
        return Trial(event, 0, f"cannot be started: {error.strerror}")
    return Trial(event, round((time.monotonic() - started) * 1000), find_problem(event, done))


def call_hook(
    command: str, payload: Mapping[str, object], *, env: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Run a hook command in a shell with the payload on its input. Raises `OSError`, `TimeoutExpired`."""
    shell = ["cmd", "/c", command] if os.name == "nt" else ["/bin/sh", "-c", command]
    text = json.dumps(payload).encode()
    folder = str(payload["cwd"])
    return subprocess.run(
        shell, input=text, capture_output=True, env=dict(env), cwd=folder, timeout=TIMEOUT_S, check=False
    )


def find_problem(event: str, done: subprocess.CompletedProcess[bytes]) -> str:
    """What the client would not like about a hook's answer; '' where all is well."""
    output, complaint = (part.decode("utf-8", "replace").strip() for part in (done.stdout, done.stderr))
    if done.returncode:
        return f"ended with {done.returncode}: {complaint[-200:]}"
    if complaint:
        return f"complains: {complaint[-200:]}"
    if not output:
        return ""
    if event in SILENT_EVENTS:
        return "prints, and the client does not expect that"
    try:
        answer = json.loads(output)
    except ValueError:
        return "" if event in PLAIN_EVENTS else "prints something that is not one JSON document"
    if event in PLAIN_EVENTS:
        return "prints JSON, and the client takes it for an instruction"
    context = answer.get("hookSpecificOutput") if isinstance(answer, dict) else None
    if isinstance(context, dict) and context.get("hookEventName") != event:
        return f"answers for {context.get('hookEventName')!r}"
    return ""


def _check_effect(data: Path, session: SampleSession, trials: list[Trial]) -> Iterator[Trial]:
    """A launcher whose engram is gone ends well and does nothing: look at what the hooks have written."""
    for line in read_failures(data):
        yield Trial(EVERY_EVENT, 0, f"failed inside: {line}")
    if trials and not any(trial.problem for trial in trials):
        db = open_store(store_path(str(data)))
        try:
            if sessions.find_session(db, session.session_id) is None:
                yield Trial(
                    EVERY_EVENT, 0, "ran without a trace: the interpreter or the package they name is gone"
                )
        finally:
            db.close()


def read_failures(data: Path, *, limit: int = 5) -> list[str]:
    """The last lines of the hook log of a data folder."""
    try:
        text = (data / trouble.LOG_NAME).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [line for line in text.splitlines() if line.strip()][-limit:]


def judge_trials(trials: list[Trial]) -> Iterator[Finding]:
    """Findings about trials: each hook that went wrong, and slow ones together."""
    for trial in trials:
        if trial.problem:
            what = "the hooks" if trial.event == EVERY_EVENT else f"the {trial.event} hook"
            yield Finding("hook-failed", f"{what}: {trial.problem}", "engram setup")
    slow = [f"{trial.event} {trial.duration_ms} ms" for trial in trials if trial.duration_ms > SLOW_MS]
    if slow:
        yield Finding("hook-slow", f"took long: {', '.join(slow)}")
