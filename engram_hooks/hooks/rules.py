"""What the hooks say of rules: on a file that is read, and at an edit that a rule holds for."""

from __future__ import annotations

import os

from engram_hooks.hooks.call import edit_key, path_here
from engram_hooks.hooks.voice import Voice
from engram_hooks.recall.globs import keys_of
from engram_hooks.recall.rules import ASK, STRICTNESS, enforcement_of, names_in, rules_block, rules_on
from engram_hooks.sessions import changes
from engram_hooks.sessions.edits import EDITING_TOOLS
from engram_hooks.store import invariants, settings, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.rules import Rule
    from engram_hooks.store.sessions import Session

_FILE, _RULE = "rules ", "rule "
_HELD = "Nothing was edited. If the rule is kept, make the same edit again: it will pass."


def tell_read(call: Call, session: Session) -> str:
    """The rules of a file that was read, once a context; '' for none."""
    path, voice = path_here(call, session), Voice(call, session, "invariants.mode")
    found = _find(call, session, path) if path and voice.mode != "off" else []
    if not found or voice.has_told(told.BRIEF, f"{_FILE}{path}\n"):
        return ""
    text = rules_block(path, found)
    voice.note(told.BRIEF, [f"{_FILE}{path}\n"], chars=len(text))
    return text


def tell_plan(call: Call, session: Session) -> tuple[str, str]:
    """(`deny`, `ask` or '', text) on an edit that rules hold for."""
    path, voice = path_here(call, session), Voice(call, session, "invariants.mode")
    is_edit = call.event["tool"] in EDITING_TOOLS
    found = _find(call, session, path) if path and is_edit and voice.mode != "off" else []
    if not found:
        return "", ""
    touched = rules_on(found, path, _names(call))
    held = [rule for rule in touched if STRICTNESS.get(enforcement_of(rule, voice.mode), 0)]
    key = edit_key(call.payload, path)
    new = [rule for rule in held if voice.hold_up(f"{_RULE}{rule[0]} {path} {key}")]
    if new:
        wants_ask = any(enforcement_of(rule, voice.mode) == ASK for rule in new) and not voice.is_headless
        text = rules_block(path, new, last="" if wants_ask else _HELD)
        return ("ask" if wants_ask else "deny"), text
    left = (
        []
        if voice.has_told(told.BRIEF, f"{_FILE}{path}\n")
        else [rule for rule in touched if rule not in held]
    )
    left = [rule for rule in left if not voice.has_told(told.ADVICE, f"{_RULE}{rule[0]} {path}")]
    voice.note(told.ADVICE, [f"{_RULE}{rule[0]} {path}" for rule in left])
    return "", rules_block(path, left)


def _find(call: Call, session: Session, path: str) -> list[Rule]:
    """The rules that hold for a path of the session's checkout; a file of rules that changed is read again soon."""
    file = os.path.join(session[2], invariants.FILE)
    if settings.is_stale(call.db, file):
        call.wants_worker = settings.queue_rules(call.db, file, session[1], now_ms=call.now_ms)
    return rules_on(invariants.rules_under(call.db, session[1], file, keys_of(path)), path)


def _names(call: Call) -> list[str]:
    """What a change touches by name: the identifiers of its old and new text."""
    if call.event["tool"] == "Write":
        return names_in(changes.written_lines(call.payload) or ())
    pieces = changes.planned_pieces(call.payload, "")
    return names_in(line for old, new, _ in pieces for line in (*old, *new))
