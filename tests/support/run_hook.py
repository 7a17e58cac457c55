"""Run a hook as the client does: a process of its own under `-I -S`, JSON on standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import engram_hooks

PACKAGE_PARENT = str(Path(engram_hooks.__file__).parent.parent)
BOOT = "import sys; sys.path.append(sys.argv[1]); from engram_hooks.entry import main; main(sys.argv)"


def hook_argv(data: str, event: str) -> list[str]:
    """The command line that the launcher runs."""
    return [sys.executable, "-I", "-S", "-c", BOOT, PACKAGE_PARENT, data, event]


def run_hook(
    data: str, event: str, payload: dict[str, object] | bytes, *, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """One call to its end; `env` is added to the environment (ENGRAM_WORKER=1 keeps a hook silent)."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    environ = {**os.environ, **(env or {})}
    return subprocess.run(
        hook_argv(data, event), input=raw, capture_output=True, env=environ, timeout=30, check=False
    )


def context_of(done: subprocess.CompletedProcess[bytes]) -> str:
    """The context that an answer gives to the model, '' where it gives none."""
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    if not done.stdout:
        return ""
    answer = json.loads(done.stdout)
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))
