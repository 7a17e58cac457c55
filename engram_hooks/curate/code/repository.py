"""The index of a project's repository: found, brought up to date, asked.

What reads the history is loaded where it is used: every command loads this module.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from sqlite3 import Connection
from typing import TYPE_CHECKING

from engram_hooks.curate.standing import find_here
from engram_hooks.errors import EngramError, StoreBusy, StoreMissing, StoreNewer, StoreOutdated
from engram_hooks.history import git
from engram_hooks.paths import find_place, home_dir
from engram_hooks.sessions.whereabouts import find_outdated, make_absolute
from engram_hooks.store import index_commits, jobs, places, projects, sessions, settings
from engram_hooks.store.index_files import find_index, has_indexes, index_path, open_index

if TYPE_CHECKING:
    from engram_hooks.curate.code.preflight import Preflight
    from engram_hooks.history.indexing import IndexReport, Progress
    from engram_hooks.history.questions import Story
    from engram_hooks.history.why import WhyAnswer
    from engram_hooks.memory import Engram

JOB_KIND = "index"
_NO_INDEX = "this repository has no index yet"
_HINT = "engram index"


@dataclass(frozen=True, slots=True)
class Repository:
    """A checkout (or bare repository) of a project, and the data folder that holds the project's index."""

    data: str
    project_uid: str
    root: str
    environ: Mapping[str, str]


def find_repository(
    db: Connection, data: str, project_id: int | None, root: str, *, environ: Mapping[str, str]
) -> Repository:
    """The repository at `root`, which belongs to the project. Raises `EngramError` where there is none."""
    if project_id is None or find_place(root, home_dir(environ))[0] != "git":
        raise EngramError(f"there is no git repository at {root or 'this place'}", hint="cd into one")
    return Repository(data, projects.uid_of(db, project_id), root, environ)


def index(repository: Repository, rev: str = "HEAD", *, on_progress: Progress | None = None) -> IndexReport:
    """Bring the index up to a revision; made where there is none. Raises as `indexing.index_repository`."""
    from engram_hooks.history.indexing import Source, index_repository

    source = Source(repository.root, rev, repository.environ)
    return index_repository(
        repository.data,
        repository.project_uid,
        source,
        now_ms=time.time_ns() // 1_000_000,
        on_progress=on_progress,
    )


def open_for_reading(repository: Repository) -> Connection:
    """The index as it is. Raises `EngramError` where there is none that this version can read."""
    try:
        return open_index(repository.data, repository.project_uid)
    except (StoreMissing, StoreOutdated, StoreNewer):
        raise EngramError(_NO_INDEX, hint=_HINT) from None


def open_kept(memory: Engram, repository: Repository) -> Connection:
    """The same, left open for what is asked next: not to be closed."""
    try:
        return memory.indexes.open(repository.data, repository.project_uid)
    except (StoreMissing, StoreOutdated, StoreNewer):
        raise EngramError(_NO_INDEX, hint=_HINT) from None


def index_here(
    memory: Engram,
    repo: str | os.PathLike[str] | None = None,
    rev: str = "HEAD",
    *,
    on_progress: Progress | None = None,
) -> IndexReport:
    """Bring the index of the repository here (or at `repo`) up to a revision; made where there is none.

    Raises `EngramError` outside a repository, `GitError` where git fails or the revision is unknown, `StoreBusy`
    where another process is at it.
    """
    from engram_hooks.curate.ground.staleness import refresh_here

    memory.indexes.close()
    report = index(_repository_of(memory, repo), rev, on_progress=on_progress)
    if repo is None:
        refresh_here(memory)
    return report


def history_here(memory: Engram, file: str | os.PathLike[str], symbol: str | None = None) -> Story:
    """The commits that made a file, or a symbol of it, what it is in the indexed head, newest first.

    The file may be one of another repository. Raises `EngramError` where there is no index, or for what it does not
    know.
    """
    from engram_hooks.history.places import locate
    from engram_hooks.history.questions import tell_story

    here = repository_with(memory, os.fspath(file))
    path = locate(os.fspath(file), cwd=memory.cwd, root=here.root, home=home_dir(memory.environ))
    return tell_story(open_kept(memory, here), path, symbol)


