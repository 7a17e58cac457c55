"""Record what an installed client gives to hooks and to the status line, as data for tests.

    python -m tests.support.record_payloads CLIENT FOLDER

Plays one scripted conversation and writes FOLDER/VERSION.jsonl: one payload a line, one line for each kind
(event, with tool, source or trigger). Paths and ids are replaced by neutral ones.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tests.support.claude_client import ClaudeClient, prepare_home
from tests.support.claude_screen import ClaudeScreen
from tests.support.make_repo import make_repo
from tests.support.messages_api import MessagesApi
from tests.support.scripted_turns import Lane, Script, ToolCall, Turn

EVENTS = (
    *("SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "SubagentStart", "SubagentStop"),
    *("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionRequest"),
    *("PreCompact", "PostCompact", "CwdChanged", "InstructionsLoaded", "MessageDisplay", "Notification"),
)
PROMPTS = (
    "Fix add() in calc.py",
    "Which files are there?",
    "/compact keep the tests",
    "go on",
    "/clear",
    "hi",
)
NEUTRAL_HOME = "/home/dev"
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_AGENT = re.compile(r"(?<=\bagent-)[0-9a-z]{8,}|(?<=\"agent_id\": \")[^\"]+|(?<=\"agentId\": \")[^\"]+")
_SCRATCH = re.compile(r"/tmp/claude-[^\"\\ ]*")


def name_payload(payload: dict[str, object]) -> str:
    """Return what kind of payload it is: the event, and the field that the client matches it by."""
    event = str(payload.get("hook_event_name", "StatusLine"))
    if event == "StatusLine":
        return f"{event}-after-turn" if "prompt_id" in payload else event
    detail = next(
        (str(payload[key]) for key in ("tool_name", "source", "trigger", "reason") if key in payload), ""
    )
    owner = "in-subagent" if "agent_id" in payload and "tool_name" in payload else ""
    return "-".join(filter(None, (event, detail, owner)))


def _script(project: Path) -> Script:
    file = str(project / "calc.py")
    edit = {"file_path": file, "old_string": "a - b", "new_string": "a + b"}
    errand = {"prompt": "quartz: list files", "description": "list", "subagent_type": "general-purpose"}
    steps = [
        ToolCall("Read", {"file_path": file}),
        ToolCall("Edit", edit),
        ToolCall("Write", {"file_path": str(project / "new.py"), "content": "x = 1\n"}),
        ToolCall(
            "Bash", {"command": "python3 -c 'import calc; print(calc.add(1, 2))'", "description": "Try"}
        ),
        ToolCall("Bash", {"command": "echo wrong >&2; exit 1", "description": "Fail"}),
        ToolCall("Read", {"file_path": str(project / "absent.py")}),
        ToolCall("Agent", {**errand, "run_in_background": False}),
        ToolCall("Bash", {"command": "mkdir -p docs && cd docs", "description": "Move"}),
    ]
    turns: list[Turn | str] = [Turn("", (step,)) for step in steps]
    turns += ["add() adds now.", "calc.py and new.py.", "Going on.", "Hi."]
    look = Turn("", (ToolCall("Bash", {"command": "ls", "description": "List files"}),))
    return Script(turns, lanes={"errand": Lane("quartz", [look, "Two files."])})


def _register(home: Path, log: Path) -> None:
    log.mkdir()
    tap = {"type": "command", "command": f"cat > $(mktemp '{log}/XXXXXXXX')"}  # some hooks run at once
    settings = {"hooks": {event: [{"hooks": [tap]}] for event in EVENTS}, "statusLine": tap}
    (home / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")


def _neutralise(text: str, *, home: Path) -> str:
    """Return the payloads' text without the paths and ids of this run."""
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(home))
    text = text.replace(str(home), NEUTRAL_HOME).replace(slug, NEUTRAL_HOME.replace("/", "-"))
    text = _SCRATCH.sub("/tmp/scratch", text)
    for pattern, form in ((_UUID, "00000000-0000-4000-8000-{:012d}"), (_AGENT, "a{:016d}")):
        known: dict[str, str] = {}
        for found in pattern.findall(text):
            known.setdefault(found, form.format(len(known) + 1))
        for old, new in known.items():
            text = text.replace(old, new)
    return text


def record(binary: Path, folder: Path) -> Iterable[dict[str, object]]:
    """Play the conversation in an empty folder; return one neutral payload of each kind, by name."""
    home, log = folder / "dev", folder / "payloads"
    project = make_repo(home / "app", {"calc.py": "def add(a, b):\n    return a - b\n"}).path
    (project / "CLAUDE.md").write_text("Answer briefly.\n", encoding="utf-8")
    prepare_home(home, [project])
    _register(home, log)
    with MessagesApi(_script(project)) as api:
        client = ClaudeClient(binary, home, api.url)
        run = client.run(project, *PROMPTS)
        api.script.append("Welcome back.", "Hello.")
        client.run(project, "again", resume=run.session_id)
        with ClaudeScreen(client, project) as screen:
            screen.wait_for("❯")
            screen.type_line("hello")
            screen.wait_for("Hello.")
            screen.type_line("/exit")
            screen.wait_until(lambda shown: "❯" not in shown)
    files = sorted(log.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    lines = [json.dumps(json.loads(file.read_bytes() or b"{}")) for file in files]
    payloads = [json.loads(line) for line in _neutralise("\n".join(lines), home=home).splitlines()]
    kinds: dict[str, dict[str, object]] = {}
    for payload in filter(None, payloads):
        kinds.setdefault(name_payload(payload), payload)
    return [kinds[name] for name in sorted(kinds)]


def main(binary: Path, target: Path) -> None:
    """Record the payloads of one client into its file."""
    answer = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="engram-record-") as folder:
        payloads = record(binary, Path(folder).resolve())
    lines = [json.dumps(payload, ensure_ascii=True) for payload in payloads]
    (target / f"{answer.split()[0]}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
