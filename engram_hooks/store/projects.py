"""Projects for people: the list, looking one up, names, which two may be one; and the keys they are known by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.errors import EngramError
from engram_hooks.store.audit import add_entry
from engram_hooks.store.places import add_key, clean_name
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection


@dataclass(frozen=True, slots=True)
class Project:
    """One project with what belongs to it; moments are ms UTC."""

    id: int
    uid: str
    name: str
    is_provisional: bool
    created_at: int
    roots: tuple[str, ...]
    record_count: int
    session_count: int
    last_at: int


@dataclass(frozen=True, slots=True)
class Place:
    """One row of `places`."""

    key: str
    project_id: int
    kind: str
    root: str
    is_resolved: bool


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two projects that may be one, and why."""

    first_id: int
    second_id: int
    reason: str


def list_projects(db: Connection) -> list[Project]:
    """All projects, the one used last first."""
    rows = db.execute(
        "SELECT p.id, p.uid, p.name, p.is_provisional, p.created_at,"
        " (SELECT group_concat(root, char(10)) FROM (SELECT DISTINCT root FROM places"
        "   WHERE project_id = p.id AND root <> '' ORDER BY seen_at DESC, root)),"
        " (SELECT count(*) FROM records WHERE project_id = p.id AND status IN ('active', 'compacted')),"
        " (SELECT count(*) FROM sessions WHERE project_id = p.id),"
        " max(p.created_at, coalesce((SELECT max(last_at) FROM sessions WHERE project_id = p.id), 0),"
        "   coalesce((SELECT max(updated_at) FROM records WHERE project_id = p.id), 0)) AS last_at"
        " FROM projects p ORDER BY last_at DESC, p.id DESC"
    )
    return [
        Project(
            id=row[0],
            uid=row[1],
            name=row[2],
            is_provisional=bool(row[3]),
            created_at=row[4],
            roots=tuple(row[5].split("\n")) if row[5] else (),
            record_count=row[6],
            session_count=row[7],
            last_at=row[8],
        )
        for row in rows
    ]


def uid_of(db: Connection, project_id: int) -> str:
    """The uid of a project. Raises `EngramError` where it is gone."""
    row = db.execute("SELECT uid FROM projects WHERE id = ?", (project_id,)).fetchone()
    if row is None:
        raise EngramError("the project is gone", hint="engram projects")
    return str(row[0])


def find_project(db: Connection, text: str) -> int:
    """The project a person means by an id, the start of a uid (4 or more digits), a name or a folder.

    Raises `EngramError` where none or several fit.
    """
    projects = list_projects(db)
    word = clean_name(text)
    tests = (
        lambda p: p.name == word,
        lambda p: str(p.id) == word,
        lambda p: word.rstrip("/") in p.roots,
        lambda p: len(word) >= 4 and p.uid.startswith(word.lower()),
        lambda p: p.name.lower() == word.lower(),
    )
    for test in tests:
        found = [project for project in projects if test(project)]
        if len(found) == 1:
            return found[0].id
        if found:
            which = ", ".join(f"{project.id} in {' '.join(project.roots) or '-'}" for project in found)
            raise EngramError(f"{len(found)} projects are called {word}: {which}", hint="use the number")
    raise EngramError(f"there is no project {word}", hint="engram projects list")


def is_name(db: Connection, text: str) -> bool:
    """Whether a project is called exactly this."""
    return db.execute("SELECT 1 FROM projects WHERE name = ?", (clean_name(text),)).fetchone() is not None


def rename_project(db: Connection, project_id: int, name: str, *, now_ms: int = 0) -> None:
    """Give a project another name, by which ENGRAM_PROJECT finds it from now on.

    Raises `EngramError` where the name is empty, another project is found by it, or there is no such project.
    """
    clean = clean_name(name)
    if not clean:
        raise EngramError("a project needs a name", hint="engram projects rename ID NAME")
    with Transaction(db):
        if set(projects_with_key(db, "name", clean)) - {project_id}:
            raise EngramError(f"another project is called {clean}", hint="engram projects merge joins two")
        old = db.execute("SELECT name FROM projects WHERE id = ?", (project_id,)).fetchone()
        if old is None:
            raise EngramError(f"there is no project {project_id}", hint="engram projects list")
        db.execute("UPDATE projects SET name = ? WHERE id = ?", (clean, project_id))
        before, after = {"project": project_id, "name": old[0]}, {"project": project_id, "name": clean}
        add_entry(db, None, "rename project", actor="person", now_ms=now_ms, before=before, after=after)
        add_key(db, "name", clean, project_id)


