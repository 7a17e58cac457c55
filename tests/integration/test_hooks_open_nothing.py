"""What hooks touch, as the system saw it: no file of the work tree but the notebook that is edited, and no git."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from engram_hooks import Engram
from engram_hooks.spawn import lock_worker
from tests.support.make_repo import Repo
from tests.support.run_hook import hook_argv

BODY = "def load(path):\n    with open(path) as file:\n        return file.read()\n"
FIXED = BODY.replace("file.read()", "file.read().strip()")
SUBJECT = "fix: what is read, and what is loaded"
LINE = "        return file.read().strip()"


def notebook(line: str) -> str:
    cell = {"cell_type": "code", "id": "c1", "outputs": [], "source": [line]}
    return json.dumps({"cells": [cell], "nbformat": 4, "nbformat_minor": 5}, indent=1)


@pytest.fixture(scope="module")
def strace() -> str:
    """The program that shows the system calls of another."""
    found = shutil.which("strace")
    if found is None:
        pytest.skip("strace is not installed")
    if subprocess.run([found, "-qq", "-o", os.devnull, "true"], capture_output=True, check=False).returncode:
        pytest.skip("not on this system: strace may not look into other processes")
    return found


@pytest.fixture
def shop(repo: Repo, data: str) -> Repo:
    """A repository with a story, indexed; the lock of the worker is held by the test."""
    repo.commit("feat: begin", {"app.py": BODY, "n.ipynb": notebook("x = load(1)")})
    repo.commit(SUBJECT, {"app.py": FIXED, "n.ipynb": notebook("x = load(2)")})
    with Engram(cwd=repo.path) as memory:
        memory.index()
    return repo


def calls(repo: Repo) -> list[dict[str, object]]:
    """Return what the client sends around a read, every kind of edit, and a turn."""
    path = str(repo / "app.py")
    file = {"filePath": path, "content": FIXED, "startLine": 1, "numLines": 4, "totalLines": 4}
    hunk = {"oldStart": 3, "oldLines": 1, "newStart": 3, "newLines": 0, "lines": [f"-{LINE}"]}
    edit = {"old_string": LINE, "new_string": "        return file.read()"}

    def call(event: str, tool: str, given: dict[str, object], response: object = None) -> dict[str, object]:
        made: dict[str, object] = {"hook_event_name": event, "tool_name": tool, "tool_input": given}
        return made | ({"tool_response": response} if response else {})

    diff = {"bashEditDiff": {"files": [{"filePath": path, "hunks": [hunk]}]}, "stdout": ""}
    return [
        {"hook_event_name": "SessionStart", "source": "startup"},
        {"hook_event_name": "UserPromptSubmit", "prompt": "What does load in app.py do?"},
        call("PostToolUse", "Read", {"file_path": path}, {"type": "text", "file": file}),
        call("PreToolUse", "Edit", {"file_path": path, **edit}),
        call("PostToolUse", "Edit", {"file_path": path, **edit}, {"structuredPatch": [hunk]}),
        call("PreToolUse", "MultiEdit", {"file_path": path, "edits": [edit]}),
        call("PreToolUse", "Write", {"file_path": path, "content": BODY}),
        call(
            "PreToolUse",
            "NotebookEdit",
            {"notebook_path": str(repo / "n.ipynb"), "cell_id": "c1", "new_source": ""},
        ),
        call("PostToolUse", "Bash", {"command": "sed -i 3d app.py"}, diff),
        {"hook_event_name": "Stop", "stop_hook_active": False},
        {"hook_event_name": "SessionEnd", "reason": "other"},
    ]


def trace(
    strace: str, data: str, folder: Path, call: dict[str, object], *, repo: Repo
) -> tuple[str, list[str]]:
    """Run one hook under strace; return what it printed, and the lines of its system calls."""
    payload = {"session_id": "s1", "transcript_path": "", "cwd": str(repo.path), **call}
    log = folder / "strace.log"
    done = subprocess.run(
        [
            strace,
            "-f",
            "-qq",
            "-o",
            str(log),
            "-e",
            "trace=open,openat,creat,execve,execveat",
            *hook_argv(data, ""),
        ],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout, log.read_text(encoding="utf-8", errors="replace").splitlines()


def test_hooks_open_no_file_of_the_work_tree_and_start_no_git(
    strace: str, shop: Repo, data: str, tmp_path: Path
) -> None:
    lock = lock_worker(data)  # held: what the worker does later is another matter
    try:
        spoken = []
        for call in calls(shop):
            printed, lines = trace(strace, data, tmp_path, call, repo=shop)
            spoken.append(SUBJECT in printed)
            opened = [
                path for line in lines for path in re.findall(r'(?:open|openat|creat)\(.*?"([^"]*)"', line)
            ]
            inside = [path for path in opened if path.startswith(f"{shop.path}/")]
            allowed = {str(shop / "n.ipynb")} if call.get("tool_name") == "NotebookEdit" else set()
            assert {path for path in inside if not path.startswith(f"{shop.path}/.git")} <= allowed, call
            assert any(path.endswith("engram.db") for path in opened), call
            assert len([line for line in lines if "execve" in line]) == 1, call  # the interpreter itself
        assert spoken == [False, False, True, True, False, True, True, True, True, False, False]
    finally:
        os.close(lock)
