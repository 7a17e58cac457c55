"""How text becomes terms: one rule for the full-text index and for queries.

A term is lower-case and holds no white space or quotes. Identifiers give themselves and their
parts (`orderParser` also `order`, `parser`), paths their names, scripts without spaces
overlapping pairs of characters; accents fold (`café` is also `cafe`).
"""

from __future__ import annotations

MAX_TERM_CHARS = 64
MAX_INDEX_CHARS = 20_000

# Everything in ASCII that separates words; `_ - . / : @ + #` stay inside and are looked at per word.
_JOINERS = "_-./:@+#"
_SPLIT = str.maketrans({chr(i): " " for i in range(128) if not chr(i).isalnum() and chr(i) not in _JOINERS})
_PARTS = str.maketrans(dict.fromkeys(_JOINERS, " "))
_ASCII_EDGE = "_-./:@+#"
_LETTERS = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ı": "i"}
)

STOP_WORDS = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but
    by can could did do does doing done down during each few for from further get gets getting go going gonna got had
    has have having he her here hers him his how i if in into is it its itself just let lets like look make makes me
    more most my myself need needs no nor not now of off ok okay on once one only or other our ours out over own please
    same see she should so some still such sure tell than that the their theirs them then there these they thing things
    this those through to too try two under until up us use used uses using very via want wants was way we well were
    what when where which while who whom why will with would yes yet you your yours d ll m re s t ve dont doesnt didnt
    isnt cant wont im ive id thats whats""".split()
)


def index_terms(text: str) -> str:
    """All terms of `text`, joined by spaces, in order and with repeats: what the full-text index is fed with."""
    return " ".join(_terms(text[:MAX_INDEX_CHARS]))


def content_terms(text: str) -> str:
    """The same without stop words: half the index for text that is never searched for them."""
    return " ".join(term for term in _terms(text[:MAX_INDEX_CHARS]) if term not in STOP_WORDS)


def plain_words(text: str) -> list[str] | None:
    """The words of a text whose `content_terms`, word by word, are those of the text; None where they are not."""
    return text[:MAX_INDEX_CHARS].translate(_SPLIT).split() if text.isascii() else None


def query_terms(text: str, *, max_terms: int = 40) -> list[str]:
    """The distinct terms of a query in order of appearance, stop words left out.

    Where dropping stop words leaves nothing, the dropped ones are used. At most `max_terms`.
    """
    found = dict.fromkeys(_terms(text[:MAX_INDEX_CHARS]))
    kept = [term for term in found if term not in STOP_WORDS and (len(term) > 1 or not term.isascii())]
    return (kept or list(found))[:max_terms]


def split_terms(text: str) -> list[tuple[str, list[str]]]:
    """Every word of `text` as written, with its terms: the word itself, then its parts (of scripts: pairs)."""
    if not text.isascii():
        text = _fold_wide(text)
    words = (word.strip(_ASCII_EDGE) or word for word in text[:MAX_INDEX_CHARS].translate(_SPLIT).split())
    return [(word, _terms(word)) for word in words]


def is_identifier(term: str) -> bool:
    """Whether a word is a name out of code or a path, an error code or a version rather than prose."""
    if "_" in term or "/" in term or "::" in term or "." in term.strip("."):
        return len(term) > 2
    if any(c.isdigit() for c in term):
        return len(term) > 2 and not term.isdigit()
    return (term[1:].lower() != term[1:] and not term.isupper()) or (term.isupper() and len(term) > 5)


def identifiers(text: str, *, max_terms: int = 20) -> list[str]:
    """The distinct verbatim identifiers of `text` as index terms, in order of appearance."""
    words = (word.strip(_ASCII_EDGE) for word in text[:MAX_INDEX_CHARS].translate(_SPLIT).split())
    found = dict.fromkeys(_fold(word)[:MAX_TERM_CHARS] for word in words if word and is_identifier(word))
    return list(found)[:max_terms]


def _terms(text: str) -> list[str]:
    out: list[str] = []
    if not text.isascii():
        text = _fold_wide(text)
    for word in text.translate(_SPLIT).split():
        if word.isalpha() and word.isascii():
            _add_plain(word, out)
        else:
            _add_mixed(word, out)
    return out


def _add_plain(word: str, out: list[str]) -> None:
    lower = word.lower()
    out.append(lower[:MAX_TERM_CHARS])
    if lower[1:] != word[1:] and word != word.upper():
        parts = _camel(word)
        if len(parts) > 1:
            out.extend(parts)


def _add_mixed(word: str, out: list[str]) -> None:
    """A word with joiners, digits or other scripts: the whole, then its parts."""
    marked = word.strip("_-./:@")
    word = word.strip(_ASCII_EDGE)
    if not word:
        return
    if len(marked) <= 4 and marked[-1] in "+#" and marked[0].isalpha():
        out.append(marked.lower())  # c++, c#, g++
        return
    if not word.isascii():
        _add_scripts(word, out)
        return
    out.append(word.lower()[:MAX_TERM_CHARS])
    parts = word.translate(_PARTS).split()
    if len(parts) > 1:
        for part in parts:
            _add_plain(part, out) if part.isalpha() else out.append(part.lower()[:MAX_TERM_CHARS])


def _camel(word: str) -> list[str]:
    """`parseHTTPRequest` -> parse, http, request."""
    parts: list[str] = []
    start = 0
    for i in range(1, len(word)):
        upper = word[i].isupper()
        if upper and (not word[i - 1].isupper() or (i + 1 < len(word) and word[i + 1].islower())):
            parts.append(word[start:i].lower())
            start = i
    parts.append(word[start:].lower())
    return [part for part in parts if len(part) > 1]


def _add_scripts(word: str, out: list[str]) -> None:
    """A word that is not all ASCII: runs of ASCII as words, runs without spaces as pairs, the rest whole."""
    run = ""
    run_kind = ""
    for char in word + " ":
        kind = "" if char == " " else "a" if char < "\x80" else "p" if _is_unspaced(char) else "w"
        if kind != run_kind:
            _add_run(run, run_kind, out)
            run, run_kind = "", kind
        run += char


def _add_run(run: str, kind: str, out: list[str]) -> None:
    if kind == "p":
        out.extend(run[i : i + 2] for i in range(len(run) - 1)) if len(run) > 1 else out.append(run)
    elif kind == "a" and (run := run.strip(_ASCII_EDGE)):
        _add_plain(run, out) if run.isalpha() else _add_mixed(run, out)
    elif kind == "w":
        out.append(run.lower()[:MAX_TERM_CHARS])


def _is_unspaced(char: str) -> bool:
    """Whether a character belongs to a script that is written without spaces between words."""
    code = ord(char)
    return (
        0x0E00 <= code <= 0x0EFF  # Thai, Lao
        or 0x1000 <= code <= 0x109F  # Myanmar
        or 0x1780 <= code <= 0x17FF  # Khmer
        or 0x3005 <= code <= 0x30FF  # kana and iteration marks
        or 0x3400 <= code <= 0x9FFF  # CJK
        or 0xAC00 <= code <= 0xD7AF  # Hangul: particles are glued to nouns
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x3FFFF
    )


def _fold(word: str) -> str:
    return (word if word.isascii() else _fold_wide(word)).lower()


def _fold_wide(text: str) -> str:
    """Compatibility forms unified, accents of Latin, Greek and Cyrillic letters dropped, other separators spaced."""
    import unicodedata

    out: list[str] = []
    keep_marks = False
    for char in unicodedata.normalize("NFKD", text.translate(_LETTERS)):
        if char < "\x80":
            out.append(char)
            keep_marks = False
            continue
        category = unicodedata.category(char)
        if category[0] == "M":
            if keep_marks:
                out.append(char)
        elif category[0] in "LN":
            out.append(char)
            keep_marks = ord(char) >= 0x590
        elif category != "Cf":
            out.append(" ")
    return unicodedata.normalize("NFC", "".join(out))