def suggest_merges(db: Connection) -> list[Suggestion]:
    """Pairs of projects that share their first commit or their origin and are not one project."""
    reasons = (
        ("root", "value", "they share their first commit (copies of one repository, or of one template)"),
        ("origin", "substr(value, 1, 32)", "they come from the same place"),
    )
    found: dict[tuple[int, int], str] = {}
    for kind, value, reason in reasons:
        keys = f"(SELECT project_id, {value} AS v FROM project_keys WHERE kind = ?1)"  # noqa: S608 (own words)
        pairs = f"SELECT DISTINCT a.project_id, b.project_id FROM {keys} a JOIN {keys} b ON a.v = b.v"  # noqa: S608
        for first, second in db.execute(f"{pairs} WHERE a.project_id < b.project_id", (kind,)):
            found.setdefault((first, second), reason)
    return [Suggestion(first, second, reason) for (first, second), reason in sorted(found.items())]


def projects_with_key(db: Connection, kind: str, value: str) -> list[int]:
    """The projects known by exactly this key, oldest first."""
    found = "SELECT project_id FROM project_keys WHERE kind = ? AND value = ? ORDER BY project_id"
    return [int(row[0]) for row in db.execute(found, (kind, value))]


def projects_with_origin(db: Connection, origin_hash: str) -> list[int]:
    """The projects with a checkout that came from this origin, oldest first."""
    found = (
        "SELECT DISTINCT project_id FROM project_keys WHERE kind = 'origin' AND value >= ? AND value < ?"
        " ORDER BY project_id"
    )
    return [int(row[0]) for row in db.execute(found, (origin_hash + " ", origin_hash + "!"))]


def keys_of(db: Connection, project_id: int) -> list[tuple[str, str]]:
    """All (kind, value) that a project is known by."""
    found = "SELECT kind, value FROM project_keys WHERE project_id = ? ORDER BY kind, value"
    return [(str(kind), str(value)) for kind, value in db.execute(found, (project_id,))]


def set_origin(db: Connection, project_id: int, git_dir: str, origin_hash: str) -> None:
    """Remember where one checkout of a project comes from now ('' = from nowhere). The caller holds the transaction."""
    old = [value for kind, value in keys_of(db, project_id) if kind == "origin" and value[33:] == git_dir]
    for value in old:
        db.execute("DELETE FROM project_keys WHERE kind = 'origin' AND value = ?", (value,))
    if origin_hash:
        add_key(db, "origin", f"{origin_hash} {git_dir}", project_id)


def confirm_project(db: Connection, project_id: int, keys: Iterable[tuple[str, str]]) -> None:
    """The project is what it seemed to be: not provisional any more, and known by these keys too."""
    db.execute("UPDATE projects SET is_provisional = 0 WHERE id = ?", (project_id,))
    for kind, value in keys:
        add_key(db, kind, value, project_id)


def is_provisional(db: Connection, project_id: int) -> bool:
    """Whether a project waits for its identity."""
    row = db.execute("SELECT is_provisional FROM projects WHERE id = ?", (project_id,)).fetchone()
    return bool(row and row[0])


def read_place(db: Connection, key: str) -> Place | None:
    """One place, None where it is not known."""
    found = "SELECT key, project_id, kind, root, is_resolved FROM places WHERE key = ?"
    row = db.execute(found, (key,)).fetchone()
    return Place(row[0], row[1], row[2], row[3], bool(row[4])) if row else None


def places_of(db: Connection, project_id: int) -> list[Place]:
    """The places of a project."""
    found = "SELECT key, project_id, kind, root, is_resolved FROM places WHERE project_id = ? ORDER BY key"
    rows = db.execute(found, (project_id,))
    return [Place(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows]


def put_place(db: Connection, place: Place, *, now_ms: int) -> None:
    """Write a place, whatever it was before. The caller holds the transaction."""
    db.execute(
        "INSERT INTO places (key, project_id, kind, root, is_resolved, seen_at) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (key) DO UPDATE SET project_id = excluded.project_id, kind = excluded.kind,"
        " root = excluded.root, is_resolved = excluded.is_resolved, seen_at = excluded.seen_at",
        (place.key, place.project_id, place.kind, place.root, int(place.is_resolved), now_ms),
    )


def drop_place(db: Connection, key: str) -> None:
    """Forget a place; its project stays."""
    db.execute("DELETE FROM places WHERE key = ?", (key,))
