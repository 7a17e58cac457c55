"""What the hooks that speak of code cost: their cases in a repository with a large index, and their own part of it."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import time
from pathlib import Path

from engram_hooks.bench.synthetic_index import (
    CHECKED_OUT,
    FILES,
    SYMBOL_LINES,
    file_content,
    file_lines,
    file_path,
    fill_index,
    guarded_lines,
)
from engram_hooks.bench.synthetic_tries import fill_tries
from engram_hooks.memory import Engram
from engram_hooks.paths import store_path
from engram_hooks.recall.brief import MAX_ADVICE_CHARS, change_advice
from engram_hooks.sessions import preflight
from engram_hooks.sessions.whereabouts import find_spot
from engram_hooks.store import places
from engram_hooks.store.connect import open_store
from engram_hooks.store.create import ensure_store
from engram_hooks.store.index_files import index_path, open_index

FIRST_FILE = CHECKED_OUT  # files below it are asked for in this process
SAMPLES = 400


class IndexedRepo:
    """A repository with an index of many commits, beside whatever else a data folder holds."""

    def __init__(
        self,
        folder: Path,
        data: Path,
        environ: dict[str, str],
        *,
        commits: int,
        files: int = FILES,
        tries: tuple[int, int] = (0, 0),
    ) -> None:
        self.root = folder / "indexed"
        self.data = data
        self.environ = environ
        self.files = files
        (self.root / ".git" / "objects").mkdir(parents=True)
        (self.root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        db = ensure_store(str(data), now_ms=int(time.time() * 1000))
        try:
            found = places.locate(db, str(self.root), environ, now_ms=int(time.time() * 1000), create=True)
            self.project_id = found[0] or 0
            uid = places.uid_of(db, self.project_id)
            count, rules = tries
            now_ms = time.time_ns() // 1_000_000
            fill_tries(db, self.project_id, file_path, count=count, rules=rules, now_ms=now_ms)
        finally:
            db.close()
        ready = folder.parent / "index.db"
        if ready.exists():
            (data / "index").mkdir(mode=0o700)
            shutil.copyfile(ready, index_path(str(data), uid))
        else:
            fill_index(str(data), uid, commits=commits, files=files)
            shutil.copyfile(index_path(str(data), uid), ready)

    def edit(self, at: int) -> dict[str, object]:
        """What a PreToolUse of an Edit holds that changes a fix."""
        old, new = change_of(FIRST_FILE + at % (self.files - FIRST_FILE), at)
        path = self._path(at)
        given = {
            "file_path": path,
            "old_string": "\n".join(old),
            "new_string": "\n".join(new),
            "replace_all": False,
        }
        return {
            "cwd": str(self.root),
            "tool_name": "Edit",
            "tool_input": given,
            "tool_use_id": f"toolu_code{at}",
        }

    def read(self, at: int) -> dict[str, object]:
        """What a PostToolUse of a Read of a whole file holds."""
        lines = file_lines(FIRST_FILE + at % (self.files - FIRST_FILE))
        path, count = self._path(at), len(lines) + 1
        file = {
            "filePath": path,
            "content": "\n".join(lines) + "\n",
            "numLines": count,
            "startLine": 1,
            "totalLines": count,
        }
        given = {"tool_name": "Read", "tool_input": {"file_path": path}, "tool_use_id": f"toolu_read{at}"}
        return {"cwd": str(self.root), **given, "tool_response": {"type": "text", "file": file}}

    def _path(self, at: int) -> str:
        return str(self.root / file_path(FIRST_FILE + at % (self.files - FIRST_FILE)))

    def time_preflight(self) -> dict[str, tuple[float, float]]:
        """(CPU, wall) ms, median and 95th percentile, of finding the advice on an edit where the index is open.

        Everything that a hook does for it between its payload and its answer, from the path on.
        """
        rng = random.Random(5)  # noqa: S311 (data for a benchmark)
        db = open_store(store_path(str(self.data)))
        index = open_index(str(self.data), places.uid_of(db, self.project_id))
        session = (0, self.project_id, os.path.realpath(self.root), "main", 0, "")
        cpu_ms, wall_ms = [], []
        try:
            for at in range(SAMPLES):
                number = rng.randrange(FIRST_FILE)
                old, new = change_of(number, at)
                path = str(self.root / file_path(number))
                cpu, wall = time.process_time(), time.perf_counter()
                spot = find_spot(db, str(self.data), path, cwd="", session=session, environ=self.environ)
                file_id = preflight.find_file(index, spot[2], spot[3]) if spot else None
                touched = preflight.find_touched(index, file_id or 0, [(old, new, 0)])
                text, _ = change_advice(path, touched, year=2020, verb="changes", max_chars=MAX_ADVICE_CHARS)
                cpu_ms.append((time.process_time() - cpu) * 1000)
                wall_ms.append((time.perf_counter() - wall) * 1000)
                assert text
        finally:
            index.close()
            db.close()
        return _summarise(cpu_ms, wall_ms)

    def time_facade(self) -> dict[str, tuple[float, float]]:
        """The same of `Engram.preflight`, of a file and of a symbol in turn, in one facade that stays open."""
        rng = random.Random(6)  # noqa: S311 (data for a benchmark)
        for number in range(min(FIRST_FILE, self.files)):
            path = self.root / file_path(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file_content(number))
        cpu_ms, wall_ms = [], []
        with Engram(cwd=self.root, environ=self.environ) as memory:
            for at in range(SAMPLES):
                number = rng.randrange(min(FIRST_FILE, self.files))
                name = file_lines(number)[SYMBOL_LINES].split("(")[0].removeprefix("def ")
                symbol = name if at % 2 else None
                cpu, wall = time.process_time(), time.perf_counter()
                found = memory.preflight(file_path(number), symbol)
                cpu_ms.append((time.process_time() - cpu) * 1000)
                wall_ms.append((time.perf_counter() - wall) * 1000)
                assert found.is_known
        return _summarise(cpu_ms, wall_ms)


def _summarise(cpu_ms: list[float], wall_ms: list[float]) -> dict[str, tuple[float, float]]:
    cpu_cuts, wall_cuts = statistics.quantiles(cpu_ms, n=20), statistics.quantiles(wall_ms, n=20)
    return {"median": (cpu_cuts[9], wall_cuts[9]), "p95": (cpu_cuts[18], wall_cuts[18])}


def change_of(number: int, at: int) -> tuple[list[str], list[str]]:
    """(old, new) lines of an edit in the middle of the longest guard of a file, with two lines around it."""
    lines = file_lines(number)
    own = max(guarded_lines(number), key=len)
    telling = [line for line in own if "(order" in lines[line - 1]] or [own[0]]
    line = telling[len(telling) // 2]
    old = lines[max(line - 3, 0) : line + 2]
    return old, [text if text != lines[line - 1] else f"    done_{at}(order)" for text in old]
