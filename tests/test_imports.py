"""What may be imported where: the hot path stays light, and every dependency has one home."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import pytest

from engram_hooks import Engram
from engram_hooks.client.commands import EVENTS
from engram_hooks.client.launcher import launcher_path, write_launcher
from engram_hooks.client.sample_events import SampleSession, make_samples
from engram_hooks.spawn import lock_worker
from tests.support.make_repo import Repo
from tests.support.repo_files import ROOT, parse_modules

PACKAGE = parse_modules("engram_hooks/")

# what a hook may load besides modules of its own
HOT_ALLOWED = {
    *(
        "sys",
        "gc",
        "os",
        "posix",
        "nt",
        "time",
        "select",
        "_signal",
        "struct",
        "zlib",
        "fcntl",
        "msvcrt",
        "itertools",
    ),
    *("_sqlite3", "_json", "_struct", "__future__", "_operator", "_functools", "_collections", "math"),
    *("marshal", "_frozen_importlib", "_frozen_importlib_external"),  # part of the interpreter's start
}
HOT_PLACES = (
    *("engram_hooks/entry.py", "engram_hooks/errors.py", "engram_hooks/paths.py", "engram_hooks/jsontext.py"),
    *("engram_hooks/terms.py", "engram_hooks/spawn.py", "engram_hooks/__init__.py", "engram_hooks/hooks/"),
    *("engram_hooks/recall/", "engram_hooks/guard/", "engram_hooks/loading.py"),
    *(f"engram_hooks/embed/{name}.py" for name in ("encode", "nearest", "planes", "words")),
    *("engram_hooks/store/segments.py", "engram_hooks/store/vectors.py", "engram_hooks/sessions/minder.py"),
    *(f"engram_hooks/sessions/{name}.py" for name in ("changes", "preflight", "whereabouts")),
    *(f"engram_hooks/store/{name}.py" for name in ("index_briefs", "index_files", "told")),
)
# loaded for the rare text that a plain look suspects, never else: patterns may be used there
RARE_PLACES = ("engram_hooks/guard/orders/",)
FALLBACKS = {"sqlite3", "json"}  # in `except ImportError`, where the private C module is missing

HOT_MODULES = sorted(
    name for name in PACKAGE if name.startswith(HOT_PLACES) and not name.startswith(RARE_PLACES)
)

# a dependency and the only places that may import it
HOMES = {
    "click": ("engram_hooks/cli/",),
    "model2vec": ("engram_hooks/embed/", "engram_hooks/bench/"),
    "numpy": ("engram_hooks/embed/", "engram_hooks/bench/"),
    "platformdirs": (),
    "_sqlite3": ("engram_hooks/store/",),
    "tomllib": ("engram_hooks/client/", "engram_hooks/curate/invariants.py"),
    "tomli_w": ("engram_hooks/client/",),
    "engram_hooks.bench": ("engram_hooks/bench/", "engram_hooks/cli/"),
}


def is_type_block(node: ast.AST) -> bool:
    """Return whether a statement is read by the type checker only."""
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imported_by(node: ast.AST) -> list[str]:
    """Return the modules that one statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [node.module or ""]
    return []


def imports_of(tree: ast.AST, *, lazy: bool) -> Iterator[str]:
    """Yield what a module imports at run time; with `lazy` also what its functions import."""
    for node in ast.iter_child_nodes(tree):
        if is_type_block(node) or (not lazy and isinstance(node, ast.FunctionDef)):
            continue
        yield from imported_by(node)
        yield from imports_of(node, lazy=lazy)


@pytest.mark.parametrize("name", HOT_MODULES)
def test_hot_module_imports_light_modules_only(name: str) -> None:
    found = {item for item in imports_of(PACKAGE[name], lazy=False) if not item.startswith("engram_hooks")}
    assert found - HOT_ALLOWED - FALLBACKS == set()


@pytest.mark.parametrize(
    ("module", "homes"), [pytest.param(key, value, id=key) for key, value in HOMES.items()]
)
def test_dependency_is_imported_at_home_only(module: str, homes: tuple[str, ...]) -> None:
    strays = [
        name
        for name, tree in PACKAGE.items()
        if not name.startswith(homes)
        and any(item == module or item.startswith(module + ".") for item in imports_of(tree, lazy=True))
    ]
    assert strays == []


def test_statements_reach_the_database_in_store_only() -> None:
    calls = {"execute", "executemany", "executescript"}
    strays = [
        f"{name}:{node.lineno}"
        for name, tree in PACKAGE.items()
        if not name.startswith("engram_hooks/store/")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in calls
    ]
    assert strays == []


def loaded_by(*argv: str, text: str = "") -> set[str]:
    """Run an isolated interpreter without site packages; return the modules it imported after its start."""
    run = [sys.executable, "-I", "-S", "-X", "importtime", *argv]
    done = subprocess.run(run, input=text, capture_output=True, text=True, check=False, timeout=30)
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip() for line in lines}


BARE = loaded_by("-c", "import os")  # what the interpreter itself loads, and os with what it needs


