"""A developer's sentence as words: clauses, stems, and which words stand for nothing but grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from engram_hooks.terms import STOP_WORDS

MAX_CHARS = 600
# pauses as pieces of their own: characters that no word holds
COMMA, COLON, ARROW, HARD = "\x01", "\x02", "\x03", "\x04"
PAUSES = frozenset((COMMA, COLON, ARROW))
_MARKS = {",": COMMA, ":": COLON, ".": HARD, ";": HARD, "!": HARD, "?": HARD, ")": ")"}
_DASHES = {"->": ARROW, "-": COMMA, "--": COMMA}
_OPENING, _CLOSING = "([{\"'`<“‘", ")]}\"'`>”’"
_ENDINGS = (
    *("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ied", "ers", "er", "ed"),
    *("es", "ly", "s", "e", "y"),
)
_MIN_STEM = 3
_DOUBLED = frozenset("bdgmnprt")

# what may stand before or behind a value without being a part of it
BOUNDARY = STOP_WORDS | frozenset(
    """into onto via without within instead rather since across per upon among around behind beside beyond
    against use uses used using run runs running ran live lives stay stays go goes went come comes keep
    keeps kept read reads write writes take takes took send sends store stores stored serve serves
    handle handles power powers build builds built host hosts hold holds do does process processes back
    backs manage manages drive drives render renders test tests check checks format formats scrape
    scrapes sit sits land lands get gets say says expose exposes listen listens call called name named
    number port version release line set sets pin pinned default defaults anymore today yesterday
    tonight currently finally really already everywhere entirely completely fully last next week month
    quarter year early late whenever whatever though although but yet else however due only just even
    ever never always also too again now then here there old new former previous current latest first
    second our your its one another end moved migrated switched changed ported replaces replaced
    replacing supersedes converted raised lowered bumped upgraded said""".split()
)
# words of change and of emphasis: they say nothing about what a sentence is about
_LIGHT_WORDS = """use run go went come came live move switch change replace drop migrate swap retire convert bump
    raise lower left leave off out instead rather longer now anymore today new old only just still finally
    always never must should may might can could shall need want have has had get got make made keep kept put
    set take took start stop back everything anything nothing everybody everywhere right here there then than
    also too again yet all every each any both per not no none please don doesn isn aren wasn didn won about
    because since reason decide decision choose chose pick select adopt convention stick standard go work do
    did done be been from to with by in on at for of as via into onto through over under after before until
    day time week month year quarter thing stuff lot bit way case part place side end let us we our you your
    they it its their this that these those one two first last next current former previous default allow
    fine ok okay forbid forbidden enable disable support deprecate gone dead cancel remove ban abandon ditch
    frozen sunset kill another something someone somebody called named instead""".split()


_IRREGULAR = {
    "e2e": "end-to-end",
    "built": "build",
    "sent": "send",
    "kept": "keep",
    "held": "hold",
    "ran": "run",
    "wrote": "write",
    "written": "write",
    "drawn": "draw",
    "drew": "draw",
    "made": "make",
    "taken": "take",
    "took": "take",
    "paid": "pay",
    "spent": "spend",
    "driven": "drive",
    "shown": "show",
    "bought": "buy",
    "sold": "sell",
    "found": "find",
    "chosen": "choose",
    "chose": "choose",
    "hidden": "hide",
    "thrown": "throw",
    "given": "give",
    "left": "leave",
    "went": "go",
    "bound": "bind",
    "lost": "lose",
    "read": "read",
    "gone": "go",
    "came": "come",
    "tests": "test",
    "data": "data",
}


@lru_cache(maxsize=20_000)
def stem_word(word: str) -> str:
    """A word as it is compared: lower case, without the endings of its forms; names and numbers stay whole."""
    word = word.lower()
    word = _IRREGULAR.get(word, word)
    if not word.isalpha() or not word.isascii() or len(word) <= _MIN_STEM:
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            if ending == "s" and word.endswith(("ss", "us", "is")):
                return word
            word = word[: -len(ending)]
            break
    if len(word) > _MIN_STEM and word[-1] == word[-2] and word[-1] in _DOUBLED:
        return word[:-1]
    return word


_LIGHT = frozenset(stem_word(word) for word in _LIGHT_WORDS)


def is_light(word: str) -> bool:
    """Whether a word, or each of several parted by slashes, says nothing about the subject of a sentence."""
    if "/" in word[1:-1]:
        return all(is_light(part) for part in word.split("/") if part)
    return word in STOP_WORDS or stem_word(word) in _LIGHT


def split_sentences(text: str) -> list[list[str]]:
    """The sentences of a text, each as its words in the case they are written in, with the pauses between them.

    What stands in brackets is a sentence of its own behind the one that holds it.
    """
    sentences: list[list[str]] = [[]]
    inner: list[list[str]] = []
    depth = 0
    for piece in _split_pieces(text[:MAX_CHARS]):
        if piece == "(":
            depth += 1
            inner.append([])
        elif piece == ")":
            depth = max(0, depth - 1)
        elif piece == HARD:
            sentences += [*inner, []]
            inner, depth = [], 0
        elif depth and inner:
            inner[-1].append(piece)
        else:
            sentences[-1].append(piece)
    return [found for found in (_trim(item) for item in [*sentences, *inner]) if found]


def _split_pieces(text: str) -> Iterator[str]:
    text = _plain(text)
    for line in text.split("\n"):
        for word in line.split():
            yield from _peel(word)
        yield HARD


def _peel(word: str) -> Iterator[str]:
    """A word with the punctuation around it as pieces of their own."""
    if word in _DASHES:
        yield _DASHES[word]
        return
    while word and word[0] in _OPENING:
        if word[0] == "(":
            yield "("
        word = word[1:]
    behind: list[str] = []
    while word and (word[-1] in _MARKS or word[-1] in _CLOSING):
        if word[-1] == ")" and "(" in word:
            break
        behind.append(_MARKS.get(word[-1], ""))
        word = word[:-1]
    word = word.lstrip(":")
    if word:
        yield word
    yield from (mark for mark in reversed(behind) if mark)


_CONTRACTED = re.compile(r"\b(?:(can)(?:not|'t)|(won)'t|(\w+)n't)\b", re.IGNORECASE)
_GENITIVE = re.compile(r"'(?:s|re|ve|ll|d|m)\b", re.IGNORECASE)


def _plain(text: str) -> str:
    """Typographic forms as plain ones; `don't` is `do not`, `it's` is `it`."""
    for mark, plain in (("’", "'"), ("→", " -> "), ("=>", " -> "), ("—", " , "), ("–", " , "), ("…", ".")):
        text = text.replace(mark, plain)
    text = re.sub(r"(?<=\w)->(?=\w)", " -> ", text)
    if "n't" in text or "annot" in text or "'" in text:
        text = _CONTRACTED.sub(lambda found: (found[1] or found[2] or found[3]) + " not", text)
        text = _GENITIVE.sub("", text)
    return text


def _trim(words: list[str]) -> list[str]:
    while words and words[0] in PAUSES:
        words = words[1:]
    while words and words[-1] in PAUSES:
        words = words[:-1]
    return words
