"""Recorded payloads of every event, given to the commands that setup registers."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from tests.support.installed_engram import InstalledEngram, is_installed
from tests.support.make_repo import make_repo
from tests.support.record_payloads import NEUTRAL_HOME, name_payload

RECORDED = Path(__file__).resolve().parent / "payloads"
MORE = Path(__file__).resolve().parents[2].parent / "shared" / "claude-code" / "payloads"
NO_MORE = "outside data: payloads recorded elsewhere"
SILENT = ("Stop", "SessionEnd")
PLAIN = ("PreCompact",)


def read_recorded() -> list[ParameterSet]:
    """Return the payloads that are kept here, named by the client's version and their kind."""
    return [
        pytest.param(line, id=f"{path.stem}-{name_payload(json.loads(line))}")
        for path in sorted(RECORDED.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def read_more() -> list[ParameterSet]:
    """Return the payloads of a folder next to the checkout; one that is skipped where there is none."""
    found = [
        pytest.param(path.read_text(encoding="utf-8"), id=path.relative_to(MORE).with_suffix("").as_posix())
        for path in sorted(MORE.rglob("*.json"))
    ]
    return found or [pytest.param("", marks=pytest.mark.skip(reason=NO_MORE), id="none")]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> tuple[InstalledEngram, Path]:
    """engram in a HOME of its own, and a project with records of it."""
    if not is_installed():
        pytest.skip("engram is not installed for this interpreter: pip install -e .")
    folder = tmp_path_factory.mktemp("desk")
    home = folder / "home"
    (home / ".claude").mkdir(parents=True)
    project = make_repo(home / "app", {"calc.py": "def add(a, b):\n    return a - b\n"}).path
    engram = InstalledEngram(home)
    engram.run(home, "setup")
    engram.run(project, "add", "-t", "decision", "-s", "add() in app/calc.py adds, it never subtracts")
    return engram, project


def give(command: str, payload: str, *, home: Path, project: Path) -> subprocess.CompletedProcess[str]:
    """Run a registered command as the client does: through a shell, with the payload on its input."""
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "CLAUDECODE": "1",
        "CLAUDE_PROJECT_DIR": str(project),
    }
    return subprocess.run(
        ["/bin/sh", "-c", command],
        input=payload,
        cwd=project,
        env=environ,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=30,
        check=False,
    )


def move_in(payload: str, home: Path) -> str:
    """Return a payload with the recorded home replaced by ours."""
    return payload.replace(NEUTRAL_HOME, str(home))


def choose_command(engram: InstalledEngram, event: str) -> str:
    """Return the registered command of an event; of one that is not, what it would be."""
    commands = engram.hook_commands()
    if event == "StatusLine":
        return engram.status_line_command()
    kebab = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", event).lower()
    return commands.get(event) or commands["SessionEnd"].replace("session-end", kebab)


def strip_colours(text: str) -> str:
    """Return what a terminal shows of a text."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def assert_allowed(event: str, stdout: str, *, is_registered: bool) -> None:
    """Check what a hook printed against what the client does with the output of the event."""
    if event in SILENT or not is_registered:
        assert stdout == ""
    elif event in PLAIN:
        assert not stdout.lstrip().startswith(("{", "["))
    elif stdout:
        answer = json.loads(stdout)
        assert answer.get("hookSpecificOutput", {"hookEventName": event})["hookEventName"] == event


@pytest.mark.parametrize("recorded", [*read_recorded(), *read_more()])
def test_recorded_payload_is_answered_as_its_event_allows(
    desk: tuple[InstalledEngram, Path], recorded: str
) -> None:
    engram, project = desk
    payload = move_in(recorded, engram.home)
    event = json.loads(payload).get("hook_event_name", "StatusLine")
    done = give(choose_command(engram, event), payload, home=engram.home, project=project)
    assert (done.returncode, done.stderr) == (0, "")
    if event == "StatusLine":
        assert re.match(r"engram (ready$|\d+ notes? · )", strip_colours(done.stdout))
    else:
        assert_allowed(event, done.stdout, is_registered=event in engram.hook_commands())


def test_payloads_of_every_registered_event_are_recorded(desk: tuple[InstalledEngram, Path]) -> None:
    lines = [line for path in RECORDED.glob("*.jsonl") for line in path.read_text("utf-8").splitlines()]
    recorded = {json.loads(line).get("hook_event_name") for line in lines}
    assert set(desk[0].hook_commands()) <= recorded


@pytest.mark.parametrize("source", ["startup", "resume", "clear", "compact"])
def test_recorded_session_start_brings_the_boot_pack(desk: tuple[InstalledEngram, Path], source: str) -> None:
    engram, project = desk
    lines = (RECORDED / "2.1.332.jsonl").read_text(encoding="utf-8").splitlines()
    (line,) = [line for line in lines if name_payload(json.loads(line)) == f"SessionStart-{source}"]
    payload = move_in(line, engram.home)
    done = give(engram.hook_commands()["SessionStart"], payload, home=engram.home, project=project)
    context = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "it never subtracts" in context