def test_package_loads_nothing_until_it_is_used() -> None:
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import engram_hooks; print(engram_hooks.__version__)"
    )
    assert loaded_by("-c", code) - BARE == {"engram_hooks", "__future__"}


# the cold rooms: what is learnt, changed and wired, and all that people type
COLD = (
    "memory",
    "curate",
    "client",
    "cli",
    "bench",
    "history",
    "worker",
    "store.create",
    "store.schema",
    "store.migrate",
    "store.sealing",
    "store.vector_queue",
    "store.vector_schema",
    "embed.batch",
    "embed.encoders",
    "embed.model",
    "embed.scan",
    "guard.orders",
    "guard.outgoing",
)


@pytest.fixture
def traced(tmp_path: Path, data: str, store: Connection) -> Path:
    """The launcher as setup writes it, for an interpreter that reports what it imports."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -X importtime "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    write_launcher(Path(data), python=str(python), package_parent=ROOT)
    return launcher_path(Path(data))


@pytest.fixture
def session(repo: Repo, tmp_path: Path, data: str) -> SampleSession:
    """A session of a project that has something to remember."""
    with Engram(home=data, cwd=str(repo.path)) as memory:
        memory.add("Postgres over Mongo, for relational integrity", kind="decision")
        memory.add("One idempotency key per order", kind="constraint", detail="across all retries")
        file = Path(memory.core_add("user", "My name is Ana").block.file)
        file.write_text(f"{file.read_text()}- edited since\n", encoding="utf-8")
    found = SampleSession("imports", Path(repo.path), tmp_path / "transcript.jsonl", 1_780_000_000_000)
    found.say("user", "Why did we choose Postgres?")
    found.say("assistant", "For relational integrity.")
    return found


def trace_hook(launcher: Path, payload: dict[str, object]) -> tuple[set[str], str]:
    """Run one hook; return the modules that it imported, and what it printed."""
    kebab = next(kebab for event, kebab, _, _ in EVENTS if event == payload["hook_event_name"])
    env = {**os.environ, "ENGRAM_WORKER": ""}
    done = subprocess.run(
        ["sh", str(launcher), kebab],
        input=json.dumps(payload),
        capture_output=True,
        text=True,
        check=True,
        env=env,
        timeout=30,
    )
    lines = [line for line in done.stderr.splitlines() if line.startswith("import time:")]
    return {line.rsplit("|", 1)[1].strip() for line in lines}, done.stdout


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: the launcher is no shell script there")
def test_hooks_load_light_modules_only(traced: Path, session: SampleSession, data: str) -> None:
    spoken = ""
    lock = lock_worker(data)  # held, so that no worker starts
    for payload in make_samples(session):
        if payload["hook_event_name"] == "UserPromptSubmit":
            payload["prompt"] = "Why did we choose Postgres over Mongo?"
        loaded, printed = trace_hook(traced, payload)
        spoken += printed
        own = {name for name in loaded if name.startswith("engram_hooks")}
        assert loaded - own - BARE - HOT_ALLOWED == set(), payload["hook_event_name"]
        assert {n for n in own if n.removeprefix("engram_hooks.").startswith(COLD)} == set()
        assert "engram_hooks.store.connect" in own  # the hook went all the way
    os.close(lock)
    assert "relational integrity" in spoken
    assert "edited since" in spoken


@pytest.mark.skipif(os.name == "nt", reason="not on Windows: the launcher is no shell script there")
def test_hooks_that_speak_of_code_load_light_modules_only(traced: Path, repo: Repo, data: str) -> None:
    repo.commit("feat: begin", {"app.py": "def load(path):\n    return open(path).read()\n"})
    fixed = "def load(path):\n    with open(path) as file:\n        return file.read().strip()\n"
    repo.commit("fix: close what was opened", {"app.py": fixed})
    with Engram(cwd=repo.path) as memory:
        memory.index()
    common = {"session_id": "code", "transcript_path": "", "cwd": str(repo.path)}
    path, old = str(repo / "app.py"), "        return file.read().strip()"
    file = {"filePath": path, "content": fixed, "startLine": 1, "numLines": 4, "totalLines": 4}
    calls: tuple[dict[str, object], ...] = (
        {"hook_event_name": "SessionStart", "source": "startup"},
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "Read",
            "tool_input": {"file_path": path},
            "tool_response": {"type": "text", "file": file},
        },
        {
            "hook_event_name": "PreToolUse",
            "tool_name": "Edit",
            "tool_input": {"file_path": path, "old_string": old, "new_string": "        return file.read()"},
        },
    )
    lock = lock_worker(data)
    for call in calls:
        loaded, printed = trace_hook(traced, {**common, **call})
        own = {name for name in loaded if name.startswith("engram_hooks")}
        assert loaded - own - BARE - HOT_ALLOWED == set(), call["hook_event_name"]
        assert {n for n in own if n.removeprefix("engram_hooks.").startswith(COLD)} == set()
        assert call["hook_event_name"] == "SessionStart" or "close what was opened" in printed
    os.close(lock)
