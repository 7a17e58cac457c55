"""Why a commit was made, from its message and from what it changed; made so that `bugfix` is one."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engram_hooks.history import roles, wording

INTENTS = "bugfix", "security", "revert", "perf", "feature", "refactor", "docs", "test", "build", "chore"
# intents whose lines carry a reason that an edit may undo
LOAD_BEARING = frozenset(("bugfix", "security", "revert"))
MAX_PLACES = 3

_TYPES = {
    "fix": "bugfix",
    "bugfix": "bugfix",
    "bug": "bugfix",
    "hotfix": "bugfix",
    "security": "security",
    "sec": "security",
    "revert": "revert",
    "perf": "perf",
    "performance": "perf",
    "feat": "feature",
    "feature": "feature",
    "refactor": "refactor",
    "docs": "docs",
    "doc": "docs",
    "typo": "docs",
    "test": "test",
    "tests": "test",
    "build": "build",
    "ci": "build",
    "deps": "build",
    "release": "build",
    "style": "chore",
    "lint": "chore",
    "chore": "chore",
    "types": "chore",
}
# of the words in brackets those that say more than the word in front: `fix(docs): ...`
_SCOPES = {
    "docs": "docs",
    "doc": "docs",
    "readme": "docs",
    "test": "test",
    "tests": "test",
    "e2e": "test",
    "ci": "build",
    "deps": "build",
    "dep": "build",
    "deps-dev": "build",
    "release": "build",
    "lint": "chore",
    "types": "chore",
}
_CONVENTIONAL = re.compile(r"\W*([a-z]+)(?:\(([^)]*)\))?!?:\s+(?=\S)")
_KINDS = (wording.DOCS, "docs"), (wording.TESTS, "test"), (wording.BUILD, "build")


@dataclass(frozen=True, slots=True)
class Shape:
    """What a commit changed: the roles of its files, and whether all changed lines are comments or blank."""

    roles: frozenset[str]
    is_cosmetic: bool = False


def classify(message: str, shape: Shape) -> str:
    """The intent of a commit, one of `INTENTS`.

    What changed decides where it is documentation, tests or the build alone; else the message does, and a
    commit that says nothing is a chore. A fix of typos, style, docs, tests or warnings is no bugfix.
    """
    subject, _, body = message.strip().partition("\n")
    if is_revert(subject, body):
        return "revert"
    if only := _only_role(shape.roles):
        return only
    kind, words = _read_type(subject.lower())
    if kind == "security" or wording.SECURITY.search(words):
        return "chore" if shape.is_cosmetic else "security"
    if kind and kind != "bugfix":
        return kind
    cosmetic = _cosmetic_kind(words)
    if kind:
        return cosmetic or ("chore" if shape.is_cosmetic else "bugfix")
    return _from_words(words, body, cosmetic, shape)


def is_revert(subject: str, body: str) -> bool:
    """Whether a commit says that it undoes (or brings back) another one."""
    words = subject.lower()
    if wording.REVERT.match(words) or wording.RELAND.match(words):
        return True
    if "his reverts" in body and wording.REVERT_BODY.search(body):
        return True
    if '"' in words and (place := wording.PLACE.match(words)):
        rest = words[place.end() :]
        return bool(wording.REVERT.match(rest) or wording.RELAND.match(rest))
    return False


def _read_type(words: str) -> tuple[str, str]:
    """(intent of a conventional prefix or '', the rest behind prefix and places); `words` is in lower case."""
    found = _CONVENTIONAL.match(words)
    if found and (kind := _TYPES.get(found[1])):
        return _SCOPES.get(found[2] or "", kind), words[found.end() :]
    for _ in range(MAX_PLACES):
        place = wording.PLACE.match(words)
        if place is None or wording.FIX.search(place[0]):
            break
        words = words[place.end() :]
    return "", words


def _only_role(found: frozenset[str]) -> str:
    """The intent where all files have one part, '' else; what is generated or locked follows the others."""
    rest = found - roles.NOISE
    if not rest:
        return "build" if roles.LOCK in found else "chore" if found else ""
    if roles.SOURCE in rest or roles.OTHER in rest:
        return ""
    if rest == {roles.DOCS}:
        return "docs"
    if roles.BUILD not in rest:
        return "test"
    return "build" if roles.TEST not in rest else ""


def _cosmetic_kind(words: str) -> str:
    """What a change is that mends no behaviour: docs, test, build or chore; '' for any other."""
    if wording.COSMETIC.search(words):
        return "docs" if "typo" in words or "spel" in words or "gramma" in words else "chore"
    return next((kind for pattern, kind in _KINDS if pattern.search(words)), "")


def _from_words(words: str, body: str, cosmetic: str, shape: Shape) -> str:
    if shape.is_cosmetic:
        return cosmetic or "chore"
    if not cosmetic and _says_fix(words, body):
        return "bugfix"
    if cosmetic in ("", "test") and wording.PERF.search(words):
        return "perf"
    if cosmetic:
        return cosmetic
    if wording.REFACTOR.match(words) or "refactor" in words or "clean" in words:
        return "refactor"
    return "feature" if wording.NEW.match(words) else "chore"


def _says_fix(words: str, body: str) -> bool:
    if wording.WANTED.match(words) and not wording.DEFECT.search(words):
        return False
    if wording.FIX.search(words) or ("ix" in body and wording.CLOSES.search(body)):
        return True
    if wording.REPAIR.match(words):
        return bool(wording.WRONG.search(words))
    return bool(wording.FORBID.match(words) and wording.GRAVE.search(words))
