"""Which single sentence is worth keeping: orders, decisions, limits, causes, facts about the user."""

from __future__ import annotations

from engram_hooks.sessions.choices import CHOICES
from engram_hooks.sessions.doubts import find_doubts, is_question
from engram_hooks.sessions.news import NEWS
from engram_hooks.sessions.orders import ORDERS
from engram_hooks.sessions.orders_abroad import ORDERS_ABROAD
from engram_hooks.sessions.patterns import Finding, Rule, compile_pattern
from engram_hooks.sessions.profile import PROFILE
from engram_hooks.sessions.statements import mask_quotes
from engram_hooks.sessions.wording import phrase, strip_opener

_EMPTY = compile_pattern(
    r"""^(?:(?:please|always|never|don't|do not|you|we|to|should|must|VERB) )*(?:VERB )(?:it|that|this
    |them|so|anything|nothing|everything|something|me|us)(?: (?:again|now|here|please|all))?\W*$
    |\b(?:worry|bother|mind|panic|hesitate)\b"""
)
_RULES: tuple[Rule, ...] = (*PROFILE, *ORDERS, *CHOICES, *NEWS, *ORDERS_ABROAD)


def find_rule(sentence: str, *, speaker: str) -> Finding | None:
    """What the sentence says for good, by the first rule that fits; None for nearly all sentences."""
    sentence = strip_opener(sentence)
    masked = mask_quotes(sentence)
    doubts: set[str] | None = None
    for rule in _RULES:
        match = rule.pattern.search(masked) if speaker in rule.speakers else None
        if match is None or not _is_fit(rule, match["note"]):
            continue
        if doubts is None:  # after the patterns: hardly any sentence comes this far
            if is_question(masked):
                return None
            doubts = find_doubts(masked)
        if doubts.issubset(rule.allows):
            note = sentence[match.start("note") : match.end("note")]
            return Finding(rule.kind, phrase(note, lead=rule.lead), rule.confidence, rule.reason)
    return None


def _is_fit(rule: Rule, note: str) -> bool:
    if len(note.split()) < rule.words or _EMPTY.search(note):
        return False
    return not (rule.never and rule.never.search(note))
