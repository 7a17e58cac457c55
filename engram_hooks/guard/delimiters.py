"""Delimiters that a host, a model or engram reads as structure: they stay readable but open nothing."""

from __future__ import annotations

_QUOTE = "\u2039"  # stands where a delimiter began
_OPENERS = ("<", "＜", "﹤", "&")
_ENTITIES = ("&lt;", "&#60;", "&#060;", "&#x3c;", "&#x03c;", "&#x003c;", "&amp;lt;", "&amp;#60;", "&lt")
_SLASHES = "/／∕⁄\\"
_BARS = "|｜"
_SKIPPED = " \t\u3000\xa0" + _SLASHES + _BARS
_LOOKALIKES = str.maketrans("аеорсхіѕуԁհոԛ", "aeopcxisydhnq") | {c: c - 0xFEE0 for c in range(0xFF01, 0xFF5F)}
_MAX_SKIPPED_CHARS = 12
_MAX_NAME_CHARS = 48

# Neutralised wherever they stand, written without - and _.
_STRONG_WORDS = """
    systemreminder systemprompt systemmessage functioncall functioncalls functionresult
    functionresults invoke tooluse toolresult toolcall toolcalls tooluseerror sys
    userpromptsubmithook sessionstarthook localcommandstdout localcommandstderr localcommandcaveat
    commandname commandmessage commandargs bashinput bashstdout bashstderr tasknotification
    persistedoutput
"""
# Also harmless placeholders or type names: neutralised as a closing tag, or as an opening one that is closed.
_WEAK_WORDS = """
    system user human assistant developer tool tools function functions parameter parameters memory
    memories context instruction instructions important prompt thinking data document documents
    result results
"""
_NOTICES = frozenset(
    "warning note notice instruction instructions context alert update override information".split()
)
_SPEAKERS = frozenset("system user human assistant developer instructions instruction important".split())
_PROSE_WORDS = 3
_STRONG = frozenset(_STRONG_WORDS.split())
_WEAK = frozenset(_WEAK_WORDS.split())


def neutralise_tags(line: str, *, is_lenient: bool = False) -> str:
    """`line` with the first character of every reserved tag replaced; code such as `List<int>` stays.

    Upper case, spaces, attributes, full-width and look-alike letters and entities make no difference.
    `is_lenient`: in text outside of our block, where tags that markup of many kinds has, such as `<data>`, stay.
    """
    tags = [tag for at in _find_openers(line) if (tag := _read_tag(line, at))]
    closed = {name for _, _, name, is_closing in tags if is_closing}
    out: list[str] = []
    done = 0
    for start, width, name, is_closing in tags:
        if name in _WEAK and not is_closing and name not in closed and not _is_bare_system(line, start, name):
            continue
        if (
            is_lenient
            and name in _WEAK
            and (name not in _SPEAKERS or not _holds_prose(line, start, name, closed))
        ):
            continue
        out.append(line[done:start] + _QUOTE)
        done = start + width
    return "".join(out) + line[done:]


def _find_openers(line: str) -> list[int]:
    found: list[int] = []
    for mark in _OPENERS:
        at = line.find(mark)
        while at >= 0:
            found.append(at)
            at = line.find(mark, at + 1)
    found.sort()
    return found


def _read_tag(line: str, at: int) -> tuple[int, int, str, bool] | None:
    """(start, width of the opener, name, whether it closes) where a reserved name follows, else None."""
    width = 1
    if line[at] == "&":
        head = line[at : at + 9].lower()
        width = next((len(entity) for entity in _ENTITIES if head.startswith(entity)), 0)
        if not width:
            return None
    head = line[at + width : at + width + _MAX_SKIPPED_CHARS + _MAX_NAME_CHARS]
    skipped = 0
    while skipped < min(len(head), _MAX_SKIPPED_CHARS) and head[skipped] in _SKIPPED:
        skipped += 1
    lead, rest = head[:skipped], head[skipped:].lower()
    is_closing = any(c in _SLASHES for c in lead)
    if rest.startswith(("&#47;", "&sol;")):
        is_closing, rest = True, rest[5:]
    if not rest.isascii():
        rest = rest.translate(_LOOKALIKES).lower()
    name = _reserved_name(rest, is_token=any(c in _BARS for c in lead))
    return (at, width, name, is_closing) if name else None


def _reserved_name(rest: str, *, is_token: bool) -> str:
    size = 0
    while size < len(rest) and (rest[size].isalnum() or rest[size] in "-_:"):
        size += 1
    name, follows = rest[:size], rest[size : size + 1]
    if is_token:  # <|im_start|>
        return "token" if size and follows in ("|", "▁") else ""
    word = name.replace("-", "").replace("_", "")
    if word == "sys" and follows == "/":
        return ""  # #include <sys/types.h>
    if word.startswith("system") and word[6:] in _NOTICES:
        return word
    if word in _STRONG or name.startswith(("engram", "antml:")):
        return word
    return word if word in _WEAK and follows in ("", " ", ">", "&", "/") else ""


def _is_bare_system(line: str, at: int, name: str) -> bool:
    """`<system>` is structure on its own too, unless a word is glued to it, as in `List<System>`."""
    return name == "system" and (at == 0 or not (line[at - 1].isalnum() or line[at - 1] in "_:<"))


def _holds_prose(text: str, at: int, name: str, closed: set[str]) -> bool:
    """Whether words stand in the element around the tag at `at`, rather than other elements, as in a data file."""
    if name not in closed:
        return True
    low = text[max(0, at - 600) : at + 600].lower()
    opening, closing = low.find("<" + name), low.rfind("</" + name)
    inside = low[opening:closing].partition(">")[2] if 0 <= opening < closing else ""
    return "<" not in inside and len(inside.split()) >= _PROSE_WORDS
