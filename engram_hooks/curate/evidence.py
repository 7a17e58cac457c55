"""What a record rests on: given by a person, found in its words, and shown as a tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from sqlite3 import Connection
from typing import TYPE_CHECKING, Any

from engram_hooks.curate.anchor_checks import path_of
from engram_hooks.curate.anchors import find_anchors, list_words
from engram_hooks.curate.mentions import Mention, read_ref
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.history.snapshot import Snapshot
from engram_hooks.paths import find_place, home_dir
from engram_hooks.store import anchors, log_search, lookup, records
from engram_hooks.store.anchors import COMMIT, GIVEN, GONE, LINES, NEW, SYMBOL, THERE, WAIVED, Anchor

if TYPE_CHECKING:
    from engram_hooks.curate.sighting import Repository
    from engram_hooks.memory import Engram
    from engram_hooks.store.anchors import Anchored

_HINT = "a commit, path, path:12-20 or path#symbol of this repository, or an address"


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


def find_given(memory: Engram, refs: Iterable[str]) -> list[Anchor]:
    """The anchors that a person names. Raises `UsageError` for one that neither the commits nor the index have."""
    with _open(memory) as repository:
        return [_find_one(memory, repository, ref) for ref in refs]


def attach(db: Connection, record_id: int, found: Sequence[Anchor], *, now_ms: int) -> None:
    """Let a record rest on what a person named. The caller holds the transaction."""
    for anchor in found:
        kind = "commit" if anchor.kind == COMMIT else "file"
        records.add_evidence(db, record_id, kind, anchor.ref, now_ms=now_ms)
    anchors.add_anchors(db, record_id, found, now_ms=now_ms)


def anchor_now(memory: Engram, record: Anchored, *, now_ms: int) -> None:
    """Find what a new record speaks of while it is there; where git cannot be asked that is left to the worker."""
    from engram_hooks.curate.staleness import anchor_records

    try:
        with _open(memory) as repository:
            anchor_records(memory.db, repository, [record], now_ms=now_ms)
    except EngramError:
        return


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


def _find_one(memory: Engram, repository: Repository, ref: str) -> Anchor:
    mention = read_ref(ref)
    if mention is None:
        raise UsageError(f"{ref[:80]!r} names nothing that can be evidence", hint=_HINT)
    mention = _from_here(memory, mention)
    anchor = _look_up(repository, mention, memory.branch)
    if anchor is None and mention.kind != COMMIT:
        anchor = _find_uncommitted(memory, repository, mention)
    if anchor is None:
        raise UsageError(f"there is no {ref[:80]} in this repository's commits or index", hint=_HINT)
    return anchor


def _look_up(repository: Repository, mention: Mention, branch: str) -> Anchor | None:
    sight = repository.sight_of(branch)
    mentions = [(GIVEN, mention)]
    full, marks = repository.name_commits([mention.name] if mention.kind == COMMIT else [])
    sight = replace(sight, texts=repository.read(list_words(mentions, sight)), commits=full, marks=marks)
    made = find_anchors(mentions, sight)
    is_exact = bool(made) and (made[0].kind == mention.kind or mention.kind not in (LINES, SYMBOL))
    return made[0] if is_exact else None


def _find_uncommitted(memory: Engram, repository: Repository, mention: Mention) -> Anchor | None:
    """A file that HEAD or the index has and the mainline has not: it counts from the moment it is there."""
    from engram_hooks.history.tree import read_texts
    from engram_hooks.history.worktree import find_indexed

    blob = find_indexed(memory.root, mention.name, environ=memory.environ)
    if not blob:
        return None
    view = Snapshot(memory.root, ())
    view.hold({mention.name: blob})
    texts = {
        name: text
        for name, text in read_texts(memory.root, [blob], environ=memory.environ)
        if text is not None
    }
    sight = replace(repository.sight_of(""), views=(view,), texts=texts)
    made = find_anchors([(GIVEN, mention)], sight)
    return replace(made[0], state=NEW) if made and (made[0].kind == mention.kind) else None


@contextmanager
def _open(memory: Engram) -> Iterator[Repository]:
    """The repository here. Raises `EngramError` where there is none that has a commit."""
    from engram_hooks.curate.mainline import read_here
    from engram_hooks.curate.sighting import open_repository

    project_id = memory.project_id or 0
    is_git = find_place(memory.root, home_dir(memory.environ))[0] == "git"
    line = read_here(memory.db, project_id, memory.root, memory.environ) if is_git else None
    if line is None:
        raise EngramError("there is no git repository with a commit here", hint="cd into one")
    with open_repository(
        *(memory.db, memory.data, project_id, line),
        environ=memory.environ,
        since={},
        branch=memory.branch,
    ) as repository:
        yield repository


def _from_here(memory: Engram, mention: Mention) -> Mention:
    """A path that was typed in a folder of the checkout, from the top of it."""
    from engram_hooks.history.places import locate

    if mention.kind == COMMIT:
        return mention
    path = locate(mention.name, cwd=memory.cwd, root=memory.root, home=home_dir(memory.environ))
    return mention._replace(name=path + ("/" if mention.name.endswith("/") else ""))
