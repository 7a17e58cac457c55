"""Is the store sound and private, is it on a fitting file system, and does work wait or fail?"""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engram_hooks.client.findings import Finding
from engram_hooks.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreMissing,
    StoreNewer,
    StoreOutdated,
)
from engram_hooks.paths import store_path
from engram_hooks.store import backup, health, mounts, projects
from engram_hooks.store.connect import check_header, open_store

if TYPE_CHECKING:
    from sqlite3 import Connection

BUSY_MS = 2000
_DAMAGE = ("the file is damaged", "the store cannot be read")
_SLUGS: tuple[tuple[type[StoreError], str, str], ...] = (
    (StoreMissing, "store-missing", "engram setup"),
    (StoreOutdated, "store-outdated", "engram stats"),
    (StoreNewer, "store-newer", "pip install --upgrade engram-hooks"),
    (StoreDamaged, "store-damaged", "engram doctor --fix"),
    (StoreBusy, "store-busy", "engram doctor"),
    (StoreError, "store-unusable", ""),
)


def check_store_file(data: Path, *, now_ms: int) -> tuple[list[Finding], dict[str, object]]:
    """Findings about the store of a data folder, and what was measured. Creates and changes nothing."""
    path = store_path(str(data))
    shared = mounts.find_shared_type(str(data))
    facts: dict[str, object] = {"path": path, "shared_file_system": shared}
    facts["backups"] = len(backup.list_backups(str(data)))
    try:
        check_header(path)
        db = open_store(path, busy_ms=BUSY_MS)
        try:
            measured = health.read_health(db, now_ms=now_ms)
            alike = _name_alike(db)
        finally:
            db.close()
    except StoreError as error:
        return [name_trouble(error)], facts
    facts.update(measured)
    if locked := [name for name in (str(data), path) if not os.access(name, os.W_OK)]:
        text = f"{locked[0]} cannot be written, so nothing new is kept"
        return [Finding("store-read-only", text, "change its rights, or set ENGRAM_HOME")], facts
    return [*_judge_health(measured, shared), *_judge_projects(alike)], facts


def is_damage(problems: list[str]) -> bool:
    """Whether faults of a store go deeper than a full-text table or a stray row."""
    return any(problem.startswith(_DAMAGE) or problem.endswith(" is missing") for problem in problems)


def name_trouble(error: StoreError) -> Finding:
    """The finding for a store that cannot be opened."""
    for kind, slug, hint in _SLUGS:
        if isinstance(error, kind):
            return Finding(slug, error.message, hint or error.hint)
    raise error


def _judge_health(measured: health.Health, shared: str) -> Iterator[Finding]:
    if measured["problems"]:
        slug = "store-damaged" if is_damage(measured["problems"]) else "store-inconsistent"
        yield Finding(slug, "; ".join(measured["problems"][:3]), "engram doctor --fix")
    if shared and measured["journal_mode"] == "wal":
        text = f"the store lies on {shared} and uses a write-ahead log, which such a file system can break"
        yield Finding("store-journal", text, "engram stats (the next command changes it), or set ENGRAM_HOME")
    elif shared:
        text = f"the store lies on {shared}: it works with a slower journal there"
        yield Finding("store-journal", text, "set ENGRAM_HOME to a local folder")
    elif measured["journal_mode"] != "wal":
        text = f"the journal is {measured['journal_mode']!r}, so that readers and writers wait for each other"
        yield Finding("store-journal", text, "engram stats (the next command changes it)")
    if measured["pending_jobs"]:
        count = measured["pending_jobs"]
        yield Finding("jobs-pending", f"{count} {'job waits' if count == 1 else 'jobs wait'} for the worker")
    if measured["failing_jobs"]:
        text = f"{len(measured['failing_jobs'])} jobs failed, the last: {measured['failing_jobs'][-1]}"
        yield Finding("jobs-failing", text, "engram doctor --fix")


def _name_alike(db: Connection) -> list[tuple[str, str, str]]:
    """Pairs of projects that may be one, as (name, name, reason), with numbers where the names are equal."""
    names = {project.id: project.name for project in projects.list_projects(db)}
    found = []
    for pair in projects.suggest_merges(db):
        first, second = names[pair.first_id], names[pair.second_id]
        if first == second:
            first, second = str(pair.first_id), str(pair.second_id)
        found.append((first, second, pair.reason))
    return found


def _judge_projects(alike: list[tuple[str, str, str]]) -> Iterator[Finding]:
    for first, second, reason in alike:
        hint = f"engram projects merge {shlex.quote(second)} {shlex.quote(first)}, if they are one"
        yield Finding("projects-alike", f"projects {first} and {second}: {reason}", hint)


def check_privacy(data: Path, config_dir: Path) -> list[Finding]:
    """Files and folders of ours that other users of the machine can read."""
    if os.name == "nt":
        return []
    candidates = [data, Path(store_path(str(data))), data / "spool", data / "ready", data / "backups"]
    candidates += sorted((data / "backups").glob("*.db"))
    if config_dir != data:
        candidates.append(config_dir / "config.toml")
    return [
        Finding(
            "store-permissions", f"{path} can be read by other users (mode {mode:04o})", "engram doctor --fix"
        )
        for path in candidates
        if (mode := read_mode(path)) & 0o077
    ]


def read_mode(path: Path) -> int:
    """The permission bits of a file or folder of this user; 0 where it is absent or belongs to somebody else."""
    try:
        found = path.stat()
    except OSError:
        return 0
    return stat.S_IMODE(found.st_mode) if found.st_uid == os.geteuid() else 0
