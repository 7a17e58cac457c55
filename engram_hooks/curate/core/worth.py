"""What an entry of core memory is worth: who the user is, then what always holds, then the rest; the newer the more."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

IDENTITY, STANDING, OTHER = 2, 1, 0
_IDENTITY = re.compile(
    r"\b(?:my name|call me|i am|i'm|name is|pronouns?|i work|my role|my (?:job|team|company|time ?zone)"
    r"|i live|i speak|native (?:speaker|language))\b",
    re.IGNORECASE,
)
_STANDING = re.compile(
    r"\b(?:always|never|must|don't|do not|only|without asking|ask (?:me )?before|prefer|answer|answers|reply"
    r"|from now on|every time|no\b)",
    re.IGNORECASE,
)


def weigh(line: str) -> int:
    """The class of an entry: IDENTITY, STANDING (an instruction that always holds) or OTHER."""
    if _IDENTITY.search(line):
        return IDENTITY
    return STANDING if _STANDING.search(line) else OTHER


def order_by_worth(lines: Sequence[str], ages: Mapping[str, int] | None = None) -> list[str]:
    """The entries, those that matter least first; among equals the one that came first.

    `ages` gives the version with which each entry came; without it their order in the block counts.
    """
    came = {line: (ages or {}).get(line, 0) for line in lines}
    return sorted(lines, key=lambda line: (weigh(line), came[line], lines.index(line)))
