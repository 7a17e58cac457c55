"""What a hook costs: whole processes, CPU time of the system's accounts, as a ratio to a bare interpreter."""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from engram_hooks.bench.code_hooks import IndexedRepo
from engram_hooks.bench.processes import Runner, open_runner
from engram_hooks.bench.synthetic import record_texts, turn_lines
from engram_hooks.bench.synthetic_tries import fill_tries, tried_line
from engram_hooks.client.commands import hook_commands, statusline_command
from engram_hooks.client.launcher import compile_package, write_launcher
from engram_hooks.client.statusline_script import install
from engram_hooks.curate.backfill import embed_missing
from engram_hooks.sessions import events
from engram_hooks.store import places, records
from engram_hooks.store.create import ensure_store
from engram_hooks.store.transactions import Transaction

BARE = "python -I -S -c pass"
PROMPT = "why does the retry queue use exponential backoff in sync_orders_{at}?"
TRIVIAL = "continue"
FAILED = (
    "Exit code 1\n=================================== FAILURES ===================================\n"
    "____ test_add_{at} ____\n\n>       assert add(1, 2) == 3\nE       AssertionError: got {at}\n\n"
    "tests/test_app.py:{at}: AssertionError\n=================== short test summary info ===================\n"
    "FAILED tests/test_app.py::test_add_{at} - AssertionError: got {at}\n1 failed, 7 passed in 0.{at}s"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One case: medians over the rounds; ratios are to the bare interpreter and to the other tool (0: none)."""

    case: str
    records: int
    cpu_ms: float
    ratio: float
    wall_ms: float
    peak_mb: float
    worker_ms: float
    beside: float


@dataclass(frozen=True, slots=True)
class Case:
    """A hook call: its name, event, and what makes its payload (and changes files) before each run."""

    name: str
    event: str
    payload: Callable[[int], dict[str, object]]


class Bench:
    """A store of `count` records in a folder of its own, with everything a client would find there."""

    def __init__(self, folder: Path, count: int, *, commits: int, attempts: int = 0, rules: int = 0) -> None:
        self.count = count
        self.tries = attempts, rules
        self.data = folder / "data"
        self.repo = folder / "repo"
        self.transcript = folder / "session.jsonl"
        self.session = str(uuid.uuid4())
        self.environ = {
            "HOME": str(folder), "PATH": os.environ["PATH"], "ENGRAM_HOME": str(self.data), "COLUMNS": "120"
        }  # fmt: skip
        (self.repo / ".git" / "objects").mkdir(parents=True)
        (self.repo / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        self._fill()
        self.indexed = (
            IndexedRepo(folder, self.data, self.environ, commits=commits, tries=self.tries)
            if commits
            else None
        )

    def _fill(self) -> None:
        now_ms = int(time.time() * 1000)
        db = ensure_store(str(self.data), now_ms=now_ms)
        try:
            with Transaction(db):
                project, _ = places.locate(db, str(self.repo), self.environ, now_ms=now_ms, create=True)
                for at, (kind, summary) in enumerate(record_texts(self.count)):
                    row = {
                        "kind": kind,
                        "project_id": project,
                        "summary": summary,
                        "valid_from": now_ms - at * 1000,
                    }
                    records.insert(db, row, now_ms=now_ms, actor="import")
            attempts, rules = self.tries
            fill_tries(db, project or 0, "src/app_{}.py".format, count=attempts, rules=rules, now_ms=now_ms)
            embed_missing(db, str(self.data), self.environ, now_ms=now_ms)
        finally:
            db.close()
        self.transcript.write_text(turn_lines(40, session=self.session, cwd=str(self.repo), seed=1))
        write_launcher(self.data)
        install(self.data, windows=os.name == "nt")

    def cases(self) -> tuple[Case, ...]:
        """All events, as the client sends them."""
        return (
            Case(
                "session-start",
                "session-start",
                lambda at: self._payload("SessionStart", source="startup", fresh=True),
            ),
            Case(
                "user-prompt-submit",
                "user-prompt-submit",
                lambda at: self._prompt(PROMPT.format(at=at * 31 % 997)),
            ),
            Case("user-prompt-submit (trivial)", "user-prompt-submit", lambda at: self._prompt(TRIVIAL)),
            Case("stop (4 new turns)", "stop", self._stop),
            Case("session-end", "session-end", lambda at: self._payload("SessionEnd", reason="other")),
            Case("pre-tool-use", "pre-tool-use", lambda at: self._tool("PreToolUse", at)),
            Case(
                "post-tool-use",
                "post-tool-use",
                lambda at: self._tool("PostToolUse", at, tool_response=_edited(at)),
            ),
            Case(
                "post-tool-use-failure",
                "post-tool-use-failure",
                self._failure,
            ),
            Case("pre-compact", "pre-compact", lambda at: self._payload("PreCompact", trigger="auto")),
            Case(
                "subagent-start", "subagent-start", lambda at: self._payload("SubagentStart", agent_id="a1")
            ),
            *self._code_cases(self.indexed),
        )

    def _code_cases(self, indexed: IndexedRepo | None) -> tuple[Case, ...]:
        """An edit and a read in a repository with an index, each of which brings what is to say."""
        if indexed is None:
            return ()
        edit, read = (
            self._in_own_session("PreToolUse", indexed.edit),
            self._in_own_session("PostToolUse", indexed.read),
        )
        return (
            Case("pre-tool-use (Edit, index)", "pre-tool-use", edit),
            Case("post-tool-use (Read, index)", "post-tool-use", read),
        )

    def _in_own_session(
        self, event: str, make: Callable[[int], dict[str, object]]
    ) -> Callable[[int], dict[str, object]]:
        return lambda at: {**self._payload(event), "session_id": f"{self.session}-code", **make(at)}

    def _payload(self, event: str, *, fresh: bool = False, **more: object) -> dict[str, object]:
        session = str(uuid.uuid4()) if fresh else self.session
        path = str(self.transcript.with_name(session + ".jsonl") if fresh else self.transcript)
        common = {"session_id": session, "transcript_path": path, "cwd": str(self.repo)}
        return {**common, "hook_event_name": event, **more}

    def _prompt(self, text: str) -> dict[str, object]:
        return self._payload("UserPromptSubmit", prompt=text, prompt_id=str(uuid.uuid4()))

    def _stop(self, at: int) -> dict[str, object]:
        with self.transcript.open("a") as file:
            file.write(turn_lines(4, session=self.session, cwd=str(self.repo), seed=1000 + at))
        return self._payload("Stop", stop_hook_active=False)

    def _failure(self, at: int) -> dict[str, object]:
        call = {"tool_name": "Bash", "tool_input": {"command": "python -m pytest -q"}}
        error = FAILED.format(at=at)
        return {
            **self._payload("PostToolUseFailure"),
            **call,
            "tool_use_id": f"toolu_failed{at}",
            "error": error,
        }

    def _tool(self, event: str, at: int, **more: dict[str, object]) -> dict[str, object]:
        edit = {
            "file_path": str(self.repo / f"src/app_{at % 9}.py"),
            "old_string": "    total = order.total",
            "new_string": tried_line(at % 9) if at % 3 == 0 else f"    total = {at}",
        }
        call = {"tool_name": "Edit", "tool_input": edit, "tool_use_id": f"toolu_{event}{at}"}
        return {**self._payload(event), **call, **more}


def _edited(at: int) -> dict[str, object]:
    lines = ["     order = read()", "-    total = order.total", f"+    total = {at}", "     return total"]
    return {"filePath": "x", "structuredPatch": [{"oldStart": 9, "newStart": 9, "lines": lines}]}


def measure(
    folder: Path,
    *,
    counts: tuple[int, ...],
    rounds: int,
    beside: dict[str, str],
    tick: Callable[[], None],
    commits: int = 0,
    attempts: int = 0,
    rules: int = 0,
) -> list[Figure]:
    """Figures of all events for stores of each size, and of the status line; `tick` is called after each round.

    `beside` holds commands of another tool by event; each is run behind ours, with the same payload. With `commits`
    there is an index of so many besides: two cases more, and what looking into it takes within one process. The
    repositories have so many failed `attempts` and `rules`.
    """
    compile_package()
    figures: list[Figure] = []
    for count in counts:
        bench = Bench(folder / str(count), count, commits=commits, attempts=attempts, rules=rules)
        with open_runner(sys.executable) as runner:
            figures += _measure_store(bench, runner, rounds=rounds, beside=beside, tick=tick)
        figures += _time_preflight(bench.indexed, figures[-1]) if bench.indexed else []
    return figures


def _measure_store(
    bench: Bench, runner: Runner, *, rounds: int, beside: dict[str, str], tick: Callable[[], None]
) -> list[Figure]:
    stdin = bench.data / "payload.json"
    bare = [sys.executable, "-I", "-S", "-c", "pass"]
    commands = hook_commands(bench.data, windows=False)
    by_event = {events.NAMES[name]: command for name, command in commands.items()}
    cases = {case.name: case for case in bench.cases()}
    line = statusline_command(bench.data, windows=False)
    found: dict[str, list[dict[str, float]]] = {name: [] for name in (BARE, *cases, "status line")}
    others: dict[str, list[dict[str, float]]] = {}
    for at in range(rounds + 1):
        stdin.write_text("{}")
        found[BARE].append(runner.run(bare, stdin, bench.environ))
        for case in cases.values():
            stdin.write_text(json.dumps(case.payload(at)))
            found[case.name].append(runner.run(["sh", "-c", by_event[case.event]], stdin, bench.environ))
            if case.event in beside and case.name != "user-prompt-submit (trivial)":
                theirs = runner.run(["sh", "-c", beside[case.event]], stdin, bench.environ)
                others.setdefault(case.name, []).append(theirs)
        stdin.write_text(json.dumps(bench._payload("StatusLine")))
        found["status line"].append(runner.run(["sh", "-c", line], stdin, bench.environ))
        tick()
    base = _median(found[BARE], "cpu_ms")
    return [
        _figure(name, bench.count, runs, base=base, others=others.get(name)) for name, runs in found.items()
    ]


def _time_preflight(indexed: IndexedRepo, near: Figure) -> list[Figure]:
    """What finding advice takes within a process, to a hook and to the facade; `near` is a figure of the same store."""
    base = near.cpu_ms / near.ratio
    timed = {"advice in one process": indexed.time_preflight(), "Engram.preflight": indexed.time_facade()}
    whole = replace(near, peak_mb=0.0, worker_ms=0.0, beside=0.0)
    return [
        replace(
            whole,
            case=f"{whose} ({name})",
            cpu_ms=round(cpu_ms, 2),
            ratio=round(cpu_ms / base, 2),
            wall_ms=round(wall_ms, 2),
        )
        for whose, times in timed.items()
        for name, (cpu_ms, wall_ms) in times.items()
    ]


def _figure(
    name: str, count: int, runs: list[dict[str, float]], *, base: float, others: list[dict[str, float]] | None
) -> Figure:
    cpu_ms = _median(runs, "cpu_ms")
    return Figure(
        case=name,
        records=count,
        cpu_ms=round(cpu_ms, 2),
        ratio=round(cpu_ms / base, 2),
        wall_ms=round(_median(runs, "wall_ms"), 2),
        peak_mb=round(_median(runs, "peak_kb") / 1024, 1),
        worker_ms=round(_median(runs, "orphan_ms"), 1),
        beside=round(cpu_ms / _median(others, "cpu_ms"), 3) if others else 0.0,
    )


def _median(runs: list[dict[str, float]], key: str) -> float:
    return statistics.median(run[key] for run in runs[1:] or runs)
