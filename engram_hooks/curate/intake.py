"""Bringing memories and conversations in from elsewhere, each once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.asking.recollect import IMPORT_MARK
from engram_hooks.curate.capture import join_paths, join_tags, split_text
from engram_hooks.curate.changes.judging import Verdict, find_restatements, judge
from engram_hooks.curate.changes.likeness import open_measure
from engram_hooks.curate.changes.subjects import Measure
from engram_hooks.curate.moments import parse_moment
from engram_hooks.curate.promote import settle
from engram_hooks.curate.record import ImportReport, check_kind
from engram_hooks.errors import UsageError
from engram_hooks.store import log, lookup, records, sessions
from engram_hooks.store.transactions import Transaction

LOG_KINDS = "turn", "log"
ROLES = "user", "assistant", "tool", "result"
_BATCH = 500
# how long other processes may have to wait for an import
MAX_WRITE_S = 0.05


def import_rows(
    db: Connection,
    rows: Iterable[Mapping[str, Any]],
    *,
    find_project: Callable[[str], int],
    now_ms: int,
    environ: Mapping[str, str] | None = None,
) -> ImportReport:
    """Store rows with id, project, session, ts, kind, role, speaker, text (subject, supersedes).

    Kinds `turn` and `log` go to the log, the others become records; a project and id that are known
    already are passed over. `find_project` gives the number of a project's name ('' is the one here).
    Raises `UsageError` for a row that cannot be read; the batches before it stay.
    """
    added = count = 0
    projects: dict[str, int] = {}
    batch: list[tuple[int, Mapping[str, Any]]] = []
    with open_measure(environ) as measure:
        for count, row in enumerate(rows, 1):
            if (
                not isinstance(row, Mapping)
                or not str(row.get("text") or "").strip()
                or row.get("id") is None
            ):
                raise UsageError(
                    f"row {count} has no id or no text", hint='a row is {"id": ..., "text": ...}'
                )
            name = str(row.get("project") or "")
            if name not in projects:
                projects[name] = find_project(name)
            batch.append((projects[name], row))
            if len(batch) == _BATCH:
                added += _import_batch(db, batch, now_ms=now_ms, measure=measure)
                batch = []
        added += _import_batch(db, batch, now_ms=now_ms, measure=measure)
    return ImportReport(added=added, skipped=count - added)


def _import_batch(
    db: Connection, batch: Sequence[tuple[int, Mapping[str, Any]]], *, now_ms: int, measure: Measure | None
) -> int:
    """Store the rows of a batch in short transactions; returns how many were new."""
    added = at = 0
    while at < len(batch):
        until = time.monotonic() + MAX_WRITE_S
        with Transaction(db):
            while at < len(batch):
                project_id, row = batch[at]
                added += _import_row(db, row, project_id, now_ms=now_ms, measure=measure)
                at += 1
                if time.monotonic() > until:
                    break
    return added


def _import_row(
    db: Connection, row: Mapping[str, Any], project_id: int, *, now_ms: int, measure: Measure | None
) -> bool:
    kind = str(row.get("kind") or "note").lower()
    at_ms = parse_moment(row["ts"]) if row.get("ts") is not None else now_ms
    if kind in LOG_KINDS:
        return _import_line(db, row, project_id, at_ms)
    return _import_record(db, row, project_id, (check_kind(kind), at_ms, now_ms), measure=measure)


def _import_line(db: Connection, row: Mapping[str, Any], project_id: int, at_ms: int) -> bool:
    session = sessions.add_session(
        db,
        f"{IMPORT_MARK}{project_id}:{row.get('session') or 'import'}",
        project_id=project_id,
        root="",
        branch="",
        transcript_path="",
        now_ms=at_ms,
    )
    role = str(row.get("role") or "user")
    speaker = str(row.get("speaker") or "").strip()
    text = str(row["text"])
    if speaker and speaker.lower() not in ROLES:
        text = f"{speaker}: {text}"
    uuid = f"{IMPORT_MARK}{project_id}:{row['id']}"
    line = (uuid, role if role in ROLES else "user", "", text, at_ms)
    return log.append_rows(db, session[0], [line]) > 0


def _import_record(
    db: Connection,
    row: Mapping[str, Any],
    project_id: int,
    what: tuple[str, int, int],
    *,
    measure: Measure | None,
) -> bool:
    kind, at_ms, now_ms = what
    external_id = str(row["id"])
    if lookup.find_external(db, project_id, external_id):
        return False
    fields = _read_fields(row, project_id, kind=kind, at_ms=at_ms)
    replaced = row.get("supersedes")
    old = lookup.find_external(db, project_id, str(replaced)) if replaced is not None else None
    if old:
        verdict = Verdict("supersede", old["id"], find_restatements(db, old), reason="said to replace it")
    else:
        verdict = judge(db, fields, actor="import", now_ms=now_ms, measure=measure)
    record_id = records.insert(db, fields, now_ms=now_ms, actor="import")
    if verdict.action == "discard":  # a row of its own was asked for: it goes into the one that says the same
        verdict = replace(verdict, action="merge")
    if verdict.action != "create":
        settle(db, record_id, verdict, actor="import", now_ms=now_ms)
    return True


def _read_fields(row: Mapping[str, Any], project_id: int, *, kind: str, at_ms: int) -> dict[str, Any]:
    summary, detail = split_text(str(row["text"]), str(row.get("detail") or ""))
    tags = [*(row.get("tags") or ()), *([str(row["subject"])] if row.get("subject") else ())]
    return {
        "external_id": str(row["id"]),
        "kind": kind,
        "project_id": project_id,
        "summary": summary,
        "detail": detail,
        "tags": join_tags(tags),
        "paths": join_paths(row.get("paths") or ()),
        "valid_from": at_ms,
        "created_at": at_ms,
        "source": "import",
    }
