"""Rules held against a path and a change, and how they are told. A match is a fact, not a guess."""

from __future__ import annotations

from engram_hooks.guard.firewall import attr, clean
from engram_hooks.recall.globs import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    # a rule as the store gives it: store.invariants.Rule
    Rule = tuple[Any, ...]

CONFIRM, ASK, ADVISE = "confirm", "ask", "advise"
STRICTNESS = {ADVISE: 0, CONFIRM: 1, ASK: 2}
MAX_TOLD = 8
MAX_CHARS = 900
_ID, _NAME, _TEXT, _WHY, _SINCE, _SEVERITY, _ENFORCEMENT, _SYMBOL, _GLOBS = range(9)
_MAX_TEXT, _MAX_WHY, _MAX_PATH = 280, 120, 160
_CLOSE = "</engram>"


def rules_on(rules: Iterable[Rule], path: str, names: Iterable[str] | None = None) -> list[Rule]:
    """The rules that hold for a path; with `names`, what a change touches, those alone whose symbol is among them."""
    kept = [rule for rule in rules if any(matches(glob, path) for glob in rule[_GLOBS])]
    if names is None:
        return kept
    known = list(names)
    return [
        rule for rule in kept if not rule[_SYMBOL] or any(_is_named(rule[_SYMBOL], name) for name in known)
    ]


def _is_named(pattern: str, name: str) -> bool:
    """Whether a pattern (a glob of names) means a symbol, qualified or not."""
    last = name.rpartition(".")[2]
    return any(matches(one.strip(), part) for one in pattern.split("|") for part in (name, last))


def names_in(texts: Iterable[str]) -> list[str]:
    """The identifiers in some text, each once."""
    found: dict[str, None] = {}
    for text in texts:
        plain = "".join(char if char.isalnum() or char == "_" else " " for char in text)
        found.update(dict.fromkeys(word for word in plain.split() if not word[0].isdigit()))
    return list(found)


def enforcement_of(rule: Rule, mode: str) -> str:
    """What a rule does at an edit: its own enforcement, else by severity (critical: as `mode` says)."""
    if mode == "off":
        return ""
    own = str(rule[_ENFORCEMENT])
    if own:
        return own if mode != ADVISE else ADVISE
    return mode if rule[_SEVERITY] == "critical" else ADVISE


def tell_rule(rule: Rule) -> str:
    """`Rule (critical): one idempotency key per order; because INC-2407 (since 2024-05-09) [one-key]`."""
    why = clean(str(rule[_WHY]), max_chars=_MAX_WHY)
    since = clean(str(rule[_SINCE]), max_chars=30)
    because = f"; because {why}" if why else ""
    when = f" (since {since})" if since else ""
    weight = "" if rule[_SEVERITY] == "info" else f" ({rule[_SEVERITY]})"
    scope = f" in {clean(str(rule[_SYMBOL]), max_chars=60)}" if rule[_SYMBOL] else ""
    text = clean(str(rule[_TEXT]), max_chars=_MAX_TEXT)
    return f"Rule{weight}{scope}: {text}{because}{when} [{clean(str(rule[_NAME]), max_chars=60)}]"


def rules_block(path: str, rules: Sequence[Rule], *, max_chars: int = MAX_CHARS, last: str = "") -> str:
    """A block on the rules of a path, as many as fit, the hardest first; '' for none. `last` is a line of ours."""
    head = f'<engram file="{attr(path, max_chars=_MAX_PATH)}" from="rules">'
    room = max_chars - len(head) - len(_CLOSE) - 1 - (len(last) + 1 if last else 0)
    kept: list[str] = []
    for rule in rules[:MAX_TOLD]:
        line = tell_rule(rule)
        if len(line) + 1 > room:
            break
        kept.append(line)
        room -= len(line) + 1
    left = len(rules) - len(kept)
    more = f"{left} more: engram invariant check {clean(path, max_chars=_MAX_PATH)}" if left and kept else ""
    if more and len(more) < room:
        kept.append(more)
    return "\n".join((head, *kept, *([last] if last else []), _CLOSE)) if kept else ""
