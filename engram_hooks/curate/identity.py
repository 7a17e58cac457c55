"""From a provisional project to the real one: what git says decides, all known keys are remembered."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engram_hooks.history import identity
from engram_hooks.history.git import GitError
from engram_hooks.paths import find_place
from engram_hooks.store import audit, merging, meta, places, projects
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from sqlite3 import Connection

    from engram_hooks.history.identity import Facts


@dataclass(frozen=True, slots=True)
class Known:
    """A project as a candidate: its root commits, where its checkouts come from, which of them exist."""

    project_id: int
    roots: frozenset[str]
    origins: frozenset[str]
    has_checkout: bool


def resolve_place(db: Connection, place_key: str, *, now_ms: int) -> int | None:
    """The project that a place belongs to, asking git where that is not settled yet; None for an unknown place.

    A provisional project is merged into the real one, or becomes it. Where git cannot say (it is missing,
    refuses the folder, or there is no commit yet) the place stays provisional, to be asked again. Raises a
    `StoreError`.
    """
    place = projects.read_place(db, place_key)
    if place is None or place.is_resolved or place.kind != "git":
        return place.project_id if place else None
    try:
        facts = identity.read_facts(_folder_of(place))
    except GitError:
        return place.project_id
    if not facts.roots and not facts.is_shallow:
        return place.project_id
    fresh = _read_origins(db, facts, place.project_id)
    with Transaction(db):
        place = projects.read_place(db, place_key)
        if place is None or place.is_resolved:
            return place.project_id if place else None
        for (project_id, git_dir), origin_hash in fresh.items():
            projects.set_origin(db, project_id, git_dir, origin_hash)
        return _settle(db, place, facts, now_ms=now_ms)


def is_same(facts: Facts, known: Known) -> bool:
    """Whether a repository is a checkout of a known project.

    Yes with the same origin, unless both know their root commits and share none. Without any origin only
    where it is the same repository moved: equal roots, and no other checkout exists any more. Copies of a
    starter template share roots, so these alone decide nothing.
    """
    if facts.origin_hash and facts.origin_hash in known.origins:
        return facts.is_shallow or not known.roots or not known.roots.isdisjoint(facts.roots)
    if facts.is_shallow or facts.origin_hash or known.origins:
        return False
    return not known.has_checkout and known.roots == frozenset(facts.roots)


def name_place(db: Connection, directory: str, names: dict[str, str], *, home: str, now_ms: int) -> list[str]:
    """Apply the names that a checkout's settings give it; returns those that wait for trust.

    `names`: folder (at or above the directory, within the checkout) -> project name, '' where its settings
    give none. A name nobody has yet is the project's own; that of an existing project is joined only after
    `trust_name`. Raises a `StoreError`.
    """
    kind, root, place_key = find_place(directory, home)
    if kind == "none":
        return []
    waiting = []
    with Transaction(db):
        project_id = places.add_provisional(
            db, kind=kind, root=root, key=place_key, name=os.path.basename(root), now_ms=now_ms
        )
        for folder, given in names.items():
            key, name = places.named_key(place_key, folder, root), places.clean_name(given)
            target = _find_target(db, key, name, project_id if folder == root else None, now_ms=now_ms)
            if target is None:
                projects.drop_place(db, key)
                waiting += [name] if name else []
            else:
                place = projects.Place(key, target, "name", folder, is_resolved=True)
                projects.put_place(db, place, now_ms=now_ms)
    return waiting


def trust_name(db: Connection, directory: str, folder: str, name: str, *, home: str, now_ms: int = 0) -> bool:
    """Let the settings in `folder` join the existing project `name`; whether the directory is in a project.

    Takes effect with the next `name_place`.
    """
    kind, root, place_key = find_place(directory, home)
    if kind == "none":
        return False
    key = places.named_key(place_key, os.path.realpath(folder), root)
    with Transaction(db):
        meta.set_fact(db, f"trust:{key}", places.clean_name(name))
        after = {"folder": folder, "name": places.clean_name(name)}
        audit.add_entry(db, None, "trust project", actor="person", now_ms=now_ms, after=after)
    return True


def _find_target(db: Connection, key: str, name: str, own_id: int | None, *, now_ms: int) -> int | None:
    """The project that a name in the settings leads to, None where there is no name or no trust."""
    if not name:
        return None
    taken = [*projects.projects_with_key(db, "name", name), *projects.projects_with_key(db, "claim", name)]
    current = places.project_of(db, key)
    for candidate in (own_id, current[0] if current else None):
        if candidate in taken:
            return candidate
    if taken:
        return taken[0] if meta.get_fact(db, f"trust:{key}") == name else None
    target = (
        own_id if own_id is not None else places.add_project(db, name, is_provisional=False, now_ms=now_ms)
    )
    places.add_key(db, "claim", name, target)
    return target


def _folder_of(place: projects.Place) -> str:
    """Where git is asked: the checkout, or its git folder where the checkout is gone or another one's now."""
    if os.path.isdir(place.root) and find_place(place.root, "")[2] == place.key:
        return place.root
    return place.key


