"""The boot pack out of the store: the foremost records and where the last session stopped."""

from __future__ import annotations

import os

from engram_hooks.recall.boot import build_pack, user_line
from engram_hooks.recall.fields import ID, KIND, KINDS, SUMMARY
from engram_hooks.recall.resume import cursor
from engram_hooks.store import boot, log, sessions, tool_events
from engram_hooks.store.settings import stamp_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection

    from engram_hooks.recall.fields import Row
    from engram_hooks.recall.resume import Cursor
    from engram_hooks.store.settings import Value

    CoreBlock = tuple[str, str, int]  # (name, entries one a line, characters that it may have)
    Knobs = Mapping[str, tuple[Value, str]]

PER_KIND = 16
CORE_PACK_CHARS = 6_000
ABOUT_USER = "user", "feedback"
RECENT_SESSIONS = 4
RESUME_ROWS = 60
RESUME_FILES = 6


def pack(
    db: Connection,
    project_id: int,
    *,
    branch: str,
    max_chars: int,
    now_ms: int,
    without_session: int | None = None,
    core: Sequence[CoreBlock] = (),
) -> tuple[str, list[int], str]:
    """(text for the model, ids of its records, line for the user) for a session of the project.

    `without_session` is one that the model has before it, so that it needs no summary; `core` comes first.
    """
    rows = _foremost(db, project_id, branch)
    total = boot.count_told(db, project_id)
    stopped_in, resume = _resume(db, project_id, without_session)
    lines, repeated = _tell_core(core, rows, max_chars // 2) if core else ((), ())
    text, ids = build_pack(
        rows,
        project=boot.project_name(db, project_id),
        branch=branch,
        records=total,
        resume=resume,
        session_id=stopped_in,
        tried=latest_summaries(db, project_id),
        core=lines,
        repeated=repeated,
        max_chars=max_chars,
    )
    line = user_line(
        shown=len(ids),
        records=total,
        chars=len(text),
        last_at=resume["at_ms"] if resume else 0,
        now_at=now_ms,
        open_threads=len(resume["open"]) if resume else 0,
        core=sum(block[1].count("\n") + 1 for block in core) if lines else 0,
    )
    return text, ids, line


def load_core(db: Connection, data: str, knobs: Knobs, *, now_ms: int) -> list[CoreBlock]:
    """The core blocks with what each may have, for `pack`; `knobs` as `settings.trace` gives them.

    A file of a block that a person has changed since is read first.
    """
    blocks = boot.core_texts(db)
    if any(stamp_of(os.path.join(data, "core", f"{row[0].upper()}.md")) != row[2:] for row in blocks):
        from engram_hooks.sessions.core_mirror import settle_quietly

        settle_quietly(db, data, {key: value for key, (value, _) in knobs.items()}, now_ms=now_ms)
        blocks = boot.core_texts(db)
    return [(row[0], row[1], int(knobs[f"core.{row[0]}_chars"][0])) for row in blocks if row[1]]


def room_of(knobs: Knobs, core: Sequence[CoreBlock]) -> int:
    """The characters that a pack may have: more once there is core memory, unless somebody set a number."""
    value, source = knobs["boot.max_chars"]
    return CORE_PACK_CHARS if core and not source else int(value)


def _foremost(db: Connection, project_id: int, branch: str) -> list[Row]:
    """The foremost records of each kind; those of the branch are not crowded out by what was made before."""
    rows = boot.foremost_records(db, project_id, KINDS, per_kind=PER_KIND)
    if branch:
        known = {row[0] for row in rows}
        own = boot.branch_records(db, project_id, branch, limit=PER_KIND)
        rows += [row for row in own if row[0] not in known]
    return rows


def latest_summaries(db: Connection, project_id: int) -> list[tuple[int, str, int]]:
    """(id, summary, moment) of the approaches that were given up last."""
    if not sessions.has_abandoned(db, project_id):
        return []
    from engram_hooks.recall.tried import summarise
    from engram_hooks.sessions.tried import latest_tried

    return [(one[0][0], summarise(one, path=path), one[0][12]) for one, path in latest_tried(db, project_id)]


def _tell_core(core: Sequence[CoreBlock], rows: Sequence[Row], max_chars: int) -> tuple[list[str], list[int]]:
    """(paragraphs of core memory, ids of the records that only repeat one of its entries)."""
    from engram_hooks.recall.core import fold, render_core

    lines, said = render_core(core, max_chars)
    return lines, [row[ID] for row in rows if row[KIND] in ABOUT_USER and fold(row[SUMMARY]) in said]


def _resume(db: Connection, project_id: int, without_session: int | None) -> tuple[int | None, Cursor | None]:
    """Where the last session with a conversation stopped; after a compaction that is this one."""
    for session_id, _, _ in sessions.recent_sessions(db, project_id, limit=RECENT_SESSIONS):
        if session_id == without_session:
            continue
        rows = log.last_rows(db, session_id, limit=RESUME_ROWS)
        if not rows:
            continue
        files = tool_events.touched_files(db, session_id, limit=RESUME_FILES)
        found = cursor(rows, files[::-1], boot.open_candidates(db, project_id, limit=20))
        if found:
            return session_id, found
    return None, None
