"""What the hooks say of a failure that was seen before; a new one, the most frequent case, costs one query."""

from __future__ import annotations

from engram_hooks.jsontext import loads
from engram_hooks.store.attempts import attempts_with_fingerprint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.tried import Row
    from engram_hooks.store.sessions import Session

_FAULT = "fault "


def tell_failure_of(call: Call, session: Session) -> str:
    """How a failure that was seen before was cured, or that it never was, once a context; '' for a new one."""
    verdicts = loads(call.event["verdicts"])
    for verdict in verdicts if isinstance(verdicts, list) else ():
        rows = attempts_with_fingerprint(call.db, session[1], verdict[5]) if verdict[5] else []
        if rows and (text := _tell(call, session, rows, subject=f"{_FAULT}{verdict[5]}")):
            return text
    return ""


def _tell(call: Call, session: Session, rows: list[Row], *, subject: str) -> str:
    from engram_hooks.hooks.voice import Voice
    from engram_hooks.recall.fields import local_year
    from engram_hooks.recall.tried import tell_failure, tried_block
    from engram_hooks.store.told import ADVICE

    voice = Voice(call, session, "attempts.mode")
    if voice.mode == "off" or voice.has_told(ADVICE, subject):
        return ""
    text = tried_block("", [tell_failure(rows, year=local_year(call.now_ms))])
    voice.note(ADVICE, [subject], chars=len(text))
    return text