def preflight_here(
    memory: Engram,
    file: str | os.PathLike[str],
    symbol: str | None = None,
    intent: str | None = None,
    *,
    diff: str | None = None,
) -> Preflight:
    """What to know before `file` (as typed here) or a symbol in it is changed; without an index nothing.

    `diff` is a unified diff: then only what it changes is looked at. Lines are those of the work tree, with a
    diff those before it. Raises `EngramError` outside repositories, for an unknown file or symbol.
    """
    from engram_hooks.curate.code.preflight import answer

    return answer(memory, os.fspath(file), symbol=symbol or "", intent=intent or "", diff=diff)


def why_here(memory: Engram, query: str, k: int = 10) -> WhyAnswer:
    """What in the history of the repository here answers a question: at most `k` commits, files and symbols each.

    `query` may be words, a name out of code, a path, an issue or the start of a hash. Raises `UsageError` for a
    question that cannot be one, `EngramError` where there is no index.
    """
    from engram_hooks.curate.code.why import ask

    return ask(memory, _repository_of(memory), query, k=k)


def repository_with(memory: Engram, file: str) -> Repository:
    """The repository that a file as typed belongs to; the one here where it belongs to none. Raises `EngramError`."""
    home = home_dir(memory.environ)
    folder = os.path.dirname(make_absolute(file, cwd=memory.cwd, home=home))
    kind, root, _ = find_place(folder, home)
    return _repository_of(memory, folder if kind == "git" and root != memory.root else None)


def _repository_of(memory: Engram, repo: str | os.PathLike[str] | None = None) -> Repository:
    project_id, root = memory.project_id, memory.root
    if repo is not None:
        now_ms = time.time_ns() // 1_000_000
        folder = os.path.join(memory.cwd, os.fspath(repo))
        project_id, root = find_here(memory.db, folder, memory.environ, now_ms=now_ms)
    return find_repository(memory.db, memory.data, project_id, root, environ=memory.environ)


def refresh(db: Connection, data: str, place_key: str, environ: Mapping[str, str]) -> IndexReport | None:
    """What the job `index` does: bring the index up to the HEAD of the place, where that has moved.

    The first one is made where `index.auto` is set. None where there is none, nothing moved, git cannot say, or
    another process is at it. Raises a `StoreError` where an index cannot be written.
    """
    place = projects.read_place(db, place_key)
    if place is None or place.kind != "git":
        return None
    root = places.root_of(db, place_key)
    repository = Repository(data, projects.uid_of(db, place.project_id), root, environ)
    has_index = os.path.exists(index_path(data, repository.project_uid))
    if not has_index and not settings.read(db, place.project_id, environ)["index.auto"]:
        return None
    try:
        if not has_moved(repository):
            return None
        return index(repository)
    except (git.GitError, StoreBusy):
        return None


def lacks_index(memory: Engram) -> bool:
    """Whether here is a repository that was never indexed."""
    is_repository = find_place(memory.root, home_dir(memory.environ))[0] == "git"
    return is_repository and not find_index(memory.db, memory.data, memory.project_id or 0)


def follow_head(db: Connection, data: str, client_id: str, environ: Mapping[str, str]) -> None:
    """Queue a refresh where a turn of a session has moved its checkout's HEAD. Raises a `StoreError`."""
    session = sessions.find_session(db, client_id)
    if session is None or not has_indexes(data):
        return
    key = find_outdated(db, data, session, environ=environ, may_begin=False)
    if key:
        jobs.add_job(db, JOB_KIND, key, project_id=session[1], now_ms=time.time_ns() // 1_000_000)


def has_moved(repository: Repository) -> bool:
    """Whether the repository's HEAD is not the one that the index stands at. Raises `GitError`."""
    from engram_hooks.history.walk import resolve

    head = resolve(repository.root, environ=repository.environ)
    try:
        db = open_for_reading(repository)
    except EngramError:
        return True
    try:
        return index_commits.read_fact(db, "symbols_head") != head
    finally:
        db.close()
