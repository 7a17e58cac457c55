"""One call of a hook: what came in, the open store, and the shape of an answer."""

from __future__ import annotations

import time

from engram_hooks.jsontext import dumps, loads
from engram_hooks.sessions import events
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from engram_hooks.store.sessions import Session


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


def give_decision(decision: str, reason: str) -> str:
    """The answer to PreToolUse that is more than context: `deny` or `ask`, with the reason."""
    output = {
        "hookEventName": "PreToolUse",
        "permissionDecision": decision,
        "permissionDecisionReason": reason,
    }
    return dumps({"hookSpecificOutput": output})
