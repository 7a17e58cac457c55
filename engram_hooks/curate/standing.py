"""Where a command stands: the project of its directory with its identity settled, or one named."""

from __future__ import annotations

import os
from collections.abc import Mapping
from sqlite3 import Connection

from engram_hooks.curate import identity
from engram_hooks.errors import StoreBusy, StoreReadOnly, UsageError
from engram_hooks.paths import find_place, home_dir
from engram_hooks.store import places, projects


def current_directory() -> str:
    """The working directory. Raises `UsageError` where it was deleted."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UsageError("the directory you are in is gone", hint="cd to an existing one") from None


def find_here(
    db: Connection, directory: str, environ: Mapping[str, str], *, now_ms: int
) -> tuple[int | None, str]:
    """(project id, root) of a directory; a new place is made known, and git is asked where that is due.

    In a store that is busy or can only be read, what is known counts.
    """
    try:
        found, root = places.locate(db, directory, environ, now_ms=now_ms, create=True)
        key = find_place(directory, home_dir(environ))[2]
        place = places.project_of(db, key) if key else None
        if place is not None and not place[1]:
            identity.resolve_place(db, key, now_ms=now_ms)
            found, root = places.locate(db, directory, environ, now_ms=now_ms, create=False)
    except (StoreBusy, StoreReadOnly):
        return places.locate(db, directory, environ, now_ms=now_ms, create=False)
    return found, root


def find_named(db: Connection, name: str, *, now_ms: int, create: bool = False) -> int:
    """The project of a name, an id, the start of a uid or a folder; with `create` a name makes one.

    A name that a project has already makes none, whatever gave it that name. Raises `EngramError` where there
    is none or several fit.
    """
    environ = {"ENGRAM_PROJECT": name}
    found, _ = places.locate(db, "", environ, now_ms=now_ms, create=False)
    if found is None and create and not projects.is_name(db, name):
        found, _ = places.locate(db, "", environ, now_ms=now_ms, create=True)
    return projects.find_project(db, name) if found is None else found
