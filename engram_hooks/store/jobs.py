"""The worker's queue: one row per piece of work, leased while somebody does it."""

from __future__ import annotations

from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from sqlite3 import Connection

    # (id, kind, key, project_id, attempt_count)
    Job = tuple[int, str, str, int, int]

LEASE_MS = 120_000
MAX_ATTEMPTS = 5


def add_job(db: Connection, kind: str, key: str, *, project_id: int, now_ms: int) -> None:
    """Queue work; the same kind and key stands in the queue once.

    Who has leased it just now does not own it any more: what he does may come too early for the new work.
    """
    db.execute(
        "INSERT INTO jobs (kind, key, project_id, due_at, created_at) VALUES (?, ?, ?, ?, ?)"
        " ON CONFLICT (kind, key) DO UPDATE SET due_at = excluded.due_at, attempt_count = 0, lease_owner = '',"
        " project_id = excluded.project_id, created_at = excluded.created_at",
        (kind, key, project_id, now_ms, now_ms),
    )


def has_job(db: Connection, kind: str) -> bool:
    """Whether a job of a kind stands in the queue, due or not."""
    return db.execute("SELECT 1 FROM jobs WHERE kind = ? LIMIT 1", (kind,)).fetchone() is not None


def has_due_jobs(db: Connection, *, now_ms: int) -> bool:
    """Whether something waits for a worker."""
    row = db.execute("SELECT 1 FROM jobs WHERE due_at <= ? AND leased_until <= ? LIMIT 1", (now_ms, now_ms))
    return row.fetchone() is not None


def take_job(
    db: Connection, *, owner: str, now_ms: int, project_id: int | None = None, without: Sequence[str] = ()
) -> Job | None:
    """Lease the oldest due job (of one project, where given) of any kind but those of `without`.

    Raises a `StoreError`.
    """
    marks = ", ".join("?" * len(without))
    with Transaction(db):
        row: Job | None = db.execute(
            "UPDATE jobs SET leased_until = ?1 + ?2, lease_owner = ?3, attempt_count = attempt_count + 1 WHERE id ="  # noqa: S608
            " (SELECT id FROM jobs WHERE due_at <= ?1 AND leased_until <= ?1 AND (?4 IS NULL OR project_id = ?4)"
            f" AND kind NOT IN ({marks}) ORDER BY due_at, id LIMIT 1)"
            " RETURNING id, kind, key, project_id, attempt_count",
            (now_ms, LEASE_MS, owner, project_id, *without),
        ).fetchone()
    return row


def leased_keys(db: Connection, kind: str, *, project_id: int) -> list[str]:
    """The keys of a project's jobs of a kind that somebody has taken."""
    rows = db.execute(
        "SELECT key FROM jobs WHERE kind = ? AND project_id = ? AND leased_until > 0 ORDER BY id",
        (kind, project_id),
    )
    return [row[0] for row in rows]


def finish_job(db: Connection, job_id: int, *, owner: str) -> None:
    """Remove a job that was done; where it was queued again meanwhile it stays, free for the next."""
    with Transaction(db):
        db.execute("DELETE FROM jobs WHERE id = ? AND lease_owner = ?", (job_id, owner))
        _free_renewed(db, job_id)


def fail_job(db: Connection, job: Job, error: str, *, owner: str, now_ms: int) -> None:
    """Put a job that failed back, later each time; after `MAX_ATTEMPTS` it is given up (a week's delay).

    One that was queued again meanwhile is due at once.
    """
    wait_ms = 604_800_000 if job[4] >= MAX_ATTEMPTS else 1000 * 4 ** job[4]
    with Transaction(db):
        db.execute(
            "UPDATE jobs SET leased_until = 0, due_at = ?, last_error = ? WHERE id = ? AND lease_owner = ?",
            (now_ms + wait_ms, error[:300], job[0], owner),
        )
        _free_renewed(db, job[0])


def _free_renewed(db: Connection, job_id: int) -> None:
    """End the lease of a job that was queued again while it ran; that of another owner goes on."""
    db.execute("UPDATE jobs SET leased_until = 0 WHERE id = ? AND lease_owner = ''", (job_id,))


def retry_failed(db: Connection, *, now_ms: int) -> int:
    """Make the jobs that failed due now, with all their attempts; returns how many there are."""
    return db.execute(
        "UPDATE jobs SET due_at = ?, attempt_count = 0 WHERE last_error <> '' AND leased_until <= ?",
        (now_ms, now_ms),
    ).rowcount
