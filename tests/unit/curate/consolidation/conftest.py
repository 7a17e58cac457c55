"""A store with records, sessions and what was said in them."""

from __future__ import annotations

from sqlite3 import Connection
from typing import Any

import pytest

from engram_hooks.store import log, records, sessions
from tests.conftest import NOW_MS

DAY_MS = 86_400_000


class Kept:
    """A store to put things into: `db` and the data folder, records and sessions of project 1."""

    def __init__(self, db: Connection, data: str) -> None:
        self.db = db
        self.data = data
        self.environ = {"ENGRAM_EMBED": "off"}
        self._lines = 0

    def add(self, summary: str, *, days: float = 0, **fields: Any) -> int:  # Any: columns of a record
        """Keep a record that was made some days ago, by the miner unless `actor` says otherwise."""
        at = int(NOW_MS - days * DAY_MS)
        actor = fields.pop("actor", "miner")
        row = {"kind": "fact", "project_id": 1, "source": "log", "valid_from": at, "created_at": at} | fields
        return records.insert(self.db, row | {"summary": summary}, now_ms=at, actor=actor)

    def say(self, session: str, *lines: tuple[str, str], days: float = 1) -> int:
        """Log (role, text) lines of a session some days ago; returns its id."""
        at = int(NOW_MS - days * DAY_MS)
        found = sessions.add_session(
            self.db, session, project_id=1, root="/shop", branch="main", transcript_path="", now_ms=at
        )
        rows = []
        for role, text in lines:
            self._lines += 1
            rows.append((f"{session}-{self._lines}", role, "", text, at + self._lines))
        log.append_rows(self.db, found[0], rows)
        return found[0]

    def read(self, record_id: int) -> dict[str, Any]:
        """A record as it is now."""
        return records.read(self.db, record_id)

    def dump(self) -> list[str]:
        """All that the store holds, as statements."""
        return list(self.db.iterdump())


@pytest.fixture
def kept(store: Connection, data: str) -> Kept:
    """An empty store."""
    return Kept(store, data)
