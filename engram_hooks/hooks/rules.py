"""What the hooks say of rules: on a file that is read, and at an edit that a rule holds for."""

from __future__ import annotations

import os

from engram_hooks.errors import StoreError
from engram_hooks.hooks.call import edit_key, path_here
from engram_hooks.recall.globs import keys_of
from engram_hooks.recall.rules import (
    ASK,
    CONFIRM,
    STRICTNESS,
    enforcement_of,
    names_in,
    rules_block,
    rules_on,
)
from engram_hooks.sessions import changes
from engram_hooks.sessions.edits import EDITING_TOOLS
from engram_hooks.store import invariants, settings, told
from engram_hooks.store.transactions import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.hooks.call import Call
    from engram_hooks.recall.rules import Rule
    from engram_hooks.store.sessions import Session

_FILE, _RULE = "rules ", "rule "
_HELD = "Nothing was edited. If the rule is kept, make the same edit again: it will pass."


def tell_read(call: Call, session: Session) -> str:
    """The rules of a file that was read, once a context; '' for none."""
    path, mode = path_here(call, session), _mode(call, session)
    found = _find(call, session, path) if path and mode != "off" else []
    if not found or _is_told(call, session, told.BRIEF, f"{_FILE}{path}\n"):
        return ""
    text = rules_block(path, found)
    _note(call, session, told.BRIEF, f"{_FILE}{path}\n", len(text))
    return text


def tell_plan(call: Call, session: Session) -> tuple[str, str]:
    """(`deny`, `ask` or '', text) on an edit that rules hold for."""
    path, mode = path_here(call, session), _mode(call, session)
    is_edit = call.event["tool"] in EDITING_TOOLS
    found = _find(call, session, path) if path and is_edit and mode != "off" else []
    if not found:
        return "", ""
    touched = rules_on(found, path, _names(call))
    held = [rule for rule in touched if STRICTNESS.get(enforcement_of(rule, mode), 0)]
    new = [rule for rule in held if _hold_up(call, session, path, rule)]
    if new:
        wants_ask = any(enforcement_of(rule, mode) == ASK for rule in new) and not _is_headless(call)
        text = rules_block(path, new, last="" if wants_ask else _HELD)
        return ("ask" if wants_ask else "deny"), text
    left = [
        rule
        for rule in touched
        if rule not in held and not _is_told(call, session, told.BRIEF, f"{_FILE}{path}\n")
    ]
    left = [rule for rule in left if not _is_told(call, session, told.ADVICE, f"{_RULE}{rule[0]} {path}")]
    for rule in left:
        _note(call, session, told.ADVICE, f"{_RULE}{rule[0]} {path}", 0)
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


def _hold_up(call: Call, session: Session, path: str, rule: Rule) -> bool:
    """Note that the context is held up at a rule and a file; False where it was, or the note cannot be kept."""
    try:
        with Transaction(call.db):
            key = f"{_RULE}{rule[0]} {path} {edit_key(call.payload, path)}"
            return told.hold_up(call.db, _context(call, session), key, now_ms=call.now_ms)
    except StoreError:
        return False


def _mode(call: Call, session: Session) -> str:
    mode = str(settings.read(call.db, session[1], call.environ)["invariants.mode"])
    return CONFIRM if mode == ASK and _is_headless(call) else mode


def _is_headless(call: Call) -> bool:
    return call.environ.get("CLAUDE_CODE_ENTRYPOINT", "").startswith("sdk")


def _is_told(call: Call, session: Session, surface: str, subject: str) -> bool:
    return subject in told.told_subjects(call.db, _context(call, session), surface, subject)


def _note(call: Call, session: Session, surface: str, subject: str, chars: int) -> None:
    with Transaction(call.db):
        told.add_told(call.db, _context(call, session), surface, [(subject, chars)], now_ms=call.now_ms)


def _context(call: Call, session: Session) -> told.Context:
    return (session[0], call.event["agent"], session[4])
