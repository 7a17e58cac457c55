"""What callers of the facade get back: a memory, a hit, the outcome of adding and importing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from engram_hooks.errors import UsageError
from engram_hooks.recall.fields import ALIASES, KINDS, LETTERS

SCOPES = "project", "global", "branch"


@dataclass(frozen=True, slots=True)
class Record:
    """One memory. Moments are in ms UTC; `id` is the number, `short_id` what people type."""

    id: int
    uid: str
    kind: str
    scope: str
    project_id: int
    branch: str
    paths: tuple[str, ...]
    summary: str
    detail: str
    tags: tuple[str, ...]
    status: str
    status_reason: str
    importance: float
    confidence: float
    valid_from: int
    valid_to: int | None
    created_at: int
    updated_at: int
    superseded_by: int | None
    source: str
    session_id: int | None
    evidence_count: int
    use_count: int
    external_id: str | None

    @property
    def short_id(self) -> str:
        """The letter of the kind and the number, such as `d12`."""
        return short_id(self.kind, self.id)

    def as_dict(self) -> dict[str, Any]:
        """The record for JSON; `id` is the short id."""
        return {**asdict(self), "id": self.short_id, "number": self.id}


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer of `recall`.

    `score` is from 0 to 1, `status` live or superseded, `source` record, log or tool, `at` in ms UTC. A record that
    does not hold any more says `until` when it did (ms UTC) and what it was `replaced_by`; `also` are records that
    say the same (short ids).
    """

    id: str
    score: float
    status: str
    kind: str
    summary: str
    source: str
    why: Mapping[str, Any] = field(default_factory=dict)
    detail: str = ""
    at: int = 0
    number: int = 0
    scope: str = ""
    branch: str = ""
    session: str = ""
    until: int | None = None
    replaced_by: str = ""
    also: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The hit for JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Captured:
    """What became of an addition: the record, whether it is new, what is near to it, what it replaced and why.

    `retired` went with what it replaced; `merged` is what was typed, where `record` says that already; `overtaken_by`
    is a later record that closes one about the past.
    """

    record: Record
    is_new: bool
    near: tuple[Record, ...] = ()
    superseded: Record | None = None
    retired: tuple[Record, ...] = ()
    merged: Record | None = None
    overtaken_by: Record | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """What is known of a record beside itself.

    Its chain of successors, oldest first, its evidence and its changes (rows of the store), the places in the code it
    is anchored to, the (kind, name) of the things that it speaks of, and what it says of them.
    """

    chain: tuple[Record, ...]
    evidence: list[dict[str, Any]]
    changes: list[dict[str, Any]]
    anchors: list[dict[str, Any]] = field(default_factory=list)
    things: list[tuple[str, str]] = field(default_factory=list)
    relations: list[tuple[str, str, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How many rows an import brought in and how many it passed over."""

    added: int
    skipped: int


def from_row(row: Mapping[str, Any]) -> Record:
    """A `Record` from a row of the table: paths and tags as tuples."""
    own = {name: row[name] for name in Record.__slots__}
    own["paths"] = tuple(line for line in row["paths"].split("\n") if line)
    own["tags"] = tuple(row["tags"].split())
    return Record(**own)


def short_id(kind: str, number: int) -> str:
    """The id that people type."""
    return f"{LETTERS.get(kind, 'k')}{number}"


def check_kind(kind: str) -> str:
    """The kind that a name or alias means. Raises `UsageError` for another word."""
    name = kind.strip().lower()
    name = ALIASES.get(name, name)
    if name not in KINDS:
        raise UsageError(
            f"there is no kind {kind[:40]!r}", hint=f"one of: {', '.join(KINDS)} (or {', '.join(ALIASES)})"
        )
    return name


def check_scope(scope: str) -> str:
    """The scope, lower-case. Raises `UsageError` where it is none."""
    name = scope.strip().lower()
    if name not in SCOPES:
        raise UsageError(f"there is no scope {scope[:40]!r}", hint=f"one of: {', '.join(SCOPES)}")
    return name
