"""Whose a line is, on histories made at random: as `git blame -w` says."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_hooks.history.indexing import Source, index_repository
from engram_hooks.history.lineage import Lineage
from engram_hooks.history.ownership import Ownership
from engram_hooks.store.index_files import index_path
from tests.support.make_repo import IDENTITY

UID = "0" * 32


@dataclass
class History:
    """A history as `git fast-import` reads it, made step by step; every line that is written is a new one."""

    dice: random.Random
    script: list[str] = field(default_factory=list)
    marks: int = 0
    words: int = 0
    path: str = "part.py"
    texts: list[list[str]] = field(default_factory=list)

    def fresh(self) -> str:
        self.words += 1
        return f"value_{self.words} = make({self.words * 7})"

    def commit(
        self, lines: list[str], *parents: int, old_path: str = "", other: list[str] | None = None
    ) -> int:
        self.marks += 1
        message = f"chore: step {self.marks}"
        self.script += [
            "commit refs/heads/main",
            f"mark :{self.marks}",
            f"committer Ana <ana@example.com> {1_700_000_000 + self.marks // 3} +0000",
            f"data {len(message)}",
            message,
        ]
        self.script += [f"{'merge' if at else 'from'} :{parent}" for at, parent in enumerate(parents)]
        self.script += [f"D {old_path}"] if old_path else []
        for path, text in ((self.path, lines), ("other.py", other)):
            if text is not None:
                body = "".join(line + "\n" for line in text)
                self.script += [f"M 100644 inline {path}", f"data {len(body)}", body]
        return self.marks

    def edit(self, lines: list[str], low: int, high: int) -> list[str]:
        """Change something between two lines."""
        lines = list(lines)
        at = self.dice.randint(low, max(low, high - 1))
        count = self.dice.randint(1, 3)
        kind = self.dice.choice("insert remove replace indent".split())
        if kind == "insert":
            lines[at:at] = [self.fresh() for _ in range(count)]
        elif kind == "remove":
            del lines[at : min(at + count, high)]
        elif kind == "replace":
            lines[at : min(at + count, high)] = [self.fresh() for _ in range(self.dice.randint(1, 3))]
        else:
            end = min(at + count, high)
            lines[at:end] = ["    " + line for line in lines[at:end]]
        return lines


def make(dice: random.Random, steps: int) -> History:
    history = History(dice)
    lines = [history.fresh() for _ in range(dice.randint(6, 14))]
    tip = history.commit(lines)
    history.texts.append(lines)
    for _ in range(steps):
        kind = dice.choice("edit edit edit rename back branch".split())
        if kind == "rename":
            old = history.path
            history.path = f"part_{history.marks}.py"
            tip = history.commit(lines, tip, old_path=old)
        elif kind == "back":
            lines = dice.choice(history.texts)
            tip = history.commit(lines, tip)
        elif kind == "branch" and len(lines) > 7:
            middle = len(lines) // 2
            upper = history.edit(lines, 0, middle - 1)
            lower = history.edit(lines, middle + 1, len(lines))
            one = history.commit(upper, tip)
            two = history.commit(lower, tip)
            lines = upper[: len(upper) - len(lines) + middle] + lower[middle:]
            tip = history.commit(lines, one, two)
        else:
            lines = history.edit(lines, 0, len(lines))
            tip = history.commit(lines, tip)
        history.texts.append(lines)
    return history


def run(folder: Path, *arguments: str, stdin: str = "") -> str:
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env={**os.environ, **IDENTITY},
        input=stdin,
        capture_output=True,
        check=True,
        text=True,
    )
    return done.stdout


def blame(folder: Path, path: str) -> list[str]:
    rows = run(folder, "blame", "-w", "-s", "-l", "--root", "main", "--", path)
    return [row.split(" ", 1)[0] for row in rows.splitlines()]


def find_owners(data: Path, path: str) -> list[str]:
    db = sqlite3.connect(index_path(os.fspath(data), UID))
    try:
        file_id, blob = db.execute("SELECT id, blob FROM files WHERE path = ?", (path,)).fetchone()
        names = {number: name.hex() for number, name in db.execute("SELECT id, hash FROM commits")}
        return [names.get(owner, "") for owner in Ownership(Lineage(db)).find_owners((file_id, blob))]
    finally:
        db.close()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 1 << 30), st.integers(1, 14))
def test_owners_are_those_of_git(seed: int, steps: int) -> None:
    history = make(random.Random(seed), steps)
    with TemporaryDirectory() as name:
        folder = Path(name)
        run(folder, "init", "-q", "-b", "main", ".")
        run(folder, "fast-import", "--quiet", stdin="\n".join(history.script) + "\n")
        index_repository(os.fspath(folder / "data"), UID, Source(name, "main"), now_ms=1)
        assert find_owners(folder / "data", history.path) == blame(folder, history.path)


def make_moves(dice: random.Random, steps: int) -> tuple[History, dict[str, int], list[list[str]]]:
    """A history of two files whose lines move to and fro: (it, line -> the step that wrote it, the last texts)."""
    history = History(dice)
    wrote: dict[str, int] = {}
    texts = [[f"{history.fresh()}  # {'long' * 10}".replace("  # ", "_") for _ in range(8)] for _ in range(2)]
    tip = 0
    for _ in range(steps):
        tip = history.commit(texts[0], *([tip] if tip else []), other=texts[1])
        wrote |= {line.strip(): tip for text in texts for line in text if line.strip() not in wrote}
        source, target = dice.choice(texts), dice.choice(texts)
        at = dice.randint(0, max(0, len(source) - 2))
        block = [source.pop(at) for _ in range(min(dice.randint(1, 4), len(source) - at))]
        if dice.random() < 0.3:
            block = ["    " + line for line in block]
        where = dice.randint(0, len(target))
        target[where:where] = block
        if dice.random() < 0.5:
            target.insert(dice.randint(0, len(target)), f"{history.fresh()}_{'long' * 10}")
    tip = history.commit(texts[0], *([tip] if tip else []), other=texts[1])
    wrote |= {line.strip(): tip for text in texts for line in text if line.strip() not in wrote}
    return history, wrote, texts


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 1 << 30), st.integers(1, 8))
def test_lines_that_move_stay_whose_they_were(seed: int, steps: int) -> None:
    history, wrote, texts = make_moves(random.Random(seed), steps)
    with TemporaryDirectory() as name:
        folder = Path(name)
        run(folder, "init", "-q", "-b", "main", ".")
        run(folder, "fast-import", "--quiet", stdin="\n".join(history.script) + "\n")
        index_repository(os.fspath(folder / "data"), UID, Source(name, "main"), now_ms=1)
        names = run(folder, "rev-list", "--reverse", "main").split()
        for path, text in zip((history.path, "other.py"), texts, strict=True):
            if text:
                expected = [names[wrote[line.strip()] - 1] for line in text]
                assert find_owners(folder / "data", path) == expected
