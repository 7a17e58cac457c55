"""What is kept of a commit: why it was made, what it names, a few of its lines; all text redacted."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from engram_hooks.guard.redact import redact
from engram_hooks.history import bulk, intents, roles
from engram_hooks.history.changes import Commit, FileChange
from engram_hooks.history.undoing import Undoing, read_undoing

MAX_MESSAGE_CHARS = 20_000
MAX_SUBJECT_CHARS = 300
MAX_BODY_CHARS = 4_000
MAX_AUTHOR_CHARS = 80
MAX_LINE_CHARS = 300  # longer ones are data, and cutting one could cut a secret beyond recognition
MAX_SAMPLE_CHARS = 1_600
MAX_EXCERPT_LINES = 6
MAX_EXCERPT_CHARS = 360
MAX_PATHS = 60
MAX_NAMES = 80
_BORDER = "\n\n\x00\n\n"

_DEFINED = re.compile(
    r"\b(?:def|class|func|fn|function|struct|enum|trait|impl"
    r"|interface|type|module|namespace|const|let|var|mod|record|object)"
    r"[ \t]+(?:\([^)\n]*\)[ \t]*)?([A-Za-z_$][\w$]*)"
)
# what a match of the above begins with: looked for first, which spares most texts the pattern
_DEFINERS = tuple(
    f"{word} "
    for word in (
        "def class func fn function struct enum trait impl interface type module namespace const let var mod record"
        " object"
    ).split()
)
_CALLABLE = re.compile(r"([A-Za-z_$][\w$]*)\s*(?:=\s*(?:async\s*)?(?:function|\())?\(")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,39}(?![A-Za-z0-9_])")
_ORDER = {roles.SOURCE: 0, roles.BUILD: 1, roles.OTHER: 2, roles.TEST: 3, roles.DOCS: 4}
_KEYWORDS = frozenset(
    """self this def class return import from for while else elif try except finally with not and none true false null
    undefined const let var function func fn pub use impl struct enum mut async await new public private protected
    static void int str string bool boolean type interface package export default extends implements super raise throw
    catch switch case break continue pass lambda yield assert del global nil err end then begin print""".split()
)


@dataclass(frozen=True, slots=True)
class Capsule:
    """One commit as it is kept: `names` are paths and symbols, `code` the distinct words of changed lines."""

    intent: str
    is_bulk: bool
    author: str
    subject: str
    body: str
    excerpt: str
    names: tuple[str, ...]
    code: tuple[str, ...]
    undoing: Undoing | None


def make_capsule(commit: Commit) -> Capsule:
    """The capsule of a commit. Pure; texts are redacted before they are cut."""
    is_bulk = bulk.is_bulk(commit)
    sample = [] if is_bulk else _sample(commit)
    lines = "\n".join([line for _, line in sample])
    author, message, text = _redact_all(commit.author, commit.message[:MAX_MESSAGE_CHARS].strip(), lines)
    subject, _, body = message.partition("\n")
    intent = "chore" if len(commit.parents) > 1 else intents.classify(message, _shape(commit))
    return Capsule(
        intent=intent,
        is_bulk=is_bulk,
        author=author[:MAX_AUTHOR_CHARS].strip(),
        subject=subject.strip()[:MAX_SUBJECT_CHARS],
        body=body.strip()[:MAX_BODY_CHARS],
        excerpt=_excerpt(sample, text),
        names=_names(commit, text),
        code=tuple([word for word in dict.fromkeys(_WORD.findall(text)) if word.lower() not in _KEYWORDS]),
        undoing=read_undoing(message) if intent == "revert" else None,
    )


def _redact_all(*texts: str) -> list[str]:
    """Each text redacted; in one go where a secret cannot have swallowed the border, which costs half."""
    joined = _BORDER.join(texts)
    if (parts := redact(joined).split(_BORDER)) and len(parts) == len(texts):
        return parts
    return [redact(text) for text in texts]


def _shape(commit: Commit) -> intents.Shape:
    found = frozenset(roles.role_of(change.path) for change in commit.changes)
    return intents.Shape(found, bool(commit.changes) and bulk.is_cosmetic(commit.changes))


def _sample(commit: Commit) -> list[tuple[str, str]]:
    """Changed lines as (`+` or `-`, text), source first, up to a length."""
    lines: list[tuple[str, str]] = []
    room = MAX_SAMPLE_CHARS
    for change in sorted(commit.changes, key=_rank):
        if (role := roles.role_of(change.path)) in roles.NOISE or role == roles.DOCS:
            continue  # prose is no code, and says no more than the message
        for hunk in change.hunks:
            for mark, side in (("-", hunk.removed), ("+", hunk.added)):
                for line in side:
                    if len(line) <= MAX_LINE_CHARS and not _is_blob(line):
                        lines.append((mark, line))
                        room -= len(line) + 1
                        if room < 0:
                            return lines
    return lines


def _rank(change: FileChange) -> tuple[int, int]:
    return _ORDER.get(roles.role_of(change.path), 5), change.status == "A"


def _is_blob(line: str) -> bool:
    """Whether a line is one long word, as the lines of a key or of encoded data are."""
    text = line.strip()
    return len(text) >= 40 and " " not in text and not any(mark in text for mark in "(.:_[;")


def _excerpt(sample: list[tuple[str, str]], text: str) -> str:
    """The first lines that say something, with their marks."""
    lines = text.split("\n")
    if len(lines) != len(sample):
        return ""  # a secret over several lines became one
    out: list[str] = []
    size = 0
    for (mark, _), line in zip(sample, lines, strict=True):
        words = line.strip()
        if (
            len(words) < 4
            or bulk.is_comment(line)
            or words.startswith(("import ", "from ", "use ", "#include"))
        ):
            continue
        size += len(words) + 2
        if size > MAX_EXCERPT_CHARS or len(out) == MAX_EXCERPT_LINES:
            break
        out.append(f"{mark} {words}")
    return "\n".join(out)


def _names(commit: Commit, text: str) -> tuple[str, ...]:
    """Paths, then the symbols above the changed lines (as git sees them) and those that these lines declare."""
    found: dict[str, None] = {}
    contexts: dict[str, None] = {}
    for change in commit.changes[:MAX_PATHS]:
        found[change.path] = found[change.old_path] = None
        for hunk in change.hunks:
            contexts[hunk.context] = None
    room = len(found) + MAX_NAMES
    for context in contexts:
        if context:
            found |= dict.fromkeys(_read_context(context))
            if len(found) >= room:
                break
    found |= dict.fromkeys(_list_defined(text))
    return tuple(found)[:room]


@lru_cache(maxsize=16_384)
def _read_context(context: str) -> tuple[str, ...]:
    """The symbols that the head of a hunk names; the same heads come again with every change below them."""
    return tuple(_DEFINED.findall(context) or _CALLABLE.findall(context)[:1])


def _list_defined(text: str) -> list[str]:
    """All that `_DEFINED` finds in a text, looked for only where one of its words is."""
    if "\t" in text:
        return _DEFINED.findall(text)
    starts = []
    for word in _DEFINERS:
        at = text.find(word)
        while at >= 0:
            starts.append(at)
            at = text.find(word, at + 1)
    names: list[str] = []
    end = 0
    for at in sorted(starts):
        if at >= end and (found := _DEFINED.match(text, at)):
            names.append(found[1])
            end = found.end()
    return names
