"""The preflight of a file: found wherever it is named from, with its lines as they stand in the work tree."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field, replace
from functools import cache
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.curate.code.repository import Repository
from engram_hooks.curate.lessons import Lessons, learn_of
from engram_hooks.curate.standing import find_here
from engram_hooks.errors import EngramError, StoreMissing, StoreNewer, StoreOutdated
from engram_hooks.history.places import locate, spellings
from engram_hooks.history.preflight import Findings, Subject, look
from engram_hooks.history.proposed import read_diff
from engram_hooks.history.questions import hint_files, list_near
from engram_hooks.history.tree import name_blob
from engram_hooks.paths import find_place, home_dir
from engram_hooks.store import index_commits, index_queries, projects

if TYPE_CHECKING:
    from engram_hooks.curate.code.kept_indexes import KeptIndexes
    from engram_hooks.history.preflight import Mapped
    from engram_hooks.memory import Engram

MAX_FILE_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class Standing:
    """What the answer rests on; `is_found`: there is an index. `age_ms`: since it was brought up to date."""

    is_found: bool = False
    head: str = ""
    age_ms: int = 0
    is_shallow: bool = False


@dataclass(frozen=True, slots=True)
class Preflight:
    """What to know before a file is changed; `is_known`: the indexed head has it, and the symbol.

    `near`: where the symbol is unknown, those of the file that are spelt like it.
    """

    path: str
    is_known: bool = False
    near: tuple[str, ...] | None = None
    findings: Findings = field(default_factory=Findings)
    index: Standing = field(default_factory=Standing)
    lessons: Lessons = field(default_factory=Lessons)


def answer(memory: Engram, file: str, *, symbol: str, intent: str, diff: str | None) -> Preflight:
    """The preflight of a file as typed where `memory` stands (see `repository.preflight_here`)."""
    repository, project_id = _find_repository(memory, file)
    path = locate(file, cwd=memory.cwd, root=repository.root, home=home_dir(memory.environ))
    found = _ask_index(memory.indexes, repository, path, symbol=symbol, intent=intent, diff=diff)
    lessons = learn_of(
        memory.db,
        project_id,
        repository.root,
        path,
        symbols=[symbol] if symbol else [],
        pieces=None if diff is None else [(hunk.old, hunk.new) for hunk in read_diff(diff, path)],
        environ=memory.environ,
    )
    return replace(found, lessons=lessons)


def _ask_index(
    indexes: KeptIndexes, repository: Repository, path: str, *, symbol: str, intent: str, diff: str | None
) -> Preflight:
    try:
        db = indexes.open(repository.data, repository.project_uid)
    except (StoreMissing, StoreOutdated, StoreNewer):
        return Preflight(path)
    return _look(indexes, db, repository, path, symbol=symbol, intent=intent, diff=diff)


def _find_repository(memory: Engram, file: str) -> tuple[Repository, int]:
    """The repository that a file belongs to, that of the directory here or another one, and its project."""
    home = home_dir(memory.environ)
    name = os.path.join(home, file[2:]) if file.startswith("~/") and home else file
    folder = os.path.dirname(os.path.normpath(os.path.join(memory.cwd, name)))
    if os.path.isdir(os.path.join(memory.cwd, name)):
        raise EngramError(f"{file} is a folder", hint="name a file in it")
    kind, root, _ = find_place(folder, home)
    if kind != "git":
        raise EngramError(f"{file} is in no git repository", hint="name a file of a repository")
    project_id = memory.project_id
    if project_id is None or (memory.root and root != memory.root):
        project_id, root = find_here(memory.db, folder, memory.environ, now_ms=_now_ms())
    if project_id is None:
        raise EngramError(f"{file} belongs to no project", hint="engram projects")
    uid = projects.uid_of(memory.db, project_id)
    return Repository(memory.data, uid, root, memory.environ), project_id


def _look(
    indexes: KeptIndexes,
    db: Connection,
    repository: Repository,
    path: str,
    *,
    symbol: str,
    intent: str,
    diff: str | None,
) -> Preflight:
    facts = index_commits.read_facts(db)
    head, indexed_at = facts.get("symbols_head", ""), int(facts.get("indexed_at") or 0)
    age_ms = max(0, _now_ms() - indexed_at) if indexed_at else 0
    standing = Standing(True, head, age_ms, bool(facts.get("is_shallow")))
    found = index_queries.find_file(db, spellings(path))
    if found is None or found[1] is None:
        if found is None and not os.path.lexists(os.path.join(repository.root, path)):
            raise EngramError(f"there is no file {path} in the repository", hint=hint_files(db, path))
        return Preflight(path, index=standing)
    file_id, blob = found[0], found[1]
    known = index_queries.list_symbols(db, file_id) if symbol else []
    symbols = index_queries.match_symbols(known, symbol) if symbol else []
    if symbol and not symbols:
        return Preflight(path, index=standing, near=tuple(list_near(symbol, known)))
    subject = Subject(file_id, symbols, intent)
    if diff is not None:
        findings = look(db, subject, hunks=read_diff(diff, path))
    else:
        place = os.path.join(repository.root, path)
        mapped = indexes.compare(place, blob, lambda: _compare(repository, place, blob, hash_chars=len(head)))
        findings = look(db, subject, mapped=mapped)
    return Preflight(path, is_known=True, findings=findings, index=standing)


def _compare(repository: Repository, place: str, blob: bytes, *, hash_chars: int) -> Mapped:
    """How lines of the indexed head are to be found in the work tree; None where the file is as it was."""
    try:
        if os.path.islink(place) or os.path.getsize(place) > MAX_FILE_BYTES:
            return None
        with open(place, "rb") as file:
            data = file.read()
    except OSError:
        return None
    if b"\0" in data[:8000] or name_blob(data, hash_chars).startswith(blob.hex()):
        return None
    return cache(lambda: _map(repository, blob, data))


def _map(repository: Repository, blob: bytes, data: bytes) -> dict[int, int]:
    from engram_hooks.history.remapping import map_lines
    from engram_hooks.history.tree import decode_text, read_texts

    texts = read_texts(repository.root, [blob.hex()], environ=repository.environ)
    old = next((text for _, text in texts), None)
    return map_lines((old or "").split("\n"), decode_text(data).split("\n"))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
