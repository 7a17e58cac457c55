"""Whether a user's answer corrects what was done, and whether it speaks for a record or against it."""

from __future__ import annotations

import re

from engram_hooks.sessions.marks import WORD, Mark, all_marks, holds, read_text, rejected_terms, subject_of
from engram_hooks.stems import stem

AGAINST, FOR, OTHER = "against", "for", "other"
MAX_CHARS = 600
_START = re.compile(
    r"""^\W*(?:
    no(?:pe)?\b(?!\s+(?:need|problem|worries|thanks|thank|idea|matter|rush|hurry|objection|changes?|tests?|errors?
        |more|one|other|longer\s+needed)\b)
    |wrong\b|incorrect\b|nein\b|non\b(?!-)|stop\b(?!\s+(?:the|at|when|here))
    |(?:that|this|it)(?:'s|\s+is|\s+was)\s+(?:not\s+(?:right|true|correct|how|what\s+we)|wrong|outdated|old|stale|incorrect
        |no\s+longer)
    |actually,?\s+(?:we|it|that|no|the)\b
    |we\s+(?:don't|do\s+not|no\s+longer|never|stopped|dropped|switched|moved|migrated)\b
    |(?:don't|do\s+not|never)\s+(?:use|do|call|add|import|run)\b
    |i\s+(?:said|told\s+you|asked\s+for)\b
    |you\s+(?:should|must)\s+(?:not|never|have)\b
    |not\s+(?!sure|yet|now|really|bad|quite|only|exactly|necessarily|that)\w[\w.@/-]*[,;]
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_OVER = re.compile(
    r"\b(?:gone|outdated|obsolete|deprecated|no longer (?:true|used|holds|the case)|not (?:true|used) any ?more"
    r"|was removed|(?:don't|do not) (?:use|have) (?:it|that|this) any ?more|old news)\b",
    re.IGNORECASE,
)
_NAMING = re.compile(
    r"\b(?:we|it's|it is|use|using|switched to|moved to|should be|must be)\s+\S", re.IGNORECASE
)
_BEHIND_NOT = re.compile(
    r"\b(?:(?:don't|do not|doesn't|does not|didn't|never|no longer|stopped|stop)\s+(?:\w+\s+)?"
    r"|(?:not|dropped|removed)\s+|instead of\s+|rather than\s+|away from\s+|off\s+)"
    r"(?:the |a |an |on |to |at |with )?([\w@/.:+#-]+)",
    re.IGNORECASE,
)
_SHORT_WORDS = 10
_STOP = re.compile(r"[.!?](?:\s|$)")


def is_correction(answer: str) -> bool:
    """Whether an answer begins by saying that something is not so; one that asks does not."""
    asks = answer.rstrip().endswith("?") and not _STOP.search(answer.rstrip()[:-1])
    return len(answer) <= MAX_CHARS and not asks and bool(_START.match(answer))


def judge_answer(summary: str, answer: str, *, was_used: bool) -> str:
    """What a user's next words say of a record: `AGAINST` it, `FOR` it (the agent had passed it over), or `OTHER`.

    Only corrections are heard. One that names another thing counts against a record that the turn followed
    (`was_used`) where both are about the same.
    """
    if not is_correction(answer):
        return OTHER
    marks = [mark for mark in all_marks(summary) if mark.sort != WORD or len(mark.key) > 3]
    text = read_text(answer)
    named = [mark for mark in marks if holds(text, mark, subject=frozenset())]
    denied, rejected = _denied(answer), rejected_terms(summary)
    if any(mark.key in denied for mark in named) or (named and _OVER.search(answer)):
        return AGAINST
    if rejected & (text.terms - denied):
        return AGAINST
    if rejected & denied or len(named) >= _enough(marks) or any(mark.sort != WORD for mark in named):
        return FOR
    is_about = bool(subject_of(summary) & {stem(term) for term in text.terms})
    is_short = len(answer.split()) <= _SHORT_WORDS and bool(_NAMING.search(answer))
    return AGAINST if was_used and (is_about or is_short) else OTHER


def _denied(answer: str) -> set[str]:
    """The words that an answer says no to."""
    found: set[str] = set()
    for hit in _BEHIND_NOT.finditer(answer):
        found |= read_text(hit[1]).terms
    return found


def _enough(marks: list[Mark]) -> int:
    """So many of a record's plain words say that an answer repeats it."""
    return max(1, min(len(marks), 2), (len(marks) + 1) // 2)
