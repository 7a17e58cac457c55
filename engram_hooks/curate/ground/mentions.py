"""What of the code a text speaks of: words that may name files, places in them, symbols and commits. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from engram_hooks.store.anchors import COMMIT, DETAIL, FILE, GLOB, LINES, PATHS, SUMMARY, SYMBOL

if TYPE_CHECKING:
    from engram_hooks.store.anchors import Anchored

MAX_MENTIONS = 16
MAX_WORD_CHARS = 300
MAX_TEXT_CHARS = 20_000
MIN_HASH_CHARS = 7
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")
_WORDS = re.compile(r"[^\s\"'`<>|,;()\[\]{}*]+(?:\(\))?")
_PLACE = re.compile(
    r"(?P<path>[^:#]+?)(?:(?::|#L)(?P<first>\d{1,7})(?:-L?(?P<last>\d{1,7})|:\d+)?|(?:#|::)(?P<symbol>[A-Za-z_$][\w.$]*))?"
)
_HASH = re.compile(r"[0-9a-f]{7,64}")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*")
_CODE_NAME = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]")
_QUOTED = re.compile(r"`([^`\n]{2,80})`")
# a sentence about what goes or went: that it is gone does not make it wrong
_FAREWELL = re.compile(
    r"\b(?:removed|deleted|dropped|retired|replaced|renamed|moved|migrated|superseded|deprecated|obsolete|legacy"
    r"|gone|no longer|used to|former|formerly|instead of|rather than)\b"
    r"|^\W*(?:remove|delete|drop|retire|replace|rename|move|migrate)\b",
    re.IGNORECASE,
)


# who somebody is and what they want does not hang on a file
UNANCHORED_KINDS = "user", "feedback"
WILD = "*?[{"


class Mention(NamedTuple):
    """Something that may be in the repository: a file (with lines or a symbol), a folder, a symbol or a commit.

    `name` is the path, folder, symbol or hash as it is written; `first` and `last` are lines from 1, 0 for none.
    """

    kind: str
    name: str
    symbol: str = ""
    first: int = 0
    last: int = 0


def list_mentions(record: Anchored) -> list[tuple[str, Mention]]:
    """(where, what) of all that a record may speak of: its paths, its summary, its detail."""
    if record.kind in UNANCHORED_KINDS:
        return []
    paths = [path for path in record.paths.split("\n") if path]
    found = [(PATHS, Mention(GLOB if _is_wide(path) else FILE, path)) for path in paths]
    found += [(SUMMARY, mention) for mention in read_mentions(record.summary)]
    return found + [(DETAIL, mention) for mention in read_mentions(record.detail)]


def read_mentions(text: str) -> list[Mention]:
    """What a text may speak of, in order, each once; sentences about what is removed or replaced are left out."""
    found: dict[Mention, None] = {}
    for sentence in _SENTENCES.split(text[:MAX_TEXT_CHARS]):
        if _FAREWELL.search(sentence):
            continue
        quoted = {name.removesuffix("()") for name in _QUOTED.findall(sentence)}
        for word in _WORDS.findall(sentence):
            for mention in _read_word(word[:MAX_WORD_CHARS], is_quoted=word.removesuffix("()") in quoted):
                found[mention] = None
    return list(found)[: 4 * MAX_MENTIONS]


def read_ref(ref: str) -> Mention | None:
    """What a person names as evidence: `path`, `path:12`, `path:12-20`, `path#symbol`, a commit; None for nothing."""
    word = ref.strip()
    if _HASH.fullmatch(word.lower()):
        return Mention(COMMIT, word.lower())
    return _read_place(word)


def _read_word(word: str, *, is_quoted: bool) -> Iterator[Mention]:
    word = word.rstrip(".:!?=").lstrip("@=")
    if len(word) < 2 or "://" in word:
        return
    bare = word.removesuffix("()")
    if _HASH.fullmatch(word) and (len(word) > 12 or (word.strip("0123456789") and word.strip("abcdef"))):
        yield Mention(COMMIT, word)
    elif "/" in bare or "." in bare:
        place = _read_place(bare)
        if place:
            yield place
    if _NAME.fullmatch(bare) and (is_quoted or bare != word or _CODE_NAME.search(bare)):
        yield Mention(SYMBOL, bare.replace("::", "."))


def _read_place(word: str) -> Mention | None:
    found = _PLACE.fullmatch(word)
    if found is None:
        return None
    path = found["path"].removeprefix("./")
    if not path:
        return None
    if found["first"]:
        first, last = int(found["first"]), int(found["last"] or found["first"])
        return (
            Mention(LINES, path, first=min(first, last), last=max(first, last))
            if first
            else Mention(FILE, path)
        )
    if found["symbol"]:
        return Mention(SYMBOL, path, symbol=found["symbol"])
    return Mention(GLOB, path) if path.endswith("/") else Mention(FILE, path)


def _is_wide(path: str) -> bool:
    return path.endswith("/") or any(char in path for char in WILD)
