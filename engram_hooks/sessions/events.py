"""What each event of the client writes: a payload is reduced to a few texts, which are then applied.

The reduced form is what the spool holds when the store cannot take an event; applying it twice
changes nothing.
"""

from __future__ import annotations

import os

from engram_hooks.jsontext import dumps, loads, mend
from engram_hooks.paths import find_place, head_branch, home_dir, read_small
from engram_hooks.store import sessions as rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.store.sessions import Session

    Event = dict[str, str]

NAMES = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "user-prompt-submit",
    "PreToolUse": "pre-tool-use",
    "PostToolUse": "post-tool-use",
    "PostToolUseFailure": "post-tool-use-failure",
    "Stop": "stop",
    "SessionEnd": "session-end",
    "PreCompact": "pre-compact",
    "SubagentStart": "subagent-start",
}
TOOL_NAMES = "pre-tool-use", "post-tool-use", "post-tool-use-failure"
TRYING_TOOLS = frozenset(("Bash", "Edit", "Write", "MultiEdit", "NotebookEdit"))
TAILING_NAMES = "stop", "session-end", "pre-compact"
MAX_TEXT_CHARS = 20_000
MAX_COMMAND_CHARS = 1_000
MAX_ERROR_CHARS = 2_000


def reduce(name: str, payload: dict[str, object], environ: Mapping[str, str], *, now_ms: int) -> Event:
    """The parts of a payload that are kept, as texts, redacted where they hold what people or tools wrote.

    Missing and wrongly typed fields become ''. Key `at` is the moment in ms.
    """
    event = {
        "name": name,
        "at": str(now_ms),
        "session": _text(payload, "session_id")[:200],
        "transcript": _text(payload, "transcript_path"),
        "directory": environ.get("CLAUDE_PROJECT_DIR", "") or _directory(payload),
        "project": environ.get("ENGRAM_PROJECT", ""),
        "prompt_id": _text(payload, "prompt_id"),
        "agent": _text(payload, "agent_id"),
        "source": _text(payload, "source") or _text(payload, "reason") or _text(payload, "trigger"),
    }
    if name == "user-prompt-submit":
        from engram_hooks.guard.cut import shorten

        event["prompt"] = shorten(_text(payload, "prompt"), MAX_TEXT_CHARS)
    elif name in TOOL_NAMES:
        event |= _reduce_tool(name, payload)
        if name != "pre-tool-use":
            event |= _reduce_trial(name, payload, event, environ=environ)
    return event


def _directory(payload: dict[str, object]) -> str:
    workspace = payload.get("workspace")
    return _text(payload, "cwd") or (_text(workspace, "project_dir") if isinstance(workspace, dict) else "")


def _reduce_tool(name: str, payload: dict[str, object]) -> Event:
    from engram_hooks.guard.cut import shorten

    given, response = payload.get("tool_input"), payload.get("tool_response")
    tool_input = given if isinstance(given, dict) else {}
    failed = name == "post-tool-use-failure" or _says_failed(payload) or _says_failed(response)
    error = ""
    if payload.get("is_interrupt") is True:
        outcome = "interrupted"
    elif failed:
        outcome, error = "failed", _error_text(payload, response)
    else:
        outcome = "started" if name == "pre-tool-use" else "ok"
    target = _text(tool_input, "file_path") or _text(tool_input, "notebook_path")
    return {
        "tool": _text(payload, "tool_name")[:200],
        "use_id": _text(payload, "tool_use_id")[:200],
        "target": shorten(target, MAX_COMMAND_CHARS),
        "command": shorten(_text(tool_input, "command"), MAX_COMMAND_CHARS),
        "outcome": outcome,
        "error": shorten(error, MAX_ERROR_CHARS),
    }


def _reduce_trial(
    name: str, payload: dict[str, object], event: Event, *, environ: Mapping[str, str]
) -> Event:
    """What the call changed, and what the checks that it ran say, as JSON, redacted; nothing for most calls."""
    tool = event["tool"]
    if tool not in TRYING_TOOLS:
        return {}
    from engram_hooks.sessions import trials

    is_failure = name == "post-tool-use-failure" or event["outcome"] == "failed"
    changes = [] if is_failure else trials.changes_of(payload)
    verdicts = trials.verdicts_of(payload, event["directory"], is_failure=is_failure)
    reduced = {"changes": [trials.redact_change(change) for change in changes], "verdicts": verdicts}
    kept = {key: dumps(value) for key, value in reduced.items() if value}
    if kept:
        kept["branch"] = _branch_at(find_place(event["directory"], home_dir(environ))[1])
    return kept


def _says_failed(part: object) -> bool:
    """Whether a payload or tool response says by a field of its own that the tool failed."""
    if not isinstance(part, dict):
        return False
    code = part.get("exit_code", part.get("exitCode"))
    has_code = isinstance(code, int) and not isinstance(code, bool) and code != 0
    return part.get("is_error") is True or part.get("success") is False or has_code


