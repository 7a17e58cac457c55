"""Which approaches a check turned down, and what became of them: the edits and checks of one checkout, replayed.

A red check is no failed approach: it *opens* one, when edits since the last green check are to blame for it. The
same check turning green *resolves* it, and what was edited between is its cure. Edits that are taken back
*abandon* it. What changes nothing about the code says nothing: a check that was red in the same way before, or that
fails and passes on the same tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engram_hooks.recall.carried import is_filler
from engram_hooks.sessions.changed import Change, net_change, undoes
from engram_hooks.sessions.checks import covers
from engram_hooks.sessions.testfiles import is_test_path

OPEN, RESOLVED, ABANDONED, DROPPED = "open", "resolved", "abandoned", "dropped"
MAX_CURE_LINES = 40
# an approach stands in a file with more than this share of its lines; below it nobody can say
STANDS_SHARE = 0.5


class EditEvent(NamedTuple):
    """One edit of one file; path '' says that a command put the work tree back, in a way that is not known."""

    id: int
    session_id: int
    branch: str
    path: str
    removed: Sequence[str]
    added: Sequence[str]
    at: int


class RunEvent(NamedTuple):
    """One check that came to judge; `last_edit` is the edit before it."""

    id: int
    session_id: int
    branch: str
    kind: str
    tool: str
    targets: tuple[str, ...]
    outcome: str
    faults: tuple[tuple[str, ...], ...]
    fingerprint: str
    last_edit: int
    at: int


@dataclass(slots=True)
class Attempt:
    """An approach: the edits that a red check is blamed on, and what became of it."""

    run: RunEvent
    edits: list[EditEvent]
    outcome: str = OPEN
    cure: list[str] = field(default_factory=list)
    runs: int = 1
    is_old_fault: bool = (
        False  # the check failed like this before the edits: they are to blame if others cure it
    )

    @property
    def files(self) -> dict[str, Change]:
        """path -> (lines that went, lines that came) in all."""
        return net_change(self.edits)


@dataclass(slots=True)
class Replay:
    """The state of a checkout while its events go by."""

    live: list[EditEvent] = field(default_factory=list)  # edits that stand in the files, as far as is known
    attempts: list[Attempt] = field(default_factory=list)
    proven: dict[str, int] = field(default_factory=dict)  # tool -> the last edit that it found to be right
    known_red: dict[str, set[tuple[str, ...]]] = field(
        default_factory=dict
    )  # tool -> faults nobody's edit made
    restored_at: int = 0

    def apply_edit(self, edit: EditEvent) -> None:
        """An edit: forward, or the taking back of others."""
        if not edit.path:
            self.restored_at = edit.id
            return
        gone = undoes(edit, [one for one in self.live if one.path == edit.path])
        if gone.undone:
            self._take_back(gone.undone)
        if gone.is_forward:
            self.live.append(edit)

    def _take_back(self, edits: Iterable[EditEvent]) -> None:
        ids = {edit.id for edit in edits}
        self.live = [edit for edit in self.live if edit.id not in ids]
        for attempt in self.attempts:
            if attempt.outcome == OPEN and not self._stands(attempt):
                attempt.outcome = ABANDONED

    def _stands(self, attempt: Attempt) -> bool:
        """Whether an edit of the approach still is in the files; that of its tests alone does not count."""
        live = {edit.id for edit in self.live}
        own = [edit for edit in attempt.edits if not is_test_path(edit.path)] or attempt.edits
        return any(edit.id in live for edit in own)

    def apply_run(self, run: RunEvent) -> None:
        """A check: what it says of the edits that stand."""
        if run.outcome == "passed":
            self._pass(run)
        else:
            self._fail(run)

    def _pass(self, run: RunEvent) -> None:
        for attempt in self.attempts:
            if attempt.outcome in {RESOLVED, DROPPED} or not covers(_check(run), _check(attempt.run)):
                continue
            later = [edit for edit in self.live if attempt.run.last_edit < edit.id <= run.last_edit]
            there = [edit for edit in later if edit.path in attempt.files]
            if there:
                attempt.is_old_fault = False
            if attempt.outcome == ABANDONED:
                attempt.cure = attempt.cure or (_cure(later) if there else [])  # what worked in its place
            elif later:
                attempt.outcome, attempt.cure = RESOLVED, _cure(later)
            elif self.restored_at > attempt.run.last_edit:
                attempt.outcome = ABANDONED
            else:
                attempt.outcome = DROPPED  # it failed and passed on the same tree
        self.proven[run.tool] = run.last_edit
        self.known_red.pop(run.tool, None)

    def _fail(self, run: RunEvent) -> None:
        blamed = self._blamed(run)
        faults = set(run.faults)
        if not blamed:
            self.known_red.setdefault(run.tool, set()).update(faults)
            return
        is_old = bool(faults) and faults <= self.known_red.get(run.tool, set())
        for attempt in self.attempts:
            if attempt.outcome == OPEN and attempt.run.tool == run.tool and self._stands(attempt):
                if [edit.id for edit in attempt.edits] == [edit.id for edit in blamed]:
                    attempt.runs += 1
                    return
                if _continues(attempt, blamed):
                    attempt.edits, attempt.run = blamed, run
                    attempt.runs += 1
                    return
        self.attempts.append(Attempt(run, blamed, is_old_fault=is_old))

    def _blamed(self, run: RunEvent) -> list[EditEvent]:
        """The edits that stand and that no check of this kind has found right; tests alone are no approach.

        Those of the session itself, where it made any: what earlier ones left behind is not what was tried now.
        """
        since = self.proven.get(run.tool, 0)
        edits = [edit for edit in self.live if since < edit.id <= run.last_edit and edit.branch == run.branch]
        own = [edit for edit in edits if edit.session_id == run.session_id]
        blamed = own if any(not is_test_path(edit.path) for edit in own) else edits
        return blamed if any(not is_test_path(edit.path) for edit in blamed) else []


def replay(edits: Sequence[EditEvent], runs: Sequence[RunEvent]) -> list[Attempt]:
    """The approaches that checks turned down, in order, with what the events alone say became of them."""
    return replay_all(edits, runs)[0]


def replay_all(edits: Sequence[EditEvent], runs: Sequence[RunEvent]) -> tuple[list[Attempt], list[EditEvent]]:
    """The same approaches, and the edits that stand as far as the events say."""
    state = Replay()
    at = 0
    for run in runs:
        while at < len(edits) and edits[at].id <= run.last_edit:
            state.apply_edit(edits[at])
            at += 1
        state.apply_run(run)
    for edit in edits[at:]:
        state.apply_edit(edit)
    return [attempt for attempt in state.attempts if not attempt.is_old_fault], state.live


def _check(run: RunEvent) -> tuple[str, str, tuple[str, ...], bool]:
    return run.kind, run.tool, run.targets, False


def _continues(attempt: Attempt, blamed: Sequence[EditEvent]) -> bool:
    """Whether the edits in question hold those of the approach: it was worked on, and is red still."""
    ids = {edit.id for edit in blamed}
    return any(edit.id in ids for edit in attempt.edits)


def _cure(edits: Sequence[EditEvent]) -> list[str]:
    """The lines of what made the check pass, as a small patch."""
    lines: list[str] = []
    for path, (removed, added) in net_change(edits).items():
        lines += [f"{path}:", *(f"-{line}" for line in removed), *(f"+{line}" for line in added)]
    return lines[:MAX_CURE_LINES]


def is_gone(attempt: Attempt, texts: dict[str, str | None]) -> bool | None:
    """Whether the approach is taken back in the files as they are: True, False, or None where they do not say.

    `texts`: path -> the file's text, None where there is none. Taken back means that what was added is gone and
    what was removed is back; an approach whose lines went on into something else is not.
    """
    files = attempt.files
    own = {path: change for path, change in files.items() if not is_test_path(path)} or files
    shares = [_standing(change, texts.get(path)) for path, change in own.items()]
    known = [share for share in shares if share is not None]
    if any(share > STANDS_SHARE for share in known):
        return False
    return True if known and not any(known) else None


def vanished(live: Sequence[EditEvent], texts: dict[str, str | None]) -> dict[str, Change]:
    """path -> what edits that should stand amount to, for the files in which nothing of it is left."""
    return {
        path: change for path, change in net_change(live).items() if _standing(change, texts.get(path)) == 0
    }


def _standing(change: Change, text: str | None) -> float | None:
    """The share of the lines that came which stand in the file; 0 where all is as it was before, None if unclear."""
    removed, added = (Counter(line.strip() for line in lines if not is_filler(line)) for lines in change)
    if not removed and not added:
        return None
    if text is None:
        return 0.0 if added and not removed else None
    here = Counter(line.strip() for line in text.split("\n"))
    new, old = added - removed, removed - added
    left = sum((new & here).values())
    if left:
        return left / new.total()
    return 0.0 if (old & here) == old else None
