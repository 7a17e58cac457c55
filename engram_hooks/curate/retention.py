"""The log is kept as long as `log.retention_days` says; the worker looks once a day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.store import meta, retention, settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

DAY_MS = 86_400_000
FACT = "log_pruned_at"


def prune_when_due(db: Connection, environ: Mapping[str, str], *, now_ms: int) -> dict[str, int] | None:
    """Delete conversation beyond the retention, at most once a day.

    Returns how many rows of each table went, None where it is not due or the log is kept for good.
    """
    days = int(settings.read(db, 0, environ)["log.retention_days"])
    last = int(meta.get_fact(db, FACT) or 0)
    if not days or now_ms - last < DAY_MS:
        return None
    done = retention.prune(db, before_ms=now_ms - days * DAY_MS)
    meta.set_fact(db, FACT, str(now_ms))
    return done
