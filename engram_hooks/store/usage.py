"""What became of what was shown: verdicts, what people said, and how records stand for it in each project."""

from __future__ import annotations

from engram_hooks.store.packing import unpack_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sqlite3 import Connection

    # (id, record, surface, prompt_id, moment in ms, kind, summary, verdict or '')
    Shown = tuple[int, int, str, str, int, str, str, str]
    # (moment in ms, verdict, step)
    Event = tuple[int, str, float]

# older verdicts hardly count any more
MAX_EVENTS = 200
MAX_PROMPTS = 500
MAX_EDITS = 1_000
# a pack serves a whole session: being passed over in eight of them is like being ignored once beside a prompt
PACKS_PER_IGNORED = 8
_IN_VAIN = "ignored", "wrong"


def read_standing(db: Connection, project_id: int, record_id: int) -> float:
    """How a record stands in a project as of its last change; 0 where nothing is known."""
    row = db.execute(
        "SELECT standing FROM usage WHERE project_id = ? AND record_id = ?", (project_id, record_id)
    ).fetchone()
    return float(row[0]) if row else 0.0


def write_usage(
    db: Connection, project_id: int, record_id: int, credit: tuple[float, float, float], *, now_ms: int
) -> None:
    """Keep (used, ignored, standing) of a record in a project. The caller holds the transaction."""
    db.execute(
        "INSERT OR REPLACE INTO usage (project_id, record_id, used, ignored, standing, updated_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (project_id, record_id, *credit, now_ms),
    )


def list_shown_items(db: Connection, session_id: int) -> list[Shown]:
    """What a session was shown and that still exists, in order, with its verdict so far."""
    return db.execute(
        "SELECT s.id, s.record_id, s.surface, coalesce(s.prompt_id, ''), s.created_at, r.kind, r.summary,"
        " coalesce(v.verdict, '') FROM shown s JOIN records r ON r.id = s.record_id"
        " LEFT JOIN verdicts v ON v.shown_id = s.id WHERE s.session_id = ? ORDER BY s.id",
        (session_id,),
    ).fetchall()


def list_prompts(db: Connection, session_id: int) -> list[tuple[int, str, str, int]]:
    """(id, prompt_id, text, moment in ms) of a session's latest prompts, in order."""
    rows = db.execute(
        "SELECT id, coalesce(prompt_id, ''), text, created_at FROM prompts WHERE session_id = ?"
        " ORDER BY id DESC LIMIT ?",
        (session_id, MAX_PROMPTS),
    ).fetchall()
    return rows[::-1]


def list_edits_between(
    db: Connection, project_id: int, session_id: int, *, since_ms: int, until_ms: int
) -> list[tuple[str, str]]:
    """(path, lines that came) of what a session's tools changed from one moment to before another, in order."""
    rows = db.execute(
        "SELECT path, added FROM (SELECT id, session_id, path, added, created_at FROM edits WHERE project_id = ?"
        " ORDER BY id DESC LIMIT ?) WHERE session_id = ? AND created_at >= ? AND created_at < ? ORDER BY id",
        (project_id, MAX_EDITS, session_id, since_ms, until_ms),
    ).fetchall()
    return [(path, unpack_text(added)) for path, added in rows]


def read_state(db: Connection, session_id: int) -> tuple[int, bool, bool]:
    """(project, whether a turn is under way, whether the client left the session)."""
    row = db.execute(
        "SELECT project_id, is_running, ended_at FROM sessions WHERE id = ?", (session_id,)
    ).fetchone()
    return row[0], bool(row[1]), row[2] is not None


