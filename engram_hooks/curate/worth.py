"""How much a new memory is likely to matter: a report of what was done once matters less than what holds."""

from __future__ import annotations

import re

from engram_hooks.curate.changes.patterns import find_replaced, is_news

REPORT_IMPORTANCE = 0.15
# kinds whose text may be a mere report; a decision or a rule in the same words still is one
_KINDS = "fact", "reference", "module"
# "Renamed a local variable in ...": something done, to something named
_REPORT = re.compile(
    r"(?:(?:i|we|just|also|then|again)\s+){0,2}(?:[a-z-]{2,}[a-df-z]ed|ran|made|did|wrote|built|sent|took|went|cut|put|saw|got)"
    r"\s+(?:an?|the|some|all|both|several|many|one|two|three|\d\S*|in|at|on|to|from|for|through|over|up|out|it|them|"
    r"this|that|these|my|our|its|old|new|\S*[/.]\S+)\b",
    re.IGNORECASE,
)
# words by which a report says more than that: a reason, a condition, what holds since
_LASTING = re.compile(
    r"\b(?:because|since|so|which|who|unless|until|when|if|must|never|always|only|not|no longer|instead|rather|"
    r"due to|to (?:avoid|keep|prevent|make|fix)|by|is|are|has|have|should|can|cannot|needs?|uses?|runs?|goes|lives?)\b",
    re.IGNORECASE,
)


def weigh(kind: str, summary: str, detail: str = "") -> float | None:
    """The importance (0 to 1) of a memory by its words, None where they say nothing about it."""
    if kind not in _KINDS or detail or not _REPORT.match(summary):
        return None
    clause = " ".join(summary.lower().replace(",", " ").split())
    if _LASTING.search(summary) or is_news(clause) or any(True for _ in find_replaced(clause)):
        return None
    return REPORT_IMPORTANCE
