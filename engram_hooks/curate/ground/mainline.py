"""The mainline of a project's repository, and the feature branch that work there belongs to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from sqlite3 import Connection

from engram_hooks.curate.capture import UNBOUND_KINDS
from engram_hooks.curate.record import check_kind
from engram_hooks.errors import EngramError, StoreBusy, StoreReadOnly
from engram_hooks.history import git
from engram_hooks.history.refs import SHARED, Refs, find_newest, name_mainline, read_refs
from engram_hooks.paths import find_place, head_branch, home_dir
from engram_hooks.store import meta, places, projects, settings
from engram_hooks.store.transactions import Transaction

MAX_PLACES = 12
_FACT = "mainline:"


@dataclass(frozen=True, slots=True)
class Mainline:
    """Where a project's truth is: the repository, its branches, the mainline's name and the commits at its ends."""

    root: str
    refs: Refs
    name: str
    tips: tuple[str, ...]


def find_mainline(db: Connection, project_id: int, environ: Mapping[str, str]) -> Mainline | None:
    """The mainline of a project; of several clones that with the newest one. None where no repository can say.

    A name that was taken for want of a better one is remembered, so that a switch of branches moves nothing.
    """
    wanted = str(settings.read(db, project_id, environ)["branch.mainline"])
    known = meta.get_fact(db, f"{_FACT}{project_id}") or ""
    found: list[Mainline] = []
    for place in projects.places_of(db, project_id)[:MAX_PLACES]:
        if place.kind != "git":
            continue
        root = places.root_of(db, place.key)
        if not os.path.isdir(root):
            continue
        with suppress(git.GitError):
            found += _read_mainline(root, environ, wanted=wanted, known=known)
    if not found:
        return None
    best = found[0] if len(found) == 1 else max(found, key=lambda line: _read_moment(line, environ))
    if best.name != known:
        with suppress(StoreBusy, StoreReadOnly), Transaction(db):
            meta.set_fact(db, f"{_FACT}{project_id}", best.name)
    return best


def read_here(db: Connection, project_id: int, root: str, environ: Mapping[str, str]) -> Mainline | None:
    """The mainline of the repository at `root`; None where there is no commit. Raises `GitError`."""
    wanted = str(settings.read(db, project_id, environ)["branch.mainline"])
    known = meta.get_fact(db, f"{_FACT}{project_id}") or ""
    found = _read_mainline(root, environ, wanted=wanted, known=known)
    return found[0] if found else None


def find_feature(db: Connection, project_id: int | None, root: str, environ: Mapping[str, str]) -> str:
    """The feature branch that is checked out at `root`: '' on the mainline or another shared line, and where none is.

    In a repository without a commit, or where git cannot be asked, work belongs to no branch.
    """
    branch = head_branch(root) if root else ""
    if not branch or branch in SHARED or not project_id or find_place(root, home_dir(environ))[0] != "git":
        return ""
    wanted = str(settings.read(db, project_id, environ)["branch.mainline"])
    known = meta.get_fact(db, f"{_FACT}{project_id}") or ""
    try:
        refs = read_refs(root, environ=environ)
    except EngramError:
        return ""
    if branch not in refs.heads:
        return ""  # no commit yet, or a format of references that hooks cannot read
    return "" if name_mainline(refs, wanted=wanted, known=known) in ("", branch) else branch


def scope_of(db: Connection, project_id: int, environ: Mapping[str, str], *, kind: str, feature: str) -> str:
    """The scope of what is made here where nobody says one: `branch` on a feature branch, if so set."""
    is_bound = bool(feature) and check_kind(kind) not in UNBOUND_KINDS
    wanted = settings.read(db, project_id, environ)["branch.scope"] if is_bound else "project"
    return "branch" if wanted == "branch" else "project"


def _read_mainline(root: str, environ: Mapping[str, str], *, wanted: str, known: str) -> list[Mainline]:
    """The mainline of one repository, none in one without a commit."""
    refs = read_refs(root, environ=environ)
    name = name_mainline(refs, wanted=wanted, known=known)
    if not name:
        return []
    tips = find_newest(root, refs.tips_of(name), environ=environ)
    return [Mainline(root, refs, name, tuple(sorted(tips)))]


def _read_moment(line: Mainline, environ: Mapping[str, str]) -> int:
    output = git.run(["log", "-1", "--no-walk", "--format=%ct", line.tips[0]], line.root, environ=environ)
    return int(output or 0)
