"""Failed approaches, learned from what tools changed and checks said: read, replayed, held against the files, kept."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from itertools import pairwise
from sqlite3 import Connection

from engram_hooks.errors import StoreError
from engram_hooks.guard.cut import shorten
from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import dumps
from engram_hooks.paths import head_branch
from engram_hooks.sessions import attempts as trials_of
from engram_hooks.sessions.attempts import ABANDONED, DROPPED, OPEN, Attempt, EditEvent, RunEvent
from engram_hooks.sessions.changed import Change, is_telling
from engram_hooks.store import attempts, index_changes, projects, sessions, trials
from engram_hooks.store.index_files import open_index
from engram_hooks.store.packing import pack_text
from engram_hooks.store.transactions import Transaction
from engram_hooks.terms import index_terms

MAX_FILE_BYTES = 4 << 20
MAX_INTENT_CHARS = 300
MAX_SYMBOLS = 12


def learn(db: Connection, project_id: int, *, now_ms: int) -> int:
    """Bring the approaches of a project up to what was recorded; returns how many are known of its checkouts."""
    count = 0
    for root in trials.list_roots(db, project_id):
        found = replay_checkout(db, project_id, root, now_ms=now_ms)
        with Transaction(db):
            for attempt in join_equal(found):
                _keep(db, project_id, root, attempt)
        count += len(found)
    with Transaction(db):
        trials.prune(db, project_id, now_ms=now_ms)
    return count


def replay_checkout(db: Connection, project_id: int, root: str, *, now_ms: int) -> list[Attempt]:
    """The approaches of one checkout, decided by the events and by the files as they are now."""
    edits = [EditEvent(*row) for row in trials.list_edits(db, project_id, root, now_ms=now_ms)]
    runs = [
        RunEvent(*row[:5], tuple(row[5]), row[6], tuple(tuple(fault) for fault in row[7]), *row[8:])
        for row in trials.list_runs(db, project_id, root, now_ms=now_ms)
    ]
    found, live = trials_of.replay_all(edits, runs)
    branch = head_branch(root)
    _note_vanished(db, project_id, root, [edit for edit in live if edit.branch == branch], now_ms=now_ms)
    for attempt in found:
        if attempt.outcome in {OPEN, ABANDONED} and attempt.run.branch == branch:
            _decide(attempt, root)
    return found


def _note_vanished(
    db: Connection, project_id: int, root: str, live: Sequence[EditEvent], *, now_ms: int
) -> None:
    """Keep as events what took edits back without telling: later checks must not be blamed on them."""
    texts = {path: _read(root, path) for path in {edit.path for edit in live}}
    for path, (removed, added) in trials_of.vanished(live, texts).items():
        last = next(edit for edit in reversed(live) if edit.path == path)
        place = project_id, last.session_id, "", root, last.branch
        with Transaction(db):
            trials.add_edits(db, place, [(path, added, removed)], use_id=f"vanished-{last.id}", now_ms=now_ms)


def follow_renames(db: Connection, data: str, project_id: int) -> None:
    """Keep what was tried on files that have other names in the indexed head by now under those."""
    paths = attempts.list_paths(db, project_id)
    if not paths:
        return
    try:
        index = open_index(data, projects.uid_of(db, project_id))
    except StoreError:
        return
    try:
        renamed = {path: new for path in paths if (new := index_changes.renamed_to(index, path))}
    finally:
        index.close()
    with Transaction(db):
        for path, new in renamed.items():
            attempts.rename_file(db, project_id, path, new)


def join_equal(found: Sequence[Attempt]) -> list[Attempt]:
    """Equal approaches as one: the latest, with the count of all.

    One that was given up stays given up while it is tried again; what was cured in the end is cured.
    """
    groups: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in found:
        groups.setdefault((change_key(attempt.files), attempt.run.fingerprint), []).append(attempt)
    for group in groups.values():
        last = group[-1]
        last.runs = sum(attempt.runs for attempt in group)
        last.cure = next((attempt.cure for attempt in reversed(group) if attempt.cure), [])
        if last.outcome == OPEN and any(attempt.outcome == ABANDONED for attempt in group):
            last.outcome = ABANDONED
    return [group[-1] for group in groups.values()]


def _decide(attempt: Attempt, root: str) -> None:
    """Hold an approach against the files: an open one may be gone, one that was taken back may stand again."""
    texts = {path: _read(root, path) for path in attempt.files}
    gone = trials_of.is_gone(attempt, texts)
    if attempt.outcome == OPEN and gone:
        attempt.outcome = ABANDONED
    elif attempt.outcome == ABANDONED and gone is False:
        attempt.outcome = OPEN


def _read(root: str, path: str) -> str | None:
    name = os.path.join(root, path)
    try:
        if os.path.getsize(name) > MAX_FILE_BYTES:
            return None
        with open(name, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def _keep(db: Connection, project_id: int, root: str, attempt: Attempt) -> None:
    files = attempt.files
    key, fingerprint = change_key(files), attempt.run.fingerprint
    if not files or (
        attempt.outcome == DROPPED and not attempts.is_known(db, project_id, key, fingerprint=fingerprint)
    ):
        return
    values = _describe(db, attempt) | {"project_id": project_id, "root": root, "change_key": key}
    rows = [
        (path, symbols_of(added or removed), trials.pack_lines(removed), trials.pack_lines(added))
        for path, (removed, added) in files.items()
    ]
    attempt_id = attempts.put_attempt(db, values, rows)
    told = " ".join(
        [str(values["intent"]), *(redact(" ".join(fault)) for fault in attempt.run.faults), *files]
    )
    changed = " ".join(line for change in files.values() for lines in change for line in lines)
    attempts.index_text(db, attempt_id, index_terms(f"{told} {redact(changed)}"))


def _describe(db: Connection, attempt: Attempt) -> dict[str, object]:
    """The columns of an approach but for its place."""
    run, first = attempt.run, attempt.edits[0]
    asked = " ".join(sessions.prompt_before(db, first.session_id, first.at).split())
    return {
        "session_id": run.session_id,
        "branch": run.branch,
        "outcome": attempt.outcome,
        "intent": shorten(asked, MAX_INTENT_CHARS),
        "tool": run.tool,
        "kind": run.kind,
        "targets": dumps(list(run.targets)),
        "faults": attempts.pack_faults([redact(part) for part in fault] for fault in run.faults),
        "fingerprint": run.fingerprint,
        "cure": pack_text(redact("\n".join(attempt.cure))),
        "last_edit": attempt.edits[-1].id,
        "last_run": run.id,
        "repeat_count": attempt.runs,
        "created_at": first.at,
        "updated_at": run.at,
    }


def change_key(files: dict[str, Change]) -> str:
    """A key of what was changed: the same lines in the same files, however they are indented."""
    digest = hashlib.sha256()
    for path in sorted(files):
        for sign, lines in zip("-+", files[path], strict=True):
            told = sorted(" ".join(line.split()) for line in lines if is_telling(line))
            digest.update("\0".join([path, sign, *told, ""]).encode("utf-8", "replace"))
    return digest.hexdigest()[:32]


def symbols_of(lines: Sequence[str]) -> list[str]:
    """The names that changed lines declare."""
    names: dict[str, None] = {}
    for line in lines:
        words = line.replace("(", " ( ").replace(":", " ").split()
        for word, following in pairwise(words):
            if word in {"def", "class", "func", "fn", "function", "interface", "struct", "fun", "sub"}:
                names[following.strip("(){}")] = None
    return [name for name in names if name][:MAX_SYMBOLS]
