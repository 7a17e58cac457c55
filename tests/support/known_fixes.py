"""What an index knows of fixes and partners, written by hand: those who read it need no more of an index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.store.create import ensure_store
from engram_hooks.store.index_briefs import line_key, pack_keys, pack_lines
from engram_hooks.store.index_create import delete_index, ensure_index
from engram_hooks.store.index_files import index_path, path_key
from engram_hooks.store.places import locate, uid_of
from tests.support.make_repo import Repo

_AT_MS = 1_780_000_000_000


@dataclass(frozen=True, slots=True)
class KnownFixes:
    """The index of a repository: its head's files, and the guards and partners that a test puts in."""

    repo: Repo
    data: str
    path: Path

    def guard(
        self,
        name: str,
        commit: str,
        lines: Sequence[int] = (),
        *,
        gone: Sequence[str] = (),
        intent: str = "bugfix",
        weight: float = 0.8,
    ) -> None:
        """Let lines (from 1) of the head's file rest on a commit, which took the lines `gone` out."""
        texts = self.repo.git("show", f"HEAD:{name}").split("\n")
        packed = pack_lines((line, line_key(texts[line - 1])) for line in lines)
        subject = self.repo.git("log", "-1", "--format=%s", commit)
        with self.open() as db:
            commit_id = _add_commit(db, commit, subject, intent)
            row = (_id_of(db, name), commit_id, weight, packed, pack_keys(map(line_key, gone)))
            db.execute(
                "INSERT INTO guards (file_id, commit_id, weight, lines, gone) VALUES (?, ?, ?, ?, ?)", row
            )

    def partner(
        self,
        name: str,
        other: str,
        *,
        score: float = 0.8,
        commits: tuple[int, int] = (5, 7),
        speaks: bool = True,
        is_hidden: bool = False,
    ) -> None:
        """Let a file change along with another one in some of its commits."""
        with self.open() as db:
            row = (_id_of(db, name), _id_of(db, other), score, *commits, int(is_hidden), int(speaks))
            db.execute(
                "INSERT INTO partners (file_id, other_id, score, support, total, is_hidden, speaks)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """The index, for changes in one transaction."""
        with closing(sqlite3.connect(self.path)) as db, db:
            yield db


def know_fixes(repo: Repo, data: str) -> KnownFixes:
    """Make an index of the repository's head anew that knows of no fix and no partner."""
    with closing(ensure_store(data, now_ms=_AT_MS)) as store:
        project_id, _ = locate(store, str(repo.path), {}, now_ms=_AT_MS, create=True)
        assert project_id is not None
        uid = uid_of(store, project_id)
    delete_index(data, uid)
    names = [name for name in repo.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0") if name]
    with closing(ensure_index(data, uid)) as db:
        rows = [(path_key(name), b"00000000") for name in names]
        db.executemany("INSERT INTO files (path, role, blob) VALUES (?, 'source', ?)", rows)
    return KnownFixes(repo, data, Path(index_path(data, uid)))


def _add_commit(db: sqlite3.Connection, name: str, subject: str, intent: str) -> int:
    """A row of a commit with what the tables want."""
    given: dict[str, object] = {"hash": bytes.fromhex(name), "subject": subject, "intent": intent}
    for _, column, kind, is_wanted, default, is_key in db.execute("PRAGMA table_info(commits)").fetchall():
        if is_wanted and default is None and not is_key and column not in given:
            given[column] = {"INTEGER": _AT_MS if column.endswith("_at") else 1, "TEXT": "", "BLOB": b""}[
                kind
            ]
    columns = ", ".join(given)
    marks = ", ".join("?" * len(given))
    db.execute(f"INSERT OR IGNORE INTO commits ({columns}) VALUES ({marks})", tuple(given.values()))
    (found,) = db.execute("SELECT id FROM commits WHERE hash = ?", (given["hash"],)).fetchone()
    return int(found)


def _id_of(db: sqlite3.Connection, name: str) -> int:
    (found,) = db.execute("SELECT id FROM files WHERE path = ?", (path_key(name),)).fetchone()
    return int(found)
