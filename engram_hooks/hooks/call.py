"""One call of a hook: what came in, the open store, and the shape of an answer."""

from __future__ import annotations

import os
import time

from engram_hooks.jsontext import dumps, loads
from engram_hooks.paths import home_dir
from engram_hooks.sessions import events
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.store.sessions import Session

# what makes two edits the same, beside tool and path
_TEXTS = "old_string", "new_string", "content", "edits", "cell_id", "edit_mode", "new_source"


class Call:
    """The event of one hook process.

    `event` is the reduced payload, `payload` what the client sent, `db` the open store. `is_applied` turns true
    once the event's rows are committed; `wants_worker` asks for the worker when the hook is done.
    """

    __slots__ = (
        "data",
        "db",
        "environ",
        "event",
        "is_applied",
        "now_ms",
        "payload",
        "session",
        "started",
        "wants_worker",
    )

    def __init__(
        self,
        db: Connection,
        data: str,
        event: dict[str, str],
        *,
        environ: Mapping[str, str],
        payload: dict[str, object],
    ) -> None:
        self.db = db
        self.data = data
        self.event = event
        self.environ = environ
        self.payload = payload
        self.now_ms = int(event["at"])
        self.session: Session | None = None
        self.is_applied = False
        self.wants_worker = False
        self.started = time.monotonic()

    @property
    def prompt(self) -> str:
        """The text of the user as typed."""
        prompt = self.payload.get("prompt")
        return prompt if isinstance(prompt, str) else ""

    def apply(self) -> Session | None:
        """Commit the rows of the event; raises `StoreError`."""
        with Transaction(self.db):
            self.session = events.apply(self.db, self.event, self.environ)
        self.is_applied = True
        return self.session


def path_here(call: Call, session: Session) -> str:
    """The file that a tool was given, from the top of the session's checkout; a file outside it by its whole path."""
    from engram_hooks.sessions.trials import relative_path
    from engram_hooks.sessions.whereabouts import make_absolute, target_of

    cwd = call.payload.get("cwd")
    here = cwd if isinstance(cwd, str) else session[2]
    given = make_absolute(target_of(call.payload), cwd=here, home=home_dir(call.environ))
    return relative_path(os.path.realpath(given), session[2]) if given else ""


def edit_key(payload: dict[str, object], path: str) -> str:
    """The key of a planned change: tool, path, old and new text."""
    given = payload.get("tool_input")
    parts = [given.get(name) for name in _TEXTS] if isinstance(given, dict) else []
    return short_hash(dumps([payload.get("tool_name"), path, *parts]))


def short_hash(text: str) -> str:
    """A text in some twenty characters."""
    from zlib import adler32, crc32

    data = text.encode()
    return f"{len(data):x}-{crc32(data):08x}{adler32(data):08x}"


def give_context(event_name: str, text: str, *, to_user: str = "") -> str:
    """The one JSON document of an answer: context for the model, and a line for the user; '' for neither."""
    answer: dict[str, object] = {}
    if to_user:
        answer["systemMessage"] = to_user
    if text:
        answer["hookSpecificOutput"] = {"hookEventName": event_name, "additionalContext": text}
    return dumps(answer) if answer else ""


def add_context(answer: str, event_name: str, text: str) -> str:
    """An answer with more context at its front; a decision that it holds stays."""
    if not answer or not text:
        return answer or give_context(event_name, text)
    document = loads(answer)
    output = (
        document.setdefault("hookSpecificOutput", {"hookEventName": event_name})
        if isinstance(document, dict)
        else {}
    )
    output["additionalContext"] = "\n".join(
        part for part in (text, output.get("additionalContext", "")) if part
    )
    return dumps(document)


def read_decision(answer: str) -> tuple[str, str]:
    """(`deny`, `ask` or '', what is said) of an answer to PreToolUse; '' and '' of none."""
    document = loads(answer) if answer else None
    output = document.get("hookSpecificOutput") if isinstance(document, dict) else None
    if not isinstance(output, dict):
        return "", ""
    said = output.get("permissionDecisionReason") or output.get("additionalContext") or ""
    return str(output.get("permissionDecision", "")), str(said)


def give_decision(decision: str, reason: str) -> str:
    """The answer to PreToolUse that is more than context: `deny` or `ask`, with the reason."""
    output = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }
    return dumps({"hookSpecificOutput": output})