def _error_text(payload: dict[str, object], response: object) -> str:
    parts = [_text(payload, "error")]
    if isinstance(response, str):
        parts.append(response)
    elif isinstance(response, dict):
        parts += [_text(response, key) for key in ("error", "stderr", "stdout", "output", "content")]
    elif isinstance(response, list):
        parts += [item if isinstance(item, str) else _text(item, "text") for item in response[:20]]
    return mend("\n".join(part for part in parts if part))


def _text(part: object, key: str) -> str:
    value = part.get(key) if isinstance(part, dict) else None
    return mend(value) if isinstance(value, str) else ""


def apply(db: Connection, event: Event, environ: Mapping[str, str]) -> Session | None:
    """Write the rows of an event; the caller holds the transaction. Transcripts are read by others.

    Returns the session, None for a payload without a session id.
    """
    session = _ensure_session(db, event, environ)
    if session is None:
        return None
    name, now_ms = event["name"], int(event["at"])
    if name == "session-start":
        branch = _branch_at(session[2])
        rows.start_session(db, session[0], source=event["source"], branch=branch, now_ms=now_ms)
        return rows.find_session(db, event["session"])
    if name == "user-prompt-submit":
        prompt = event.get("prompt", "")
        rows.add_prompt(db, session[0], prompt, prompt_id=event["prompt_id"], now_ms=now_ms)
        rows.set_running(db, session[0], is_running=1, now_ms=now_ms)
    elif name in TOOL_NAMES:
        from engram_hooks.store import tool_events

        tool_events.record_event(db, session[0], event, now_ms=now_ms)
        if "changes" in event or "verdicts" in event:
            _apply_trial(db, session, event)
    elif name == "session-end":
        rows.end_session(db, session[0], reason=event["source"], now_ms=now_ms)
    elif name == "stop":
        rows.set_running(db, session[0], is_running=0, now_ms=now_ms)
    if "rows" in event:
        _append_rows(db, session[0], event)
    if name in TAILING_NAMES:
        from engram_hooks.store import jobs

        jobs.add_job(db, "session", event["session"], project_id=session[1], now_ms=now_ms)
    return session


def _apply_trial(db: Connection, session: Session, event: Event) -> None:
    from engram_hooks.sessions.trials import relative_path
    from engram_hooks.store import trials

    session_id, project_id, root = session[:3]
    place = project_id, session_id, event["agent"], root, event.get("branch", "")
    use_id, now_ms = event["use_id"] or f"{session_id}-{event['at']}", int(event["at"])
    changes, verdicts = loads(event.get("changes", "[]")), loads(event.get("verdicts", "[]"))
    if isinstance(changes, list):
        here = [(relative_path(_real(path), root), removed, added) for path, removed, added in changes]
        trials.add_edits(db, place, here, use_id=use_id, now_ms=now_ms)
    for verdict in verdicts if isinstance(verdicts, list) else []:
        trials.add_run(db, place, tuple(verdict), use_id=f"{use_id} {verdict[1]}", now_ms=now_ms)


def _real(path: str) -> str:
    return os.path.realpath(path) if os.path.isabs(path) else path


def _append_rows(db: Connection, session_id: int, event: Event) -> None:
    """Log the rows that came along through the spool."""
    from engram_hooks.store import log

    rows = loads(event["rows"])
    if isinstance(rows, list):
        kept = [(row[0], row[1], row[2], row[3], row[4] or int(event["at"])) for row in rows]
        log.append_rows(db, session_id, kept, is_redacted=True)


def _ensure_session(db: Connection, event: Event, environ: Mapping[str, str]) -> Session | None:
    client_id = event["session"]
    if not client_id:
        return None
    session = rows.find_session(db, client_id)
    is_new_start = event["name"] == "session-start" and event["source"] == "startup"
    if session is not None and not (is_new_start and rows.is_untouched(db, session[0])):
        return session
    from engram_hooks.store import places

    now_ms = int(event["at"])
    scope = {**environ, "ENGRAM_PROJECT": event.get("project", "")}
    project_id, root = places.locate(db, event["directory"], scope, now_ms=now_ms, create=True)
    if session is not None:
        rows.move_session(db, session[0], project_id=project_id or 0, root=root)
        return rows.find_session(db, client_id)
    if project_id is None and not os.path.isdir(event["directory"]) and event["transcript"]:
        directory = _first_directory(event["transcript"])
        project_id, root = places.locate(db, directory, scope, now_ms=now_ms, create=True)
    return rows.add_session(
        db,
        client_id,
        project_id=project_id or 0,
        root=root,
        branch=_branch_at(root),
        transcript_path=event["transcript"],
        now_ms=now_ms,
    )


def _branch_at(root: str) -> str:
    return head_branch(root) if root else ""


def _first_directory(transcript: str) -> str:
    """The folder in which a transcript begins, '' where its first lines name none."""
    from engram_hooks.sessions.transcript import parse_line

    head = read_small(transcript, max_bytes=64 << 10)
    for line in head.split("\n"):
        row = parse_line(line.encode("utf-8", "surrogateescape"))
        if row and row[4]:
            return row[4]
    return ""
