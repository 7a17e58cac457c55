"""Values that stand behind a telling name, in the dialects of code, settings, markup and prose."""

from __future__ import annotations

from engram_hooks.guard.headers import find_credentials
from engram_hooks.guard.names import (
    HEADER,
    KEY,
    NOTHING,
    PASSWORD,
    TOKEN,
    TRIGGERS,
    WIDE_TRIGGERS,
    grade_name,
    is_key_word,
)
from engram_hooks.guard.places import LITERAL, OPEN, SETTERS, locate_value
from engram_hooks.guard.shapes import NAME, run_end, run_start
from engram_hooks.guard.values import close_quote, end_bare, is_secret, open_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.guard.places import Place

    Memo = dict[str, int]
    Span = tuple[int, int, str]

_MAX_NAME_CHARS = 64
_CLIPPED = 96
_VALUE_WORDS = (
    "is",
    "was",
    "to ",
    "are",
    "be ",
    "of ",
    "as ",
    "now",
    "were",
    "equals",
    "str",
    "char",
    "value",
    "for ",
    "by ",
)


def find_assigned(text: str, low: str) -> list[Span]:
    """Spans of values whose name (variable, field, flag, header, attribute) says that they are secret."""
    spans: list[Span] = []
    memo: Memo = {}
    seen: set[int] = set()
    has_login = "config " in low or "login " in low or "machine " in low or "\nuser " in low
    for trigger in TRIGGERS if low.isascii() else TRIGGERS + WIDE_TRIGGERS:
        at = low.find(trigger)
        while at >= 0:
            stop = at + len(trigger.rstrip("=:"))
            end = run_end(text, stop, NAME)
            resume = end
            if end - stop <= _MAX_NAME_CHARS and (has_login or not _is_prose(text, low, at, end)):
                end = max(stop, at + len(text[at:end].rstrip(".-")))
                start = run_start(text, at, NAME, max_chars=_CLIPPED)
                if start not in seen and at - start < _CLIPPED:
                    seen.add(start)
                    resume = max(resume, _visit(text, low, (start, end), memo, spans=spans))
            at = low.find(trigger, resume)
    return spans


def _is_prose(text: str, low: str, start: int, end: int) -> bool:
    """Whether the word is followed by another that gives it no value, as in a sentence."""
    if text[end : end + 1] != " " or not text[end + 1 : end + 2].isalpha() or "_" in text[start:end]:
        return False
    before = text[start - 1 : start]
    return (
        before in ("", " ", "\n")
        and not low.startswith(_VALUE_WORDS, end + 1)
        and not low[max(0, start - 8) : start].strip().endswith(SETTERS)
    )


def _visit(text: str, low: str, name: tuple[int, int], memo: Memo, *, spans: list[Span]) -> int:
    """Take the value of the name where it is secret; where the value ends, 0 where none was taken."""
    start, end = name
    following = text[end : end + 1]
    if (following.isalpha() and following.isascii()) or text[start - 3 : start] == "://":
        return 0
    word = text[start:end].strip("-._")
    grade = memo.get(word, -1)
    if grade < 0:
        grade = memo[word] = grade_name(word)
    if grade == NOTHING and is_key_word(low[start:end], low[max(0, start - 20) : start]):
        grade = TOKEN
    if grade == NOTHING:
        return 0
    place = locate_value(text, low, start, end)
    if place is None or (grade == KEY and not word.isupper()):
        return 0
    if grade == HEADER:
        found = find_credentials(text, low, place[0])
        spans.extend(found)
        return found[-1][1] if found else 0
    span = _take(text, low, place, grade=grade, memo=memo)
    if span is None:
        return 0
    spans.append(span)
    return span[1]


def _take(text: str, low: str, place: Place, *, grade: int, memo: Memo) -> Span | None:
    at, style = place
    start, delimiter = open_value(text, at)
    if delimiter:
        end = close_quote(text, start, delimiter)
        if end >= 0:
            return _judge(text, (start, end), grade, style=style, memo=memo)
        delimiter = ""
    if style == LITERAL and text.startswith(("<", ">"), at):
        return None
    is_line = style == LITERAL and _is_line(text, low, at)
    end = end_bare(text, start, is_line=is_line)
    if end == start:
        return None
    return _judge_bare(text, (start, end), grade, style=style, memo=memo)


def _judge(text: str, span: tuple[int, int], grade: int, *, style: int, memo: Memo) -> Span | None:
    start, end = span
    value = text[start:end]
    lead = len(value) - len(value.lstrip())
    value = value.strip()
    scheme, blank, rest = value.partition(" ")
    if blank and " " not in rest and scheme.lower() in ("bearer", "basic", "token", "bot", "apikey", "ssws"):
        lead += len(scheme) + 1
        value = rest
    if value and _is_secret(value, grade, style, memo):
        return start + lead, start + lead + len(value), _name_kind(grade)
    return None


def _judge_bare(text: str, span: tuple[int, int], grade: int, *, style: int, memo: Memo) -> Span | None:
    start, end = span
    after = text[end : end + 1]
    value = text[start:end]
    if value.lower() in ("bearer", "basic", "token", "bot") and after == " ":
        start = end + 1
        end = end_bare(text, start, is_line=False)
        value, after, style = text[start:end], text[end : end + 1], LITERAL
    if (after in ("(", "[") and after) or _is_call(value, after):
        return None
    if style == LITERAL and after in (")", ",", ".", "]", "}") and after and value.isidentifier():
        style = OPEN
    if value and (_is_secret(value, grade, style, memo) or _is_setting(text, (start, end), grade)):
        return start, end, _name_kind(grade)
    return None


def _is_call(value: str, after: str) -> bool:
    """Whether `value` is the beginning of a call or a subscript, cut before its closing bracket."""
    openers = [i for i in (value.find("("), value.find("["), value.find("{")) if i >= 0]
    if not openers or value.startswith("[redacted"):
        return False
    called = value[: min(openers)].replace(".", "_").replace("->", "_").replace("::", "_").lstrip("&*!")
    if called and not called.isidentifier():
        return False
    return after not in ("", " ", "\n") or value.endswith((")", "(", "]", "["))


def _is_secret(value: str, grade: int, style: int, memo: Memo) -> bool:
    key = f"{grade}{style} {value}"
    known = memo.get(key)
    if known is None:
        known = memo[key] = int(is_secret(value, grade, is_literal=style == LITERAL))
    return bool(known)


def _is_setting(text: str, span: tuple[int, int], grade: int) -> bool:
    """A word with digits that fills its line behind a password's name: `password: hunter2`."""
    value = text[span[0] : span[1]]
    if grade != PASSWORD or len(value) < 6 or "pass" in value.lower() or "." in value or "_" in value:
        return False
    rest = text[span[1] : span[1] + 2].lstrip(" \r")
    if rest and rest[0] not in "\n#":
        return False
    return any(c.isdigit() for c in value) and is_secret(value, PASSWORD, is_literal=True)


def _is_line(text: str, low: str, at: int) -> bool:
    """Whether the value at `at` has the rest of its line: `NAME=value` that opens a line, or behind `export`."""
    opening = text[max(text.rfind("\n", max(0, at - 120), at) + 1, at - 120) : at]
    name, equals, rest = opening.partition("=")
    if not equals or rest.strip("\"'"):
        return False
    words = name.split()
    return len(words) == 1 or (
        len(words) == 2 and words[0].lower() in ("export", "env", "arg", "set", "-e", "-")
    )


def _name_kind(grade: int) -> str:
    return "password" if grade == PASSWORD else "key" if grade == KEY else "token"
