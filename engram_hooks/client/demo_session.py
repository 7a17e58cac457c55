"""A recorded session in a folder of its own, through the real launcher: what `engram demo` shows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from engram_hooks import spawn
from engram_hooks.client import setup as wiring
from engram_hooks.client.commands import hook_commands, statusline_command
from engram_hooks.client.hook_trial import call_hook, make_environ
from engram_hooks.client.sample_events import SampleSession
from engram_hooks.errors import EngramError
from engram_hooks.history import git
from engram_hooks.memory import Engram

NOTES = (
    ("user", "Ana. Answers short, British spelling.", "global"),
    ("constraint", "One idempotency key per order across all retries.", "project"),
    ("decision", "Postgres over Mongo, for relational integrity.", "project"),
    ("fact", "Package manager is npm.", "project"),
)
INCIDENT = "ERR_PAYMENT_DUPLICATE came from a fresh key per retry: two charges were recorded."
QUESTION = "The gateway test fails with ERR_PAYMENT_DUPLICATE, have a look."
RULE = "From now on use pnpm here, npm breaks the workspace links."
FILES = {"README.md": "# shop-api\n", "retry.py": "def charge_with_retry(order):\n    return order\n"}


@dataclass(frozen=True, slots=True)
class Scene:
    """One thing to show: a heading, the text, and a sentence about it (either may be empty)."""

    heading: str
    text: str
    remark: str = ""


class Stage:
    """The folders of a demo: a home, a data folder, a repository, and the registered commands in them."""

    def __init__(self, root: Path, environ: Mapping[str, str], *, now_ms: int) -> None:
        self.root = Path(os.path.realpath(root))
        self.data, self.project = self.root / "data", self.root / "shop-api"
        self.now_ms = now_ms
        self.environ = make_environ(environ, home=self.root, data=self.data, project=self.project)
        self.windows = os.name == "nt"

    def build(self) -> None:
        """Make the repository, connect engram, keep a few notes. Raises `EngramError`."""
        self.project.mkdir(parents=True)
        for name, text in FILES.items():
            (self.project / name).write_text(text, encoding="utf-8")
        self._commit()
        wiring.setup(self.data, self.root / ".claude" / "settings.json")
        with self.open_memory() as memory:
            for kind, summary, scope in NOTES:
                memory.add(summary, kind=kind, scope=scope)

    def _commit(self) -> None:
        who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", "-c", "commit.gpgsign=false"]
        steps = (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-q", "-m", "Begin the shop"])
        try:
            for step in steps:
                git.run(step, str(self.project), environ=self.environ)
        except git.GitMissing:
            (self.project / ".claude").mkdir(exist_ok=True)  # a project without git

    def open_memory(self) -> Engram:
        """The memory as a command in the repository sees it."""
        return Engram(cwd=self.project, environ=self.environ)

    def fire(self, payload: Mapping[str, object]) -> dict[str, object]:
        """Run the registered hook of a payload; return its answer. Raises `EngramError` where it gives another."""
        command = hook_commands(self.data, windows=self.windows)[str(payload["hook_event_name"])]
        output = call_hook(command, payload, env=self.environ).stdout.decode("utf-8", "replace")
        try:
            answer = json.loads(output) if output.strip() else {}
        except ValueError:
            raise EngramError("a hook gave no proper answer", hint="engram doctor") from None
        return answer if isinstance(answer, dict) else {}

    def read_statusline(self, session: SampleSession) -> str:
        """What the status line says during a session, without colours."""
        command = statusline_command(self.data, windows=self.windows)
        done = call_hook(command, session.make_payload("Status"), env={**self.environ, "NO_COLOR": "1"})
        return done.stdout.decode("utf-8", "replace").strip()


def play(root: Path, environ: Mapping[str, str], *, now_ms: int) -> Iterator[Scene]:
    """Play the session in the folder `root`, which must be empty; yields what there is to see, in order."""
    stage = Stage(root, environ, now_ms=now_ms)
    stage.build()
    lock = spawn.lock_worker(str(stage.data))  # held: what the worker would do is done by the commands here
    try:
        first = SampleSession("demo", stage.project, stage.root / "transcripts" / "first.jsonl", now_ms)
        yield from _play_start(stage, first)
        yield from _play_turn(stage, first)
        yield from _play_review(stage, first)
        yield from _play_clear(stage, first)
    finally:
        if lock >= 0:
            os.close(lock)


def _play_start(stage: Stage, session: SampleSession) -> Iterator[Scene]:
    answer = stage.fire(session.make_payload("SessionStart", source="startup"))
    yield Scene(
        "A session starts: the agent is told", context_of(answer), str(answer.get("systemMessage", ""))
    )
    with stage.open_memory() as memory:
        memory.add(INCIDENT, kind="incident")
    yield Scene("Meanwhile you keep a note in another terminal", f'engram add -t incident -s "{INCIDENT}"')
    for number, prompt in enumerate((QUESTION, "Thanks, and please shorten the comment.")):
        payload = session.make_payload("UserPromptSubmit", prompt=prompt, prompt_id=f"demo-{number}")
        minded = context_of(stage.fire(payload))
        yield Scene(f'You say "{prompt}": with it the agent is told', minded, "" if minded else "nothing")


def _play_turn(stage: Stage, session: SampleSession) -> Iterator[Scene]:
    session.say("user", QUESTION)
    session.say("assistant", "Fixed: the retry reuses the key of the first attempt.")
    session.say("user", RULE)
    stage.fire(session.make_payload("UserPromptSubmit", prompt=RULE, prompt_id="demo-rule"))
    use: dict[str, object] = {
        "tool_name": "Bash",
        "tool_input": {"command": "pnpm install"},
        "tool_use_id": "demo-t",
    }
    session.call_tool("demo-t", "Bash", {"command": "pnpm install"}, result="Done in 2.1s")
    stage.fire(session.make_payload("PostToolUse", **use, tool_response={"stdout": "Done in 2.1s"}))
    session.say("assistant", "Done. The workspace uses pnpm now; the gateway test is still to be adapted.")
    stage.fire(session.make_payload("Stop", stop_hook_active=False, last_assistant_message="Done."))
    with stage.open_memory() as memory:
        memory.finish_jobs()
    yield Scene(
        f'You say "{RULE}", the agent works and stops: the status line', stage.read_statusline(session)
    )


def _play_review(stage: Stage, session: SampleSession) -> Iterator[Scene]:
    with stage.open_memory() as memory:
        proposals = memory.review()
    lines = []
    for proposal in proposals:
        lines.append(f'you said: "{proposal.quote}"')
        lines.append(f"-> {proposal.record.kind}: {proposal.record.summary}")
        if proposal.near:
            lines.append(f'   near: [{proposal.near.short_id}] "{proposal.near.summary}"')
    yield Scene("engram review proposes to keep", "\n".join(lines), "" if lines else "nothing")


def _play_clear(stage: Stage, session: SampleSession) -> Iterator[Scene]:
    stage.fire(session.make_payload("SessionEnd", reason="clear"))
    later = SampleSession(
        "demo-later", stage.project, stage.root / "transcripts" / "second.jsonl", stage.now_ms + 60_000
    )
    answer = stage.fire(later.make_payload("SessionStart", source="clear"))
    heading = "You clear the context: the agent, which knows nothing any more, is told"
    yield Scene(heading, context_of(answer), str(answer.get("systemMessage", "")))


def context_of(answer: Mapping[str, object]) -> str:
    """The text that an answer puts before the model."""
    inner = answer.get("hookSpecificOutput")
    text = inner.get("additionalContext") if isinstance(inner, dict) else ""
    return text if isinstance(text, str) else ""
