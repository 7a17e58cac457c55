"""The check of a commit that is being made: what its staged change takes out, brings back or forgets.

It only reads, and where something is missing, broken or takes too long it finds nothing: a commit must not
depend on it. Everything is told once, weightiest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engram_hooks import paths
from engram_hooks.curate.staged_lines import StagedFile, read_lines
from engram_hooks.errors import EngramError, StoreMissing
from engram_hooks.history import staged
from engram_hooks.recall.carried import find_carried, find_returned, is_filler
from engram_hooks.store import index_briefs, places, settings
from engram_hooks.store.connect import DatabaseError, open_store
from engram_hooks.store.index_files import open_index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from sqlite3 import Connection

    from engram_hooks.history.allowance import Allowance
    from engram_hooks.store.index_briefs import Guard

NO_INDEX = "the repository has no index yet"
MANY_FILES = 8
MAX_FIXES_OF_FILE = 3
MAX_PARTNERS = 3
MAX_LINES = 5_000
MAX_HITS = 20


class Finding(NamedTuple):
    """One thing to look at.

    check: `removed` (lines of a fix go), `returned` (what a fix or revert took out comes back) or `partner` (a file
    that changes along is not staged). `path` and `line` (0: none) say where. Of lines: how many, and `deed`, the
    commit behind them as (hash, ms UTC, intent, subject). Of a partner: the staged file it goes with (`source`), how
    many commits changed both (`support`) and how many that file (`total`).
    """

    check: str
    path: str
    line: int = 0
    line_count: int = 0
    deed: tuple[str, int, str, str] | None = None
    is_deleted: bool = False
    is_replaced: bool = False
    source: str = ""
    support: int = 0
    total: int = 0
    is_hidden: bool = False


class Report(NamedTuple):
    """What was found; `reason` says why nothing was looked at, '' where it was. `is_strict`: findings block."""

    findings: tuple[Finding, ...] = ()
    is_strict: bool = False
    reason: str = ""


class Situation(NamedTuple):
    """What the checks look at."""

    db: Connection
    checkout: staged.Checkout
    files: Sequence[StagedFile]
    is_replay: bool  # a merge, or the commit of another time or branch once more
    allowance: Allowance


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


def find_removed(situation: Situation) -> list[Finding]:
    """Lines that a fix wrote and that are neither kept nor moved."""
    hits: list[tuple[StagedFile, list[Guard]]] = []
    for file in situation.files:
        situation.allowance.check()
        if not file.removed or len(file.removed) > MAX_LINES or not file.change.old_blob:
            continue
        keys = {index_briefs.line_key(line.text) for line in file.removed if not is_filler(line.text)}
        guards = _guards_of(situation, file)
        if any(key in keys for guard in guards for _, key in index_briefs.unpack_lines(guard[6])):
            hits.append((file, guards))
    found = []
    for file, guards in hits[:MAX_HITS]:
        situation.allowance.check()
        old = staged.read_blob(situation.checkout, file.change.old_blob)
        found += _name_fixes(file, guards, old)
    return found


def find_back(situation: Situation) -> list[Finding]:
    """Lines that come back though a fix or a revert took them out."""
    found = []
    for file in situation.files:
        situation.allowance.check()
        if not file.added or len(file.added) > MAX_LINES or not file.change.old_blob:
            continue
        texts = [line.text for line in file.added]
        keys = [index_briefs.line_key(text) for text in texts]
        for guard in _guards_of(situation, file):
            gone = frozenset(index_briefs.unpack_keys(guard[7]))
            at = find_returned(texts, keys, gone) if not gone.isdisjoint(keys) else []
            if at:
                first = file.added[at[0]].number
                found.append(Finding("returned", file.change.path, first, len(at), _deed_of(guard)))
    return found


def find_forgotten(situation: Situation) -> list[Finding]:
    """Files that usually change along with a staged one and are not staged."""
    if situation.is_replay:
        return []
    here = {path for file in situation.files for path in (file.change.path, file.change.old_path)}
    found: dict[str, tuple[float, Finding]] = {}
    for file in situation.files:
        situation.allowance.check()
        for mate, score, support, total, is_hidden, speaks in _partners_of(situation, file):
            if speaks and mate not in here and score > found.get(mate, (0.0,))[0]:
                source = file.change.path
                finding = Finding(
                    "partner", mate, source=source, support=support, total=total, is_hidden=is_hidden
                )
                found[mate] = (score, finding)
    best = sorted(found.values(), key=lambda one: (-one[0], one[1].path))[: 4 * MAX_PARTNERS]
    return _drop_excused(situation, [finding for _, finding in best])[:MAX_PARTNERS]


# each looks at the situation and says what it found; the order is that of their weight
CHECKS: tuple[Callable[[Situation], list[Finding]], ...] = (find_removed, find_back, find_forgotten)


def _check(store: Connection, data: str, checkout: staged.Checkout, allowance: Allowance) -> Report:
    directory = _find_directory(checkout)
    project_id = places.locate(store, directory, checkout.environ, now_ms=0, create=False)[0]
    if project_id is None:
        return Report(reason=NO_INDEX)
    is_strict = settings.read(store, project_id, checkout.environ)["precommit.strict"] is True
    index = open_index(data, places.uid_of(store, project_id))
    try:
        situation = _look(index, checkout, allowance)
        if situation is None:
            return Report(is_strict=is_strict, reason="the change is too large, or sweeps over many files")
        findings = [finding for check in CHECKS for finding in check(situation)]
    finally:
        index.close()
    return Report(tuple(_drop_repeats(findings)), is_strict)


def _look(index: Connection, checkout: staged.Checkout, allowance: Allowance) -> Situation | None:
    output = staged.read_staged(checkout)
    if output is None:
        return None
    commit = staged.parse_staged(output)
    allowance.check()
    under_way = staged.list_under_way(checkout)
    intended = []
    if under_way and commit.changes:
        files = dict.fromkeys(path for one in commit.changes for path in (one.old_path, one.path))
        intended = staged.read_intended(checkout, under_way, list(files))
    if len(commit.changes) >= MANY_FILES and not under_way:
        from engram_hooks.history.bulk import is_bulk

        if is_bulk(commit):
            return None
    return Situation(index, checkout, read_lines(commit.changes, intended), bool(under_way), allowance)


def _find_directory(checkout: staged.Checkout) -> str:
    """Where the project is looked up: the checkout, or the git folder that git named where it is another one's."""
    if "GIT_DIR" not in checkout.variables:
        return checkout.top
    home = paths.home_dir(checkout.environ)
    here, named = (paths.find_place(folder, home)[2] for folder in (checkout.top, checkout.git_dir))
    return checkout.top if here == named else checkout.git_dir


