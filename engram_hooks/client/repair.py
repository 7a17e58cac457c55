"""What `engram doctor --fix` does: each repair keeps what it replaces, and says what it did."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from engram_hooks.client import launcher, statusline_script
from engram_hooks.client.doctor import Surroundings
from engram_hooks.client.findings import Finding
from engram_hooks.client.setup import WINDOWS
from engram_hooks.client.store_check import is_damage, read_mode
from engram_hooks.curate.jobs import run_jobs
from engram_hooks.errors import StoreDamaged, StoreError
from engram_hooks.paths import store_path
from engram_hooks.sessions import spool
from engram_hooks.store import backup, check, indexes, trouble
from engram_hooks.store.create import ensure_store
from engram_hooks.store.jobs import retry_failed

JOBS_MS = 20_000


@dataclass(frozen=True, slots=True)
class Repair:
    """One repair: the slugs it answers, and what does it and says so."""

    slugs: frozenset[str]
    run: Callable[[Surroundings], Iterator[str]]


def repair(around: Surroundings, findings: list[Finding]) -> list[str]:
    """Repair what can be repaired of the findings; returns what was done, one sentence each.

    Nothing is deleted: a damaged store is set aside, a replaced one backed up. Raises `EngramError`.
    """
    slugs = {finding.slug for finding in findings}
    return [sentence for step in REPAIRS if step.slugs & slugs for sentence in step.run(around)]


def _renew_launcher(around: Surroundings) -> Iterator[str]:
    if launcher.write_launcher(around.data, windows=WINDOWS):
        yield f"wrote the launcher {launcher.launcher_path(around.data, windows=WINDOWS)}"
    if statusline_script.install(around.data, windows=WINDOWS):
        yield "wrote the status-line script"
    launcher.compile_package()


def _close_files(around: Surroundings) -> Iterator[str]:
    data, config = around.data, around.config_folder
    folders = [data, data / "spool", data / "ready", data / "backups"]
    files = [Path(store_path(str(data))), *sorted((data / "backups").glob("*.db")), config / "config.toml"]
    for path in [*folders, *files]:
        if read_mode(path) & 0o077:
            path.chmod(0o700 if path.is_dir() else 0o600)
            yield f"closed {path} to other users"


def _mend_store(around: Surroundings) -> Iterator[str]:
    data = str(around.data)
    try:
        db = ensure_store(data, now_ms=around.now_ms)
    except StoreDamaged:
        yield from _replace_store(around)
        return
    try:
        faults = check.check_store(db)
        if faults and not is_damage(faults):
            count = indexes.rebuild_indexes(db)
            yield f"made the full text anew ({count} rows)"
    finally:
        db.close()
    if is_damage(faults):
        yield from _replace_store(around)


def _replace_store(around: Surroundings) -> Iterator[str]:
    """Set a damaged store aside and put the newest sound backup, or an empty store, in its place."""
    data = str(around.data)
    yield f"set the damaged store aside as {backup.set_aside(data, now_ms=around.now_ms)}"
    for found in backup.list_backups(data):
        try:
            backup.restore(data, found.path, now_ms=around.now_ms)
        except StoreError as error:
            yield f"passed over the backup {found.path}: {error.message}"
            continue
        ensure_store(data, now_ms=around.now_ms).close()
        yield f"restored the backup {found.path}"
        return
    ensure_store(data, now_ms=around.now_ms).close()
    yield "made an empty store, since there is no backup that can be used"


def _catch_up(around: Surroundings) -> Iterator[str]:
    """Do what hooks left behind. The counter of failures starts again."""
    data = str(around.data)
    db = ensure_store(data, now_ms=around.now_ms)
    try:
        drained = spool.drain(db, data, around.environ)
        retry_failed(db, now_ms=around.now_ms)
        until = time.monotonic() + JOBS_MS / 1000
        done = run_jobs(db, data, around.environ, until=until, settle=False)
    finally:
        db.close()
    if drained:
        yield f"took {drained} {'event' if drained == 1 else 'events'} out of the spool"
    if done:
        yield f"did {done} pending {'job' if done == 1 else 'jobs'}"
    if trouble.count_failures(data):
        yield "started the count of hook failures again"
    trouble.clear(data)


REPAIRS = (
    Repair(frozenset({"launcher-missing", "launcher-outdated", "hook-failed"}), _renew_launcher),
    Repair(frozenset({"store-permissions"}), _close_files),
    Repair(
        frozenset({"store-damaged", "store-inconsistent", "store-missing", "store-outdated"}), _mend_store
    ),
    Repair(frozenset({"spool-backlog", "hook-failures", "jobs-pending", "jobs-failing"}), _catch_up),
)
