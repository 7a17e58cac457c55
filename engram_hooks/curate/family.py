"""Trees of memories: each with what it replaced and what went into it, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.record import Record, check_kind, short_id
from engram_hooks.recall.fields import KINDS
from engram_hooks.store import family
from engram_hooks.store.records import TOLD

if TYPE_CHECKING:
    from engram_hooks.memory import Engram

MAX_DEPTH = 40
REPLACED, MERGED = "replaced", "merged"


@dataclass(frozen=True, slots=True)
class Node:
    """A record in a tree, with what it replaced or took in beneath it; moments are in ms UTC.

    `how` says what became of it: replaced or merged ('' at the root), `by` whom, for what `reason`, `noted_at` when.
    """

    id: str
    number: int
    kind: str
    summary: str
    status: str
    valid_from: int
    valid_to: int | None
    created_at: int
    how: str = ""
    by: str = ""
    reason: str = ""
    noted_at: int | None = None
    children: tuple[Node, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The tree for JSON."""
        return asdict(self)


def draw_tree(memory: Engram, record: Record) -> Node:
    """The tree that a record stands in, from what holds (or held last) down to what came first."""
    members = {one.id: one for one in family.list_members(memory.db, [record.project_id])}
    top = record.id
    for _ in range(MAX_DEPTH):
        after = members[top].after if top in members else None
        if after is None or after not in members:
            break
        top = after
    if top not in members:  # not accepted: it stands alone
        return _alone(record)
    return _grow(memory, members, [top])[0]


def list_trees(memory: Engram, kind: str, *, limit: int = 0, with_gone: bool = False) -> list[Node]:
    """The trees of one kind in this project and the global layer, newest first.

    Their roots are records that hold; `with_gone` also those that nothing took the place of. Raises `UsageError` for
    an unknown kind.
    """
    kind = check_kind(kind)
    members = {one.id: one for one in family.list_members(memory.db, _projects(memory))}
    roots = [
        one.id
        for one in members.values()
        if one.kind == kind
        and (one.status in TOLD or (with_gone and (one.after is None or one.after not in members)))
    ]
    return _grow(memory, members, roots[: limit or len(roots)])


def count_kinds(memory: Engram) -> list[dict[str, Any]]:
    """Kind by kind how many records hold and how many do not any more, in the order in which a session needs them."""
    counts: dict[str, list[int]] = {}
    for kind, status, number in family.count_kinds(memory.db, _projects(memory)):
        counts.setdefault(kind, [0, 0])[status not in TOLD] += number
    return [
        {"kind": kind, "told": counts[kind][0], "gone": counts[kind][1]} for kind in KINDS if kind in counts
    ]


def _projects(memory: Engram) -> list[int]:
    return list(dict.fromkeys((memory.project_id or 0, 0)))


def _grow(memory: Engram, members: Mapping[int, family.Member], roots: Sequence[int]) -> list[Node]:
    below: dict[int, list[int]] = {}
    for one in members.values():
        if one.after is not None:
            below.setdefault(one.after, []).append(one.id)
    actors = family.read_actors(memory.db, sorted(_reach(below, roots)))

    def grow(number: int, depth: int, *, is_root: bool = False) -> Node:
        one = members[number]
        inner = below.get(number, []) if depth < MAX_DEPTH else []
        by, noted_at = actors.get(number, ("", None)) if one.status not in TOLD else ("", None)
        return Node(
            short_id(one.kind, number),
            number,
            one.kind,
            one.summary,
            one.status,
            one.valid_from,
            one.valid_to,
            one.created_at,
            how="" if is_root else MERGED if one.is_merged else REPLACED,
            by=by,
            reason=one.reason,
            noted_at=noted_at,
            children=tuple(grow(child, depth + 1) for child in inner),
        )

    return [grow(root, 0, is_root=True) for root in roots]


def _reach(below: Mapping[int, Sequence[int]], roots: Iterable[int]) -> set[int]:
    """The records of all these trees."""
    found: set[int] = set()
    edge = list(roots)
    while edge:
        found.update(edge)
        edge = [child for number in edge for child in below.get(number, ()) if child not in found]
    return found


def _alone(record: Record) -> Node:
    return Node(
        record.short_id,
        record.id,
        record.kind,
        record.summary,
        record.status,
        record.valid_from,
        record.valid_to,
        record.created_at,
        reason=record.status_reason,
    )