def _guards_of(situation: Situation, file: StagedFile) -> list[Guard]:
    file_id = index_briefs.find_file_id(situation.db, file.change.old_path)
    return [] if file_id is None else index_briefs.list_guards(situation.db, file_id)


def _partners_of(situation: Situation, file: StagedFile) -> list[index_briefs.Partner]:
    if file.change.status not in ("M", "R") or not (file.removed or file.added):
        return []
    file_id = index_briefs.find_file_id(situation.db, file.change.old_path)
    return [] if file_id is None else index_briefs.list_partners(situation.db, file_id)


def _name_fixes(file: StagedFile, guards: Sequence[Guard], old: Sequence[str]) -> list[Finding]:
    """What the removed lines of one file were written for: one finding a commit."""
    owned = [index_briefs.unpack_lines(guard[6]) for guard in guards]
    keys = [index_briefs.line_key(text) for text in old]
    gone = {line.number: line for line in file.removed}
    found = []
    for guard, positions in zip(guards, find_carried(old, keys, owned, first_line=1), strict=True):
        lines = [gone[at + 1] for at in positions if at + 1 in gone]
        if any(not is_filler(line.text) for line in lines):
            is_deleted = file.change.status == "D"
            finding = Finding(
                "removed",
                file.change.path,
                0 if is_deleted else lines[0].number,
                len(lines),
                _deed_of(guard),
                is_deleted=is_deleted,
                is_replaced=all(line.is_replaced for line in lines),
            )
            found.append(finding)
    return found[: 1 if file.change.status == "D" else MAX_FIXES_OF_FILE]


def _deed_of(guard: Guard) -> tuple[str, int, str, str]:
    return (guard[1], guard[2], guard[3], guard[5])


def _drop_excused(situation: Situation, findings: Sequence[Finding]) -> list[Finding]:
    """Partners that can be forgotten: in the index, not ignored, not changed by the commit just before this one.

    (That one counts where it left the staged file alone: a change in two steps.) A change of comments needs none.
    """
    if not findings:
        return []
    from engram_hooks.history.bulk import is_cosmetic

    changes = {file.change.path: file.change for file in situation.files}
    findings = [finding for finding in findings if not is_cosmetic([changes[finding.source]])]
    if not findings:
        return []
    names = list(dict.fromkeys(name for finding in findings for name in (finding.path, finding.source)))
    kept = staged.list_kept(situation.checkout, names)
    last = staged.list_last(situation.checkout, names)
    return [
        finding
        for finding in findings
        if finding.path in kept and (finding.path not in last or finding.source in last)
    ]


def _drop_repeats(findings: Sequence[Finding]) -> list[Finding]:
    """Each commit once a file: what takes its lines out often brings back what it took out."""
    seen: set[tuple[str, str]] = set()
    kept = []
    for finding in findings:
        key = (finding.path, finding.deed[0] if finding.deed else "")
        if key not in seen:
            seen.add(key)
            kept.append(finding)
    return kept
