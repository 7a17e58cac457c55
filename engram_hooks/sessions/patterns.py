"""The form of a rule that picks sentences, and what several rules share."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engram_hooks.sessions.wording import VERBS

USER = "user"
ASSISTANT = "assistant"
BOTH = (USER, ASSISTANT)


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence that says something lasting."""

    kind: str
    summary: str
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern whose group `note` is kept; `lead` goes in front of it, `never` must not stand in it.

    `allows` names doubts that do not count: "idea", "report", "joke", "moment", "pointing".
    """

    reason: str
    kind: str
    confidence: float
    pattern: re.Pattern[str]
    lead: str = ""
    speakers: tuple[str, ...] = (USER,)
    never: re.Pattern[str] | None = None
    allows: tuple[str, ...] = ()
    words: int = 2


def compile_pattern(text: str) -> re.Pattern[str]:
    """A pattern, case ignored; line breaks with their indentation are layout, VERB stands for any known verb."""
    return re.compile(re.sub(r"\n\s*", "", text).replace("VERB", f"(?:{VERBS})"), re.IGNORECASE)


BLAME = compile_pattern(r"\b(?:you|your|you've|you're|u)\b")
PRONOUN = compile_pattern(
    r"""^(?:it|this|that|they|these|those|he|she|you|i|there|something|everything|which|who|what|and)\b"""
)
UNKNOWN = compile_pattern(r"\b(?:unknown|unclear|not (?:\w+ )?clear|tbd)\b")
