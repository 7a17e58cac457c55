"""The check of a commit that is being made: what its staged change takes out, brings back or forgets.

It only reads, and where something is missing, broken or takes too long it finds nothing: a commit must not
depend on it. Everything is told once, weightiest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engram_hooks import paths
from engram_hooks.curate.code.precommit_checks import CHECKS, Finding, Situation
from engram_hooks.curate.code.staged_lines import StagedFile, read_lines
from engram_hooks.errors import EngramError, StoreMissing, StoreNewer, StoreOutdated
from engram_hooks.history import staged
from engram_hooks.store import invariants, places, sessions, settings
from engram_hooks.store.connect import DatabaseError, open_store
from engram_hooks.store.index_files import open_index

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection

    from engram_hooks.history.allowance import Allowance

NO_INDEX = "the repository has no index yet"
MANY_FILES = 8


class Report(NamedTuple):
    """What was found; `reason` says why nothing was looked at, '' where it was. `is_strict`: findings block."""

    findings: tuple[Finding, ...] = ()
    is_strict: bool = False
    reason: str = ""


def check_commit(cwd: str, environ: Mapping[str, str], *, allowance: Allowance) -> Report:
    """Check the commit that is being made in `cwd`, as the variables that git gives its hooks say.

    Never raises an `EngramError`: what cannot be checked is a report with a reason.
    """
    try:
        checkout = staged.find_checkout(cwd, environ)
        data = paths.data_dir(environ)
        if checkout is None or not data or paths.is_off(data):
            return Report(reason="switched off" if checkout else "there is no git repository here")
        store = open_store(paths.store_path(data))
        try:
            return _check(store, data, checkout, allowance)
        finally:
            store.close()
    except StoreMissing:
        return Report(reason=NO_INDEX)
    except EngramError as error:
        return Report(reason=error.message)
    except DatabaseError as error:
        return Report(reason=f"the store or the index cannot be read: {error}")


def _check(store: Connection, data: str, checkout: staged.Checkout, allowance: Allowance) -> Report:
    directory = _find_directory(checkout)
    project_id = places.locate(store, directory, checkout.environ, now_ms=0, create=False)[0]
    if project_id is None:
        return Report(reason=NO_INDEX)
    knobs = settings.read(store, project_id, checkout.environ)
    is_strict = knobs["precommit.strict"] is True
    db = _open_index(data, places.uid_of(store, project_id))
    if db is None and not _knows_more(store, project_id):
        return Report(is_strict=is_strict, reason=NO_INDEX)
    try:
        files = _read_files(checkout, allowance)
        if files is None:
            return Report(is_strict=is_strict, reason="the change is too large, or sweeps over many files")
        situation = Situation(
            store,
            project_id,
            db,
            checkout,
            files,
            is_replay=bool(staged.list_under_way(checkout)),
            heeds_attempts=knobs["attempts.mode"] != "off",
            heeds_rules=knobs["invariants.mode"] != "off",
            allowance=allowance,
        )
        findings = [finding for check in CHECKS for finding in check(situation)]
    finally:
        if db is not None:
            db.close()
    return Report(tuple(_drop_repeats(findings)), is_strict)


def _open_index(data: str, project_uid: str) -> Connection | None:
    try:
        return open_index(data, project_uid)
    except (StoreMissing, StoreOutdated, StoreNewer):
        return None


def _knows_more(store: Connection, project_id: int) -> bool:
    """Whether there is something to check without an index: rules, or approaches that were given up."""
    return invariants.has_rules(store, project_id) or sessions.has_abandoned(store, project_id)


def _read_files(checkout: staged.Checkout, allowance: Allowance) -> list[StagedFile] | None:
    """The staged files with their news, None where the change is none to be looked at."""
    output = staged.read_staged(checkout)
    if output is None:
        return None
    commit = staged.parse_staged(output)
    allowance.check()
    under_way = staged.list_under_way(checkout) if commit.changes else []
    if len(commit.changes) >= MANY_FILES and not under_way:
        from engram_hooks.history.bulk import is_bulk

        if is_bulk(commit):
            return None
    files = dict.fromkeys(path for one in commit.changes for path in (one.old_path, one.path))
    intended = staged.read_intended(checkout, under_way, list(files)) if under_way else []
    return read_lines(commit.changes, intended)


def _find_directory(checkout: staged.Checkout) -> str:
    """Where the project is looked up: the checkout, or the git folder that git named where it is another one's."""
    if "GIT_DIR" not in checkout.variables:
        return checkout.top
    home = paths.home_dir(checkout.environ)
    here, named = (paths.find_place(folder, home)[2] for folder in (checkout.top, checkout.git_dir))
    return checkout.top if here == named else checkout.git_dir


def _drop_repeats(findings: Sequence[Finding]) -> list[Finding]:
    """Each commit once a file: what takes its lines out often brings back what it took out."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for finding in findings:
        key = (finding.path, finding.deed[0] if finding.deed else f"{finding.check} {finding.ref}")
        if key not in seen:
            seen.add(key)
            kept.append(finding)
    return kept
