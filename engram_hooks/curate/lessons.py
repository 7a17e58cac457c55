"""What a preflight says beside the history: the rules that hold for a file, and what was tried there and given up."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.recall.globs import keys_of
from engram_hooks.recall.rules import names_in, rules_on
from engram_hooks.recall.tried import distinct, summarise
from engram_hooks.sessions.tried import resembling, tried_on_file
from engram_hooks.store import invariants, settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection

    from engram_hooks.recall.rules import Rule
    from engram_hooks.recall.tried import Piece


class TriedHere(NamedTuple):
    """An approach that was given up, in one line."""

    id: int
    summary: str
    outcome: str
    at: int


class Lessons(NamedTuple):
    """The rules of a file, the hardest first, and the approaches given up on it, latest first."""

    rules: tuple[Rule, ...] = ()
    tries: tuple[TriedHere, ...] = ()


def learn_of(
    db: Connection,
    project_id: int,
    root: str,
    path: str,
    *,
    symbols: Sequence[str] = (),
    pieces: Sequence[Piece] | None = None,
    environ: Mapping[str, str],
) -> Lessons:
    """The lessons on a path of the checkout at `root`; of a change (`pieces`) those alone that it touches."""
    knobs = settings.read(db, project_id, environ)
    names = [*symbols, *names_in(line for old, new in pieces or () for line in (*old, *new))]
    rules: list[Rule] = []
    if knobs["invariants.mode"] != "off":
        file = os.path.join(root, invariants.FILE)
        found = invariants.rules_under(db, project_id, file, keys_of(path))
        rules = rules_on(found, path, names if names or pieces is not None else None)
    tries = tried_on_file(db, project_id, path) if knobs["attempts.mode"] != "off" else []
    if pieces is not None:
        tries = [one for _, one in resembling(tries, pieces)]
    told = [TriedHere(one[0][0], summarise(one), one[0][1], one[0][12]) for one in distinct(tries)]
    return Lessons(tuple(rules), tuple(told))
