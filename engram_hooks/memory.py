"""The facade `Engram`: one open store, seen from one project; all that commands do goes through it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from sqlite3 import Connection
from types import TracebackType
from typing import Any

from engram_hooks import paths
from engram_hooks.curate import capture, intake, jobs, keeping, review, standing
from engram_hooks.curate.adding import capture_here
from engram_hooks.curate.asking import recollect
from engram_hooks.curate.asking.around import graph_here
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.audit import audit_here
from engram_hooks.curate.code.couplings import cochange_here, inspect_here
from engram_hooks.curate.code.kept_indexes import KeptIndexes
from engram_hooks.curate.code.repository import history_here, index_here, preflight_here, why_here
from engram_hooks.curate.consolidating import consolidate_here, read_report, restore_record, undo_run
from engram_hooks.curate.core.blocks import (
    add_core,
    history_of_core,
    read_core,
    remove_core,
    replace_core,
    take_over_files,
    undo_core,
)
from engram_hooks.curate.figures import collect
from engram_hooks.curate.ground.mainline import find_feature
from engram_hooks.curate.moments import parse_moment
from engram_hooks.curate.record import Hit, ImportReport, Record, from_row
from engram_hooks.errors import EngramError, StoreBusy, StoreReadOnly
from engram_hooks.sessions.pack import load_core, pack, room_of
from engram_hooks.sessions.spool import drain
from engram_hooks.store import boot, lookup, settings, trouble
from engram_hooks.store.create import ensure_store

FINISH_MS = 10_000
_DRAIN_WAIT_MS = 2_000


class Engram:
    """The user's memory as seen from one directory; a context manager.

    `home` is a folder for everything (as `ENGRAM_HOME`), `project` a project's name (a new one makes it),
    `cwd` the directory whose project is meant. Opening creates or upgrades the store and drains what hooks left behind.
    Outside any project `project_id` is None and only the global layer is there. Raises a child of
    `StoreError` where the store cannot be used.
    """

    def __init__(
        self,
        home: str | os.PathLike[str] | None = None,
        project: str | None = None,
        cwd: str | os.PathLike[str] | None = None,
        *,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.environ = dict(os.environ if environ is None else environ)
        if home is not None:
            self.environ["ENGRAM_HOME"] = os.fspath(home)
        self.cwd = os.path.abspath(os.fspath(cwd)) if cwd is not None else standing.current_directory()
        self.data = paths.data_dir(self.environ)
        self.config_dir = paths.config_dir(self.environ)
        self.db: Connection = ensure_store(self.data, now_ms=now())
        self.indexes = KeptIndexes()
        self.project_id: int | None = None
        self.root = ""
        try:
            self._look_around(project)
        except BaseException:
            self.db.close()
            raise

    def __enter__(self) -> Engram:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and what was opened beside it; a second time does nothing."""
        self.indexes.close()
        self.db.close()

    def turn_to(self, project: str) -> None:
        """See the memory from another project. Raises `EngramError` where there is none of that name."""
        self.project_id, self.root = self._find_project(project), ""

    @property
    def branch(self) -> str:
        """The branch that is checked out here, '' where there is none."""
        return paths.head_branch(self.root) if self.root else ""

    @property
    def project_name(self) -> str:
        """The name of the project here, '' outside any."""
        return boot.project_name(self.db, self.project_id) if self.project_id else ""

    def add(
        self,
        summary: str,
        *,
        kind: str = "decision",
        detail: str = "",
        tags: Sequence[str] = (),
        paths: Sequence[str] = (),
        scope: str = "project",
        project: str | None = None,
        valid_from: object = None,
        supersedes: str | None = None,
        evidence: Sequence[str] = (),
    ) -> Record:
        """Keep one memory; text that an active record says already gives that record.

        `valid_from` is a date in any form `parse_moment` reads; `evidence` are commits, paths (`path:12-20`,
        `path#symbol`) and addresses. Raises `UsageError` for an empty summary, an unknown kind or scope, or evidence
        that is not there.
        """
        draft = capture.Draft(
            summary,
            kind=kind,
            detail=detail,
            tags=tags,
            paths=paths,
            scope=scope,
            project_id=self._find_project(project, create=True) or 0,
            branch=self.branch,
            feature="" if project else find_feature(self.db, self.project_id, self.root, self.environ),
            valid_from=None if valid_from is None else parse_moment(valid_from),
            supersedes=supersedes,
            evidence=evidence,
        )
        return self.capture(draft).record

    def import_records(self, rows: Iterable[Mapping[str, Any]]) -> ImportReport:
        """Bring rows in (see `intake.import_rows`); an unknown project name makes a project."""

        def find(name: str) -> int:
            return self._find_project(name, create=True) or 0

        return intake.import_rows(self.db, rows, find_project=find, now_ms=now(), environ=self.environ)

    def recall(
        self,
        query: str,
        *,
        k: int = 5,
        mode: str = "facts",
        as_of: object = None,
        project: str | None = None,
        explain: bool = False,
    ) -> list[Hit]:
        """At most `k` answers, best first.

        mode "facts": records true now, or at the date `as_of`; "search": records, log and tool events, each
        text once; "hook": what would be put beside a prompt with this text. Raises `UsageError` for another
        mode, `EngramError` for an unknown project.
        """
        question = self.question(query, k=k, as_of=as_of, project=project, explain=explain)
        return recollect.answer(self.db, question, mode)

    def question(
        self,
        query: str,
        *,
        k: int = 5,
        as_of: object = None,
        project: str | None = None,
        explain: bool = False,
    ) -> Question:
        """What `recall` asks, for callers that ask it in several ways."""
        return Question(
            query,
            k=k,
            project_id=self._find_project(project),
            branch="" if project else self.branch,
            as_of_ms=None if as_of is None else parse_moment(as_of, is_end=True),
            now_ms=now(),
            is_explained=explain,
            data=self.data,
            environ=self.environ,
        )

    def review(self) -> list[review.Proposal]:
        """What recent sessions decided and nobody has kept yet, newest first."""
        self.finish_jobs()
        with suppress(StoreReadOnly):
            review.settle_duplicates(self.db, self.project_id or 0, now_ms=now())
        return review.list_proposals(self.db, self.project_id or 0)

    def context(self, *, max_chars: int | None = None) -> tuple[str, str]:
        """(text that the next session here is given, line for the user)."""
        self.finish_jobs()
        knobs = settings.trace(self.db, self.project_id or 0, self.environ)
        blocks = load_core(self.db, self.data, knobs, now_ms=now())
        text, _, line = pack(
            self.db,
            self.project_id or 0,
            branch=self.branch,
            max_chars=room_of(knobs, blocks) if max_chars is None else max_chars,
            now_ms=now(),
            core=blocks,
        )
        return text, line

    def stats(self) -> dict[str, Any]:
        """Numbers about what is kept here: records by status and kind, conversation, what was shown."""
        return collect(self.db, self.data, self.project_id or 0, name=self.project_name)

    # what is learnt from git
    index = index_here
    history = history_here
    why = why_here
    cochange = cochange_here
    inspect = inspect_here
    preflight = preflight_here

    # what records speak of
    graph = graph_here

    # what every session begins with, and the book of changes
    core = read_core
    core_add = add_core
    core_replace = replace_core
    core_remove = remove_core
    core_undo = undo_core
    core_history = history_of_core
    audit = audit_here

    # memory put in order
    consolidate = consolidate_here
    read_report = read_report
    undo_run = undo_run
    restore_record = restore_record

    # one memory after the other
    capture = capture_here
    history_of = keeping.history_of
    list_records = keeping.list_records
    edit = keeping.edit
    supersede = keeping.supersede
    retract = keeping.retract
    reinstate = keeping.reinstate

    def find(self, ref: str) -> Record:
        """The record of this project or the global layer that `ref` names (`d12`, `12`, start of a uid).

        Raises `EngramError` where there is none.
        """
        row = lookup.find(self.db, ref)
        if row["project_id"] not in (0, self.project_id):
            name = boot.project_name(self.db, row["project_id"])
            raise EngramError(f"{ref} belongs to another project", hint=f"add --project {name!r}")
        return from_row(row)

    def finish_jobs(self) -> None:
        """Do what hooks left to do for this project, unless the store can only be read."""
        until = time.monotonic() + FINISH_MS / 1000
        project_id = self.project_id or 0
        with suppress(StoreReadOnly):
            jobs.run_jobs(self.db, self.data, self.environ, until=until, project_id=project_id, settle=False)
            jobs.finish_leased(self.db, self.data, project_id)

    def _look_around(self, project: str | None) -> None:
        """Drain the spool and find out where we are."""
        with suppress(StoreBusy, StoreReadOnly):
            drain(self.db, self.data, self.environ, wait_ms=_DRAIN_WAIT_MS)
            take_over_files(self)
        trouble.settle(self.data)
        if project:
            self.project_id = self._find_project(project, create=True)
        else:
            self.project_id, self.root = standing.find_here(self.db, self.cwd, self.environ, now_ms=now())

    def _find_project(self, name: str | None, *, create: bool = False) -> int | None:
        """The project of a name, or the one here for an empty name. Raises `EngramError` for an unknown one."""
        if not name:
            return self.project_id
        return standing.find_named(self.db, name, now_ms=now(), create=create)


def now() -> int:
    """The present moment in ms UTC."""
    return time.time_ns() // 1_000_000
