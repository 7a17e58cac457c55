"""What a record rests on: given by a person, found in its words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.curate.ground.anchors import find_anchors, list_words
from engram_hooks.curate.ground.mentions import Mention, read_ref
from engram_hooks.errors import EngramError, UsageError
from engram_hooks.history.snapshot import Snapshot
from engram_hooks.paths import find_place, home_dir
from engram_hooks.store import anchors, records
from engram_hooks.store.anchors import COMMIT, GIVEN, LINES, NEW, SYMBOL, Anchor

if TYPE_CHECKING:
    from engram_hooks.curate.ground.sighting import Repository
    from engram_hooks.memory import Engram
    from engram_hooks.store.anchors import Anchored

_NOT_IN_REVISIONS = " \t\r\n:\0"
_HINT = "a commit (HEAD, v1.2), path, path:12-20 or path#symbol of this repository, or an address"


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
    from engram_hooks.curate.ground.anchoring import anchor_records

    try:
        with _open(memory) as repository:
            anchor_records(memory.db, repository, [record], now_ms=now_ms)
    except EngramError:
        return


def _find_one(memory: Engram, repository: Repository, ref: str) -> Anchor:
    mention = read_ref(ref)
    anchor = None
    if mention is not None:
        mention = _from_here(memory, mention)
        anchor = _look_up(repository, mention, memory.branch)
        if anchor is None and mention.kind != COMMIT:
            anchor = _find_uncommitted(memory, repository, mention)
    if anchor is None and not set(ref) & set(_NOT_IN_REVISIONS):
        anchor = _look_up(repository, Mention(COMMIT, ref), memory.branch)  # HEAD~2, a tag, a branch
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
    from engram_hooks.curate.ground.mainline import read_here
    from engram_hooks.curate.ground.sighting import open_repository

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
