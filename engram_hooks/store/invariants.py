"""Rules that always hold: kept with the keys of their globs, so that a path finds its few among thousands."""

from __future__ import annotations

import os

from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import dumps, loads
from engram_hooks.store.settings import is_stale

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from sqlite3 import Connection
    from typing import Any

    from engram_hooks.store.sessions import Session

    # (id, name, text, why, since, severity, enforcement, symbol, globs, file, line)
    Rule = tuple[int, str, str, str, str, str, str, str, list[str], str, int]

FILE = ".engram/invariants.toml"
PRIVATE = ""
_COLUMNS = (
    "r.id, r.name, r.text, r.why, r.since, r.severity, r.enforcement, r.symbol, r.globs, r.file, r.line"
)
_ORDER = " ORDER BY CASE r.severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 ELSE 2 END, r.name, r.id"
_FREE_TEXTS = ("text", "why")


def has_rules(db: Connection, project_id: int) -> bool:
    """Whether a project, or the user everywhere, has rules."""
    row = db.execute("SELECT 1 FROM invariants WHERE project_id IN (?, 0) LIMIT 1", (project_id,)).fetchone()
    return row is not None


def wants_rules(db: Connection, session: Session) -> bool:
    """Whether rules hold somewhere in a session's checkout, or its file of rules was not read as it is now."""
    return has_rules(db, session[1]) or (bool(session[2]) and is_stale(db, os.path.join(session[2], FILE)))


def rules_under(db: Connection, project_id: int, file: str, keys: Sequence[str]) -> list[Rule]:
    """The rules of a file and the private ones that are kept under any of a path's keys, the hardest first.

    Whether a glob of theirs matches the path has yet to be seen.
    """
    marks = ", ".join("?" * len(keys))
    rows = db.execute(
        f"SELECT DISTINCT {_COLUMNS} FROM invariant_keys AS k JOIN invariants AS r ON r.id = k.invariant_id"  # noqa: S608
        f" WHERE k.project_id IN (?, 0) AND k.key IN ({marks}) AND r.file IN (?, '')" + _ORDER,
        (project_id, *keys, file),
    )
    return [_read(row) for row in rows]


def list_rules(db: Connection, project_id: int, file: str) -> list[Rule]:
    """All rules of a file and the private ones, the hardest first."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM invariants AS r WHERE r.project_id IN (?, 0) AND r.file IN (?, '')"  # noqa: S608
        + _ORDER,
        (project_id, file),
    )
    return [_read(row) for row in rows]


def replace_rules(
    db: Connection, project_id: int, file: str, rules: Iterable[Mapping[str, Any]], *, now_ms: int
) -> None:
    """Put the rules that a file holds now in the place of those it held; the caller holds the transaction."""
    delete_rules(db, project_id, file)
    for rule in rules:
        add_rule(db, project_id, file, rule, now_ms=now_ms)


def add_rule(db: Connection, project_id: int, file: str, rule: Mapping[str, Any], *, now_ms: int) -> int:
    """Add a rule, or replace that of its name; returns its id. The caller holds the transaction.

    `rule` has name, text, why, since, severity, enforcement, symbol, line, globs (without braces) and their keys.
    """
    known = db.execute(
        "SELECT id FROM invariants WHERE project_id = ? AND file = ? AND name = ?",
        (project_id, file, rule["name"]),
    ).fetchone()
    if known:
        erase_rule(db, known[0])
    values = {**rule, **{name: redact(str(rule[name])) for name in _FREE_TEXTS}}
    done = db.execute(
        "INSERT INTO invariants (project_id, file, name, line, text, why, since, severity, enforcement, symbol, globs,"
        " created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            project_id,
            file,
            *(
                values[name]
                for name in ("name", "line", "text", "why", "since", "severity", "enforcement", "symbol")
            ),
            dumps(list(rule["globs"])),
            now_ms,
        ),
    )
    rule_id = int(done.lastrowid or 0)
    db.executemany(
        "INSERT OR IGNORE INTO invariant_keys VALUES (?, ?, ?)",
        [(project_id, key, rule_id) for key in rule["keys"]],
    )
    return rule_id


def delete_rules(db: Connection, project_id: int, file: str) -> None:
    """Delete the rules of a file; the caller holds the transaction."""
    db.execute(
        "DELETE FROM invariant_keys WHERE invariant_id IN"
        " (SELECT id FROM invariants WHERE project_id = ? AND file = ?)",
        (project_id, file),
    )
    db.execute("DELETE FROM invariants WHERE project_id = ? AND file = ?", (project_id, file))


def delete_rule(db: Connection, project_id: int, name: str) -> bool:
    """Delete a private rule; whether there was one of that name. The caller holds the transaction."""
    row = db.execute(
        "SELECT id FROM invariants WHERE project_id = ? AND file = '' AND name = ?", (project_id, name)
    ).fetchone()
    if row is None:
        return False
    erase_rule(db, row[0])
    return True


def erase_rule(db: Connection, rule_id: int) -> None:
    """Delete a rule and its keys. The caller holds the transaction."""
    db.execute("DELETE FROM invariant_keys WHERE invariant_id = ?", (rule_id,))
    db.execute("DELETE FROM invariants WHERE id = ?", (rule_id,))


def _read(row: Sequence[Any]) -> Rule:
    globs = loads(row[8])
    return (*row[:8], globs if isinstance(globs, list) else [], *row[9:])
