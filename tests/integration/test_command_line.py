"""The program as a process: pipes, locales, terminals, damaged and read-only stores."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engram_hooks.memory import Engram, now
from engram_hooks.store import records
from tests.support.make_repo import Repo

ENGRAM = [sys.executable, "-m", "engram_hooks"]


def run(repo: Repo, *arguments: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in the repository."""
    return subprocess.run(
        [*ENGRAM, *arguments],
        cwd=repo.path,
        env={**os.environ, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"PYTHONIOENCODING": "cp932", "LC_ALL": "POSIX"},
    ],
)
def test_text_survives_any_locale(repo: Repo, data: str, env: dict[str, str]) -> None:
    text = "ship it 🚀 → café 表示"
    assert run(repo, "add", "-s", text, **env).returncode == 0
    done = run(repo, "recall", "-q", "cafe", **env)
    assert done.returncode == 0
    assert text in done.stdout.decode("utf-8")


def test_reader_that_leaves_early_is_no_error(repo: Repo, data: str) -> None:
    with Engram(cwd=repo.path) as memory:
        for i in range(400):
            records.insert(
                memory.db,
                {"kind": "fact", "project_id": memory.project_id, "summary": f"{i} " + "word " * 40},
                now_ms=now(),
                actor="person",
            )
    with subprocess.Popen(
        [*ENGRAM, "list"], cwd=repo.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(100)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    "content", [b"", b"hello this is no database\n" * 50, b"\0" * 8192], ids=["empty", "text", "zeros"]
)
def test_damaged_store_is_named_and_kept(repo: Repo, data: str, content: bytes) -> None:
    assert run(repo, "add", "-s", "seed item").returncode == 0
    path = Path(data) / "engram.db"
    path.write_bytes(content)
    done = run(repo, "recall", "-q", "seed")
    if content:
        assert done.returncode == 1
        assert str(path).encode() in done.stderr
        assert b"hint: " in done.stderr
        assert path.read_bytes() == content
    assert b"Traceback" not in done.stderr


def drive(repo: Repo, keys: str, *arguments: str) -> str:
    """Run a command on a terminal, typing one key after each question; what the terminal showed."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(repo.path)
        os.execv(sys.executable, [*ENGRAM, *arguments])
    shown = b""
    asked = 0
    deadline = time.monotonic() + 40
    while time.monotonic() < deadline:
        if not select.select([terminal], [], [], 0.2)[0]:
            continue
        try:
            part = os.read(terminal, 65_536)
        except OSError:
            break
        if not part:
            break
        shown += part
        while shown.count(b"[q]uit") > asked and asked < len(keys):
            time.sleep(0.2)
            os.write(terminal, keys[asked].encode())
            asked += 1
    os.waitpid(child, 0)
    os.close(terminal)
    return shown.decode("utf-8", "replace")


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_review_on_a_terminal(repo: Repo, data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    with Engram(cwd=repo.path) as memory:
        memory.add("Package manager is npm here", kind="fact")
        for i, text in enumerate(["cap retries at five", "ship on Fridays", "Package manager is pnpm here"]):
            fields = {
                "kind": "decision",
                "project_id": memory.project_id,
                "summary": text,
                "status": "candidate",
            }
            records.insert(memory.db, fields, now_ms=now() + i, actor="miner")
    shown = drive(repo, "rns", "review")
    assert "1 of 3" in shown
    assert "[r]eplace k1" in shown
    with Engram(cwd=repo.path) as memory:
        assert [record.summary for record in memory.list_records()] == ["Package manager is pnpm here"]
        assert [item.record.summary for item in memory.review()] == ["cap retries at five"]
        assert memory.find("1").status == "superseded"