def _candidates(db: Connection, facts: Facts, own_id: int) -> list[int]:
    found = dict.fromkeys(projects.projects_with_origin(db, facts.origin_hash) if facts.origin_hash else [])
    for commit in facts.roots:
        found |= dict.fromkeys(projects.projects_with_key(db, "root", commit))
    return [project_id for project_id in found if project_id != own_id]


def _read_origins(db: Connection, facts: Facts, own_id: int) -> dict[tuple[int, str], str]:
    """Where the existing checkouts of the candidates come from today: remotes are added and change."""
    fresh = {}
    for project_id in _candidates(db, facts, own_id):
        for kind, git_dir in projects.keys_of(db, project_id):
            if kind == "git_dir" and os.path.isdir(git_dir):
                try:
                    origin = identity.read_origin(git_dir)
                except GitError:
                    continue
                fresh[project_id, git_dir] = identity.hash_origin(origin) if origin else ""
    return fresh


def _describe(db: Connection, project_id: int) -> Known:
    keys = projects.keys_of(db, project_id)
    return Known(
        project_id=project_id,
        roots=frozenset(value for kind, value in keys if kind == "root"),
        origins=frozenset(value[:32] for kind, value in keys if kind == "origin"),
        has_checkout=any(kind == "git_dir" and os.path.isdir(value) for kind, value in keys),
    )


def _settle(db: Connection, place: projects.Place, facts: Facts, *, now_ms: int) -> int:
    """Give the place its project; the caller holds the transaction."""
    own_id = place.project_id
    target = own_id
    if projects.is_provisional(db, own_id):
        known = (_describe(db, project_id) for project_id in sorted(_candidates(db, facts, own_id)))
        target = next((one.project_id for one in known if is_same(facts, one)), own_id)
    if target != own_id:
        merging.merge_projects(db, own_id, target, now_ms=now_ms, reason="the same repository")
    keys = [("git_dir", place.key), *(("root", commit) for commit in facts.roots)]
    projects.confirm_project(db, target, keys)
    projects.set_origin(db, target, place.key, facts.origin_hash)
    projects.put_place(
        db, projects.Place(place.key, target, "git", place.root, is_resolved=True), now_ms=now_ms
    )
    _adopt_folder(db, place.root, target, now_ms=now_ms)
    return target


def _adopt_folder(db: Connection, root: str, target: int, *, now_ms: int) -> None:
    """A folder that became a repository keeps what was remembered before `git init`."""
    before = projects.read_place(db, root)
    if before is None or before.kind != "dir" or before.project_id == target:
        return
    if len(projects.places_of(db, before.project_id)) == 1:
        merging.merge_projects(db, before.project_id, target, now_ms=now_ms, reason="git init in the folder")
