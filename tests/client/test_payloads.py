"""Recorded payloads of every event, given to the commands that setup registers."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.installed_engram import InstalledEngram, is_installed
from tests.support.make_repo import make_repo

RECORDED = Path(__file__).resolve().parents[2].parent / "shared" / "claude-code" / "payloads"
HOOK_PAYLOADS = sorted(path for path in RECORDED.rglob("*.json") if not path.name.startswith("StatusLine"))
LINE_PAYLOADS = sorted(RECORDED.rglob("StatusLine*.json"))
SILENT = ("Stop", "SessionEnd")
PLAIN = ("PreCompact",)


def name_payload(path: Path) -> str:
    """Return the test id of a payload: its file, and the client's version where there is one."""
    return path.relative_to(RECORDED).with_suffix("").as_posix()


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> tuple[InstalledEngram, Path]:
    """engram in a HOME of its own, and a project with records of it."""
    if not HOOK_PAYLOADS:
        pytest.skip("outside data: the recorded payloads of the client")
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
    return payload.replace("/home/dev", str(home))


def choose_command(engram: InstalledEngram, event: str) -> str:
    """Return the registered command of an event; for one that is not registered, what it would be."""
    commands = engram.hook_commands()
    kebab = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", event).lower()
    return commands.get(event) or commands["SessionEnd"].replace("session-end", kebab)


@pytest.mark.parametrize("path", HOOK_PAYLOADS or [RECORDED / "none.json"], ids=name_payload)
def test_recorded_payload_is_answered_as_its_event_allows(
    desk: tuple[InstalledEngram, Path], path: Path
) -> None:
    engram, project = desk
    payload = move_in(path.read_text(encoding="utf-8"), engram.home)
    event = json.loads(payload)["hook_event_name"]
    done = give(choose_command(engram, event), payload, home=engram.home, project=project)
    assert (done.returncode, done.stderr) == (0, "")
    if event in SILENT or event not in engram.hook_commands():
        assert done.stdout == ""
    elif event in PLAIN:
        assert not done.stdout.lstrip().startswith(("{", "["))
    elif done.stdout:
        answer = json.loads(done.stdout)
        assert answer.get("hookSpecificOutput", {"hookEventName": event})["hookEventName"] == event


def test_recorded_session_start_brings_the_boot_pack(desk: tuple[InstalledEngram, Path]) -> None:
    engram, project = desk
    payload = move_in((RECORDED / "SessionStart-startup.json").read_text(encoding="utf-8"), engram.home)
    done = give(engram.hook_commands()["SessionStart"], payload, home=engram.home, project=project)
    context = json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]
    assert "it never subtracts" in context


@pytest.mark.parametrize("path", LINE_PAYLOADS or [RECORDED / "none.json"], ids=name_payload)
def test_recorded_status_line_payload_is_answered(desk: tuple[InstalledEngram, Path], path: Path) -> None:
    engram, project = desk
    payload = move_in(path.read_text(encoding="utf-8"), engram.home)
    done = give(engram.status_line_command(), payload, home=engram.home, project=project)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("engram ")
