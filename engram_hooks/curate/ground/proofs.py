"""What a record rests on, as a tree: people, the conversation, commits, files with what is in them, test runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.ground.anchor_checks import path_of
from engram_hooks.store import anchors, log_search, lookup
from engram_hooks.store.anchors import GONE, LINES, NEW, SYMBOL, THERE, WAIVED, Anchor


@dataclass(frozen=True, slots=True)
class Proof:
    """One thing that a record rests on, with what is inside it (lines and symbols of a file).

    `kind` is person, log, file, glob, symbol, lines, commit, test or document; `state` is '' (a thing that does not
    change), there, moved, new (not on the mainline yet), gone or waived (gone, and the record is kept all the same).
    """

    kind: str
    ref: str
    text: str = ""
    state: str = ""
    at_ms: int = 0
    children: tuple[Proof, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The proof for JSON."""
        return asdict(self)


def evidence_of(db: Connection, record_id: int) -> list[Proof]:
    """What a record rests on: people, the conversation, commits, files with what is in them, test runs, documents."""
    rows = lookup.list_evidence(db, record_id)
    held = anchors.read_anchors(db, [record_id])[record_id]
    refs = {anchor.ref for anchor in held}
    found = [_read_row(db, row) for row in rows if row["ref"] not in refs]
    return found + _nest(held, {row["ref"]: row["created_at"] for row in rows})


def _read_row(db: Connection, row: Mapping[str, Any]) -> Proof:
    text = row["detail"]
    at_ms = row["created_at"]
    if row["kind"] == "log":
        line = log_search.find_line(db, row["ref"])
        if line is not None:
            text, at_ms = f"{line['role']}: {line['text']}", line["created_at"]
    return Proof(row["kind"], row["ref"], text, at_ms=at_ms)


def _nest(held: Sequence[Anchor], moments: Mapping[str, int]) -> list[Proof]:
    """Anchors as proofs, lines and symbols inside their file."""
    inside: dict[str, list[Proof]] = {}
    for anchor in held:
        if anchor.kind in (LINES, SYMBOL):
            inside.setdefault(path_of(anchor), []).append(_read_anchor(anchor, moments))
    top = [_read_anchor(one, moments) for one in held if one.kind not in (LINES, SYMBOL)]
    places = {one.place: at for at, one in enumerate(o for o in held if o.kind not in (LINES, SYMBOL))}
    for path, children in inside.items():
        if path in places:
            top[places[path]] = replace(top[places[path]], children=tuple(children))
        else:
            top.append(Proof("file", path, children=tuple(children)))
    return top


def _read_anchor(anchor: Anchor, moments: Mapping[str, int]) -> Proof:
    state, text = anchor.state, anchor.reason
    if state == THERE and anchor.place != anchor.ref:
        state, text = "moved", f"now {anchor.place}"
    elif state == NEW:
        text = "not on the mainline yet"
    elif state in (GONE, WAIVED):
        text = text or "gone"
    return Proof(anchor.kind, anchor.ref, text, state, moments.get(anchor.ref, 0))
