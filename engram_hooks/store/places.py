"""Which project a directory belongs to: known places, and a provisional project for a new one."""

from __future__ import annotations

import os

from engram_hooks.paths import find_place, home_dir
from engram_hooks.store.jobs import add_job
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

MAX_DEPTH = 40
MAX_NAME_CHARS = 200


def locate(
    db: Connection, directory: str, environ: Mapping[str, str], *, now_ms: int, create: bool
) -> tuple[int | None, str]:
    """The project of a directory and the top of its checkout: (project id, root).

    `ENGRAM_PROJECT` wins, then a name that the repository's settings give (as cold code compiled them),
    then the place. The id is None where there can be no project (the home folder itself; root is '') and,
    without `create`, where the place is not known yet. With `create` an unknown place gets a provisional
    project. Needs write access only for that.
    """
    kind, root, key = find_place(directory, home_dir(environ))
    name = clean_name(environ.get("ENGRAM_PROJECT", ""))
    if name:
        kind, key = "name", f"name:{name}"
    elif kind == "none":
        return None, ""
    else:
        name = clean_name(os.path.basename(root)) or key
        named = _find_named(db, directory, root, key)
        if named is not None:
            return named, root
    known = project_of(db, key)
    if known is not None:
        return known[0], root
    if not create:
        return None, root
    return add_provisional(db, kind=kind, root=root, key=key, name=name, now_ms=now_ms), root


def project_of(db: Connection, key: str) -> tuple[int, bool] | None:
    """(project id, whether its identity is resolved) of a place, None where it is not known."""
    row = db.execute("SELECT project_id, is_resolved FROM places WHERE key = ?", (key,)).fetchone()
    return None if row is None else (int(row[0]), bool(row[1]))


def root_of(db: Connection, key: str) -> str:
    """The checkout of a git place that stands for it: the one it is known by, else its git folder."""
    row = db.execute("SELECT root FROM places WHERE key = ?", (key,)).fetchone()
    return str(row[0]) if row and os.path.isdir(row[0]) else key


def uid_of(db: Connection, project_id: int) -> str:
    """The uid of a project, '' where it is gone."""
    row = db.execute("SELECT uid FROM projects WHERE id = ?", (project_id,)).fetchone()
    return str(row[0]) if row else ""


def add_provisional(db: Connection, *, kind: str, root: str, key: str, name: str, now_ms: int) -> int:
    """Give an unknown place a project of its own and return its id; where another process did, its id.

    `kind` is git, dir or name. A git place stays unresolved and is queued for the worker; the others are
    what they are. A name that is known already joins its project. Raises a `StoreError`.
    """
    with Transaction(db):
        known = project_of(db, key)
        if known is not None:
            return known[0]
        project_id = _named_project(db, name) if kind == "name" else None
        if project_id is None:
            project_id = add_project(db, name, is_provisional=kind == "git", now_ms=now_ms)
        value = name if kind == "name" else key
        add_key(db, {"git": "git_dir"}.get(kind, kind), value, project_id)
        place = (key, project_id, kind, root, int(kind != "git"), now_ms)
        db.execute(
            "INSERT INTO places (key, project_id, kind, root, is_resolved, seen_at) VALUES (?, ?, ?, ?, ?, ?)",
            place,
        )
        if kind == "git":
            add_job(db, "identity", key, project_id=project_id, now_ms=now_ms)
    return project_id


def add_project(db: Connection, name: str, *, is_provisional: bool, now_ms: int) -> int:
    """A new project with a random uid; returns its id. The caller holds the transaction."""
    row = (os.urandom(16).hex(), clean_name(name) or "unnamed", int(is_provisional), now_ms)
    done = db.execute("INSERT INTO projects (uid, name, is_provisional, created_at) VALUES (?, ?, ?, ?)", row)
    return int(done.lastrowid or 0)


def add_key(db: Connection, kind: str, value: str, project_id: int) -> None:
    """Remember something that a project is known by."""
    db.execute("INSERT OR IGNORE INTO project_keys VALUES (?, ?, ?)", (kind, value, project_id))


def clean_name(name: str) -> str:
    """A project's name in one line without invisible ends, at most 200 characters."""
    printable = "".join(char if char.isprintable() else " " for char in name[: 4 * MAX_NAME_CHARS])
    return " ".join(printable.split())[:MAX_NAME_CHARS]


def named_key(key: str, folder: str, root: str) -> str:
    """The key of the place that a `project` setting in `folder` of a checkout makes, for all its worktrees."""
    inside = os.path.relpath(folder, root) if folder != root else ""
    return f"{key}//{inside.replace(os.sep, '/')}"


def _named_project(db: Connection, name: str) -> int | None:
    found = (
        "SELECT project_id FROM project_keys WHERE kind = 'name' AND value = ? ORDER BY project_id LIMIT 1"
    )
    row = db.execute(found, (name,)).fetchone()
    return int(row[0]) if row else None


def _find_named(db: Connection, directory: str, root: str, key: str) -> int | None:
    """The project that the settings in the directory or the nearest folder above it name."""
    here = os.path.realpath(directory)
    keys: list[str] = []
    while len(keys) < MAX_DEPTH and len(here) > len(root):
        keys.append(named_key(key, here, root))
        here = os.path.dirname(here)
    keys.append(named_key(key, root, root))
    marks = ", ".join("?" * len(keys))
    rows = db.execute(f"SELECT key, project_id FROM places WHERE key IN ({marks})", keys)  # noqa: S608 (marks)
    found = dict(rows.fetchall())
    return next((int(found[one]) for one in keys if one in found), None)
