"""Which commit a revert undoes and a re-land brings back, as far as the message says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engram_hooks.history import wording
from engram_hooks.history.late import LatePattern

_HASH = LatePattern(
    r"\b(?:reverts?|reverting|undo(?:es)?|back(?:s|ing)? out|re-?appl(?:y|ies)|re-?lands?|roll(?:s|ing)? ?back)"
    r"(?::? (?:this |the )?(?:commits?|changes?|revision|merge))?:? ([0-9a-f]{7,64})\b",
    re.IGNORECASE,
)
_MORE = LatePattern(r"[\s,]*(?:and |& |commit )*([0-9a-f]{7,64})\b")
_QUOTED = LatePattern(
    r"\W*(?:\w+(?:\([^)]*\))?!?: +)?(revert|re-?apply|re-?land)[^\"\n]{0,40}\"(.+)\"", re.IGNORECASE
)
_PREFIXED = LatePattern(r"\W*(revert|re-?apply|re-?land)(?:\([^)]*\))?!?: +(\S.*)", re.IGNORECASE)
_NUMBER = LatePattern(
    r"\b(?:revert|re-?apply|re-?land)(?:s|ed|ing)?:? (?:of )?(?:the )?(?:pr|pull request|mr|merge request)? ?"
    r"(?:[\w.-]+/[\w.-]+)?[#!](\d+)",
    re.IGNORECASE,
)
_SUFFIX = LatePattern(r"\s*\((?:[\w.-]+/[\w.-]+)?[#!](\d+)\)$")
_MERGED = LatePattern(r"Merge pull request #(\d+)\b")


@dataclass(frozen=True, slots=True)
class Undoing:
    """What a message says it undoes, or brings back (`is_reland`): hashes or their starts, a subject, a number."""

    is_reland: bool = False
    hashes: tuple[str, ...] = ()
    subject: str = ""
    number: str = ""


def read_undoing(message: str) -> Undoing | None:
    """What the message of a revert or re-land names; None where it names nothing."""
    subject = message.strip().split("\n", 1)[0].strip()
    quoted = _QUOTED.match(subject) or _PREFIXED.match(subject)
    number = _NUMBER.search(message)
    hashes = _read_hashes(message)
    if not quoted and not number and not hashes:
        return None
    verb = (quoted[1] if quoted else subject).lower()
    return Undoing(
        bool(wording.RELAND.match(verb)),
        hashes,
        quoted[2].strip() if quoted else "",
        number[1] if number else "",
    )


def drop_number(subject: str) -> str:
    """A subject without the number of its pull request at the end."""
    return _SUFFIX.sub("", subject)


def read_number(subject: str) -> str:
    """The number of the pull request that a subject ends with or merges, '' for none."""
    found = _SUFFIX.search(subject) or _MERGED.match(subject)
    return found[1] if found else ""


def _read_hashes(message: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for match in _HASH.finditer(message):
        found[match[1].lower()] = None
        at = match.end()
        while more := _MORE.match(message, at):
            found[more[1].lower()] = None
            at = more.end()
    return tuple(name for name in found if not name.isdigit() or len(name) >= 40)