def count_turns(db: Connection) -> int:
    """About how many turns the log holds, of all projects."""
    row = db.execute(
        "SELECT (SELECT count(*) FROM prompts), (SELECT coalesce(max(id), 0) FROM log)"
    ).fetchone()
    return max(int(row[0]), int(row[1]) // 20)


def judged_from(db: Connection, session_id: int) -> int:
    """The log row that the last judged turn of a session begins with, 0 for none."""
    row = db.execute("SELECT log_id FROM judged WHERE session_id = ?", (session_id,)).fetchone()
    return int(row[0]) if row else 0


def set_judged(db: Connection, session_id: int, log_id: int) -> None:
    """Note the log row that the last judged turn begins with. The caller holds the transaction."""
    db.execute("INSERT OR REPLACE INTO judged (session_id, log_id) VALUES (?, ?)", (session_id, log_id))


def put_verdict(
    db: Connection, shown_id: int, record_id: int, found: tuple[str, float, str], *, now_ms: int
) -> None:
    """Keep (verdict, step, reason) on something shown, in place of an earlier one. The caller holds the transaction."""
    db.execute(
        "INSERT OR REPLACE INTO verdicts (shown_id, record_id, verdict, step, reason, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (shown_id, record_id, *found, now_ms),
    )
    is_used = {"used": 1, "ignored": 0, "wrong": 0}.get(found[0])
    db.execute("UPDATE shown SET is_used = ? WHERE id = ?", (is_used, shown_id))


def add_feedback(
    db: Connection, project_id: int, record_id: int, *, verdict: str, actor: str, reason: str, now_ms: int
) -> None:
    """Note what somebody said of a record, redacted. The caller holds the transaction."""
    from engram_hooks.guard.redact import redact

    db.execute(
        "INSERT INTO feedback (project_id, record_id, verdict, actor, reason, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (project_id, record_id, verdict, actor, redact(reason), now_ms),
    )


def list_events(db: Connection, project_id: int, record_id: int) -> list[Event]:
    """What is known of a record's use in a project, in the order of time: verdicts, what was said of it, misses.

    What somebody said, and a miss, have step 0. An unused place in a pack is no event.
    """
    rows = db.execute(
        "SELECT * FROM (SELECT s.created_at AS at, v.verdict, v.step FROM verdicts v JOIN shown s ON s.id = v.shown_id"
        " JOIN sessions x ON x.id = s.session_id WHERE v.record_id = ?1 AND x.project_id = ?2"
        " AND v.step <> 0 UNION ALL"
        " SELECT created_at, verdict, 0.0 FROM feedback WHERE record_id = ?1 AND project_id = ?2 UNION ALL"
        " SELECT m.created_at, 'missed', 0.0 FROM misses m JOIN sessions x ON x.id = m.session_id"
        " WHERE m.record_id = ?1 AND x.project_id = ?2)"
        " ORDER BY at DESC LIMIT ?3",
        (record_id, project_id, MAX_EVENTS),
    ).fetchall()
    return rows[::-1]


def forget_usage(db: Connection) -> None:
    """Let every record stand as if nothing were known of its use: for measuring what that changes."""
    db.execute("DELETE FROM usage")


def count_use(db: Connection, item: Shown, verdict: str) -> None:
    """Bring the counts that stand beside a record up to a new verdict on something shown, before it is written.

    The caller holds the transaction.
    """
    _, record_id, surface, _, at_ms, _, _, old = item
    used = (verdict == "used") - (old == "used")
    if surface == "boot":
        ignored = 0
        if verdict == "ignored":
            before = db.execute(
                "SELECT count(*) FROM verdicts v JOIN shown s ON s.id = v.shown_id WHERE v.record_id = ?"
                " AND v.verdict = 'ignored' AND s.surface = 'boot'",
                (record_id,),
            ).fetchone()[0]
            ignored = int(before % PACKS_PER_IGNORED == PACKS_PER_IGNORED - 1)
    else:
        ignored = (verdict in _IN_VAIN) - (old in _IN_VAIN)
    db.execute(
        "UPDATE records SET use_count = max(0, use_count + ?), ignored_count = max(0, ignored_count + ?),"
        " last_used_at = CASE WHEN ? THEN max(coalesce(last_used_at, 0), ?) ELSE last_used_at END WHERE id = ?",
        (used, ignored, used > 0, at_ms, record_id),
    )


def add_miss(db: Connection, session_id: int, record_id: int, *, log_id: int, now_ms: int) -> bool:
    """Note that a user had to say what a record says; whether that is new. The caller holds the transaction."""
    done = db.execute(
        "INSERT OR IGNORE INTO misses (log_id, session_id, record_id, created_at) VALUES (?, ?, ?, ?)",
        (log_id, session_id, record_id, now_ms),
    )
    return done.rowcount == 1
