"""What a question about a repository asks for: terms with weights, names out of code, hashes, issues, and its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engram_hooks.recall.log_plan import plan_terms
from engram_hooks.recall.route import find_intent
from engram_hooks.stems import stem
from engram_hooks.terms import STOP_WORDS, is_identifier, split_terms

MAX_QUESTION_CHARS = 4_000
MAX_NAMES = 12
KINDS = "exact", "cause", "change", "symptom", "general"
MIN_HASH_CHARS, MIN_LONE_HASH_CHARS = 6, 4

_BREAKS = str.maketrans({chr(code): " " for code in range(128) if not chr(code).isalnum()})
_HASH = re.compile(r"(?<![\w#-])[0-9a-f]{4,64}(?![\w-])", re.IGNORECASE)
# #123, GH-12, !45, issues/7, pull/8, and keys such as INC-2407
_NUMBER = re.compile(
    r"(?:(?<![\w&])[#!]|\bgh-|\b(?:issues?|pull|prs?|mr|merge_requests)[/ ]#?)(\d{1,9})\b", re.IGNORECASE
)
_KEY = re.compile(r"(?<![\w/.-])[A-Z][A-Z0-9]{1,9}-\d{1,9}(?![\w-])")
_NO_KEYS = ("UTF-", "SHA-", "ISO-", "GH-", "PEP-", "RFC-", "HTTP-", "X-", "MD-", "AES-", "IPV-", "BASE-")
_NEW = frozenset(
    "add added adds adding allow allows support supports supported new introduce implement".split()
)
_TROUBLE_TEXT = """
    abort aborts broken breaks bug bugs cannot can't crash crashed crashes deadlock doesn't dies error errors exception
    exceptions fail failed failing fails failure fix fixed fixes hang hangs ignored incorrect incorrectly infinite
    invalid leak leaks lost missing never panic panics refuses regression segfault silently traceback unexpected vanish
    vanishes won't wrong wrongly
"""
_TROUBLE = frozenset(_TROUBLE_TEXT.split())
# intent of commits: words of a question that is about just that
_SIDES = {
    "docs": frozenset("doc docs document documentation docstring readme manual guide typo".split()),
    "test": frozenset("test tests testing fixture coverage flaky".split()),
    "build": frozenset(
        "build builds ci release releases packaging dependency dependencies workflow makefile".split()
    ),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is searched for; `kind` is one of `KINDS`.

    `terms` have weights from 0 to 1; `names` are words as written that may name a symbol, `paths` those that may
    name a file; `hashes` are prefixes in lower case; `issues` are numbers (`123`) and keys (`INC-2407`); `sides`
    are the intents docs, test and build, as far as they are asked for. `is_reference`: nothing but hashes and issues.
    """

    text: str
    kind: str
    terms: dict[str, float]
    names: tuple[str, ...]
    paths: tuple[str, ...]
    hashes: tuple[str, ...]
    issues: tuple[str, ...]
    sides: frozenset[str]
    is_reference: bool


def read_question(text: str) -> Question:
    """The question that a text asks; pure."""
    text = text[:MAX_QUESTION_CHARS]
    words = [word for word, _ in split_terms(text)]
    lower = [word.casefold() for word in words]
    hashes = _find_hashes(text, is_lone=len(words) == 1)
    issues = _find_issues(text)
    rest = _NUMBER.sub(" ", text)
    for found in (*hashes, *issues):
        rest = re.sub(re.escape(found), " ", rest, flags=re.IGNORECASE)
    left = [word for word, _ in split_terms(rest) if word.casefold() not in STOP_WORDS]
    is_reference = bool(hashes or issues) and not left
    is_short = len([word for word in lower if word not in STOP_WORDS]) <= 2
    named = [word for word in words if len(word) > 2 and (is_short or is_identifier(word))]
    names = tuple(dict.fromkeys(named))[:MAX_NAMES]
    return Question(
        text=text,
        kind="exact" if is_reference or (names and is_short) else _find_kind(text, frozenset(lower)),
        terms=plan_terms(text),
        names=names,
        paths=tuple(name for name in names if "." in name.strip(".") or "/" in name),
        hashes=hashes,
        issues=issues,
        sides=frozenset(side for side, about in _SIDES.items() if about.intersection(lower)),
        is_reference=is_reference,
    )


def cites(text: str, issue: str) -> bool:
    """Whether a text holds an issue: `#123`, `GH-123`, `issues/123` for the number 123, a key as it is."""
    if not issue.isdigit():
        return re.search(rf"(?<![\w-]){re.escape(issue)}(?![\w-])", text, re.IGNORECASE) is not None
    return issue in text and any(found[1] == issue for found in _NUMBER.finditer(text))


def stems_of(name: str) -> list[str]:
    """The stems of the parts of a path or a name out of code."""
    return [
        stem(term)
        for _, terms in split_terms(name)
        for term in (terms[1:] or terms)
        if len(term) > 1 and term not in STOP_WORDS
    ]


def find_pairs(asked: Sequence[str], text: str) -> int:
    """How many neighbours among the stems of a question stand in a text in this order, at most one word between them.

    Only words that begin like one of the question are looked at closely.
    """
    wanted = set(pairwise(asked))
    starts = {root[:3] for root in asked}
    said = [stem(word) if word[:3] in starts else "" for word in _split_words(text)]
    near = {*pairwise(said), *zip(said, said[2:], strict=False)}
    return len(wanted & near)


def read_stems(text: str) -> list[str]:
    """The stems of the words of prose that say something, in order."""
    return [stem(word) for word in _split_words(text)]


def _split_words(text: str) -> list[str]:
    words = text.lower().translate(_BREAKS).split()
    return [word for word in words if len(word) > 1 and word not in STOP_WORDS]


def _find_hashes(text: str, *, is_lone: bool) -> tuple[str, ...]:
    least = MIN_LONE_HASH_CHARS if is_lone else MIN_HASH_CHARS
    found = (word[0].lower() for word in _HASH.finditer(text))
    # a plain number of a few digits, or a word such as `facade`, is a hash only where it stands alone
    return tuple(
        dict.fromkeys(
            word
            for word in found
            if len(word) >= least and (is_lone or (not word.isdigit() and not word.isalpha()))
        )
    )


def _find_issues(text: str) -> tuple[str, ...]:
    numbers = [found[1] for found in _NUMBER.finditer(text)]
    keys = [found[0] for found in _KEY.finditer(text) if not found[0].startswith(_NO_KEYS)]
    return tuple(dict.fromkeys(numbers + keys))


def _find_kind(text: str, words: frozenset[str]) -> str:
    intent = find_intent(text)
    if intent == "cause":
        return "cause"
    if words & _TROUBLE:
        return "symptom"
    if words & _NEW:
        return "change"
    return "symptom" if intent == "symptom" else "general"
