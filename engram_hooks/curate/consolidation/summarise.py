"""Summaries of sessions: what was asked, decided, failed and left open, in a few lines out of the log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.curate.consolidation import brain
from engram_hooks.curate.consolidation.work import Change, StepReport
from engram_hooks.curate.excerpt import cut_text
from engram_hooks.recall.resume import cursor
from engram_hooks.sessions.candidates import extract
from engram_hooks.store import log, summaries, tool_events, upkeep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.curate.consolidation.work import Work

NAME = "summarise"
QUIET_MS = 20 * 60_000
MAX_SESSIONS = 50
MAX_ROWS = 1_000
MAX_CHARS = 1_000
_MAX_LINE_CHARS = 260
_MAX_ITEM_CHARS = 120
_MAX_DECIDED, _MAX_ERRORS, _MAX_FILES = 5, 3, 6


def run(work: Work) -> StepReport:
    """Summarise sessions that are quiet and said something since they were summarised last."""
    waiting = summaries.list_unsummarised(
        work.db,
        quiet_before_ms=work.now_ms - QUIET_MS,
        project_id=work.project_id,
        limit=MAX_SESSIONS + 1,
    )
    done: list[Change] = []
    handled = 0
    for session_id, _, log_id in waiting[:MAX_SESSIONS]:
        if not work.may_go_on():
            break
        handled += 1
        text, source = _summarise(work, session_id)
        if not work.is_dry:
            summaries.put_summary(work.db, session_id, text, log_id=log_id, source=source, now_ms=work.now_ms)
        if text:
            done.append(Change(0, "summary", f"session e{session_id}"))
    return StepReport(NAME, {"sessions": len(done)}, tuple(done), is_complete=handled == len(waiting))


def _summarise(work: Work, session_id: int) -> tuple[str, str]:
    """(text, source) for a session: by the brain where there is one that answers, else by extraction."""
    rows = log.last_rows(work.db, session_id, limit=MAX_ROWS)
    said = brain.summarise_lines(work, rows)
    if said:
        asked, rows = set(rows), log.last_rows(work.db, session_id, limit=MAX_ROWS)
        if asked.issubset(rows):  # nothing of it was forgotten while the answer came
            return said[:MAX_CHARS], "brain"
    files = tool_events.touched_files(work.db, session_id, limit=_MAX_FILES)
    failures = upkeep.failures_of(work.db, session_id, limit=_MAX_ERRORS)
    return extract_summary(rows, files=files, failures=failures), "extract"


def extract_summary(
    rows: Sequence[tuple[str, str, int]],
    *,
    files: Sequence[str] = (),
    failures: Sequence[tuple[str, str]] = (),
) -> str:
    """A summary of log rows (role, text, moment): one line each for what was asked, decided, failed, touched and
    left open; '' where nothing tells. `files` are paths, `failures` (command, error)."""
    found = cursor(rows, files[::-1])
    turns = [(str(at), role, text, moment, "", "", "", "") for at, (role, text, moment) in enumerate(rows)]
    decided = [item.summary for item in extract(turns)]
    typed = [text for role, text, _ in rows if role == "user" and _is_typed(text)]
    parts = [
        ("Asked", [*typed[:1], *typed[-1:]]),
        ("Decided", decided[:_MAX_DECIDED]),
        ("Failed", [f"{command}: {_first_line(error)}" for command, error in failures]),
        ("Files", list(files)),
        ("Open", found["open"] if found else []),
        ("Ended with", [found["conclusion"]] if found else []),
    ]
    lines = [_make_line(label, items) for label, items in parts]
    return "\n".join(line for line in lines if line)[:MAX_CHARS]


def _make_line(label: str, items: Sequence[str]) -> str:
    clean = [cut_text(" ".join(item.split()), _MAX_ITEM_CHARS) for item in items if item.strip()]
    return cut_text(f"{label}: {'; '.join(dict.fromkeys(clean))}", _MAX_LINE_CHARS) if clean else ""


def _first_line(error: str) -> str:
    lines = [line.strip() for line in error.split("\n") if line.strip()]
    telling = [line for line in lines if "error" in line.lower() or "fail" in line.lower()]
    return (telling or lines or [""])[0]


def _is_typed(text: str) -> bool:
    start = text.lstrip()
    return len(start.split()) > 1 and not start.startswith(("<", "/", "!", "[Request interrupted", "Caveat:"))
