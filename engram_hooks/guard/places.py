"""Where the value of a name stands: behind an operator, a comma, a tag, a flag, a word."""

from __future__ import annotations

from engram_hooks.guard.shapes import NAME, run_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    Place = tuple[int, int]

OPEN, LITERAL = range(2)  # code may stand there too; only literals stand there

_OPERATORS = (
    "===", "!==", "::=", "||=", "??=", "==", "!=", "=>", ":=", "?=", "+=", "->", "=", ":", "\uff1a",
    "%3d", "%3a",
    "\\u003d", "\\u003a", "&#61;",
)  # fmt: skip
_CLOSERS = ("&quot;", "&#34;", "&#39;", "%22", "%27", "\\u0022", "\\u0027", "%5d")
_CLOSING = frozenset("\\\"'`])&%")
SETTERS = (
    "env",
    "arg",
    "setenv",
    "setx",
    "set",
    "add",
    "put",
    "-x",
    "-gx",
    "-ux",
    "-xg",
    "define",
    "const",
    "export",
)
_COPULAS = ("is", "was", "to", "are", "be", "of", "as", "=>", "now", "were", "equals")
_MAX_BLANKS = 48


def locate_value(text: str, low: str, start: int, end: int) -> Place | None:
    """(where the value of the name at `start` to `end` begins, style); None where the name has no value here."""
    closed = _skip_closers(text, low, end)
    after = run_end(text, closed, " \t", closed + _MAX_BLANKS)
    step = _skip_operator(low, after)
    if step > after:
        return _behind_operator(text, low, (start, end, closed, after, step))
    mark = text[after : after + 1]
    if mark == ">" or text.startswith("</", after):
        return _behind_tag(text, start, after)
    value = low.find("value", closed, closed + 40)
    if value >= 0 and not low[closed:value].strip(" \t\r\n,\"'-\\{}parmet"):
        at = _skip_closers(text, low, value + 5)
        step = _skip_operator(low, run_end(text, at, " \t"))
        return (run_end(text, step, " \t"), LITERAL) if step > at else None
    if mark == "{" and closed > end:
        return _behind_default(text, low, after)
    if mark == "," and closed > end:
        return _behind_comma(text, start, after)
    if after == closed or closed - end > 1:
        return None
    return _behind_blank(text, low, (start, end, after))


def _skip_closers(text: str, low: str, at: int) -> int:
    """Past quotes, backslashes and brackets that close the name."""
    for _ in range(6):
        if text[at : at + 1] not in _CLOSING:
            return at
        slashes = run_end(text, at, "\\")
        mark = text[slashes : slashes + 1]
        if mark and mark in "\"'`":
            at = slashes + 1
        elif slashes == at and mark and mark in "])":
            at += 1
        else:
            quote = next((quote for quote in _CLOSERS if low.startswith(quote, at)), "")
            if not quote:
                return at
            at += len(quote)
    return at


def _skip_operator(low: str, at: int) -> int:
    if low[at : at + 1] not in ("=", "!", ":", "|", "?", "+", "-", "\uff1a", "%", "\\", "&"):
        return at
    for operator in _OPERATORS:
        if low.startswith(operator, at):
            stop = at + len(operator)
            if (
                operator == ":"
                and low[stop : stop + 1] in (":", "/")
                and low[stop : stop + 2] in ("::", "//", ":")
            ):
                return at
            return at if operator == ":" and low[stop : stop + 1] == ":" else stop
    return at


def _behind_operator(text: str, low: str, marks: tuple[int, int, int, int, int]) -> Place | None:
    start, end, closed, after, step = marks
    at = run_end(text, step, " \t", step + _MAX_BLANKS)
    operator = text[after:step]
    if operator == ":" and start and text[start - 1] == ":":
        return None
    name = text[start:end]
    if text[at : at + 1] in ("|", ">") and operator == ":":
        line_end = text.find("\n", at, at + 4)
        return (run_end(text, line_end + 1, " ", line_end + _MAX_BLANKS), LITERAL) if line_end > 0 else None
    typed = _skip_type(text, at) if operator == ":" else at
    if typed > at:
        return typed, _quoted_style(text, typed)
    if operator == "=":
        tight = after == closed and at == step
        return at, LITERAL if tight or name.strip("-._").isupper() else _quoted_style(text, at)
    if operator in ("==", "!=", "===", "!=="):
        return (at, OPEN) if text[at : at + 1] in ('"', "'") else None
    is_header = "-" in name and name[:1].isalpha() and operator == ":" and closed == end
    shouted = name.isupper() and len(name) > 5
    return at, LITERAL if is_header or shouted or operator.startswith(("%", "\\", "&")) else _quoted_style(
        text, at
    )


def _quoted_style(text: str, at: int) -> int:
    return LITERAL if text[at : at + 1] in ('"', "'", "`", "\\", "&", "b") else OPEN


def _skip_type(text: str, at: int) -> int:
    """Past the type in `name: str = "..."`, `at` where there is none."""
    end = run_end(text, at, NAME + "[]<>|? &'", at + 60)
    if (
        end == at
        or text[end : end + 1] != "="
        or text[end + 1 : end + 2] in ("=", ">")
        or text[end - 1] != " "
    ):
        return at
    return run_end(text, end + 1, " ", end + 8)


def _behind_tag(text: str, start: int, after: int) -> Place | None:
    """`<name>value`, `<x key="name">value`, `<key>name</key><string>value`."""
    if text[after] == ">":
        opening = text.rfind("<", max(0, start - 200), start)
        if opening < 0 or ">" in text[opening:start]:
            return None
        return run_end(text, after + 1, " \t\r\n", after + _MAX_BLANKS), OPEN
    if text[start - 1 : start] != ">":
        return None
    close = text.find(">", after, after + 40)
    if close < 0:
        return None
    opening = run_end(text, close + 1, " \t\r\n", close + _MAX_BLANKS)
    if text[opening : opening + 1] != "<":
        return None
    close = text.find(">", opening, opening + 40)
    return (close + 1, OPEN) if close > 0 and text[close - 1] != "/" else None


def _behind_default(text: str, low: str, after: int) -> Place | None:
    """`variable "db_password" { default = "value" }`."""
    close = low.find("}", after, after + 300)
    at = low.find("default", after, close if close > 0 else after + 300)
    if at < 0:
        return None
    equals = run_end(text, at + 7, " \t")
    return (run_end(text, equals + 1, " \t"), LITERAL) if text[equals : equals + 1] == "=" else None


def _behind_comma(text: str, start: int, after: int) -> Place | None:
    at = run_end(text, after + 1, " \t\r\n", after + _MAX_BLANKS)
    mark = text[at : at + 1]
    if mark in ("b", "u", "r"):
        mark = text[at + 1 : at + 2]
    if mark not in ('"', "'", "`", "\\") or not mark:
        return None
    before = text[max(0, start - 6) : start].rstrip("\"'`\\bu ")
    if before.endswith("(") or text[start] == "-":
        return at, LITERAL
    return (at, OPEN) if before.endswith(("[", "{")) or text[start:after].lower().startswith("auth") else None


def _behind_blank(text: str, low: str, marks: tuple[int, int, int]) -> Place | None:
    """Flags, `ENV NAME value`, `PASSWORD 'value'`, `login x password value`, `the password is value`."""
    start, end, after = marks
    mark = text[after : after + 1]
    if text[start : start + 1] == "-" or (
        start and text[start - 1] in "-/" and text[start - 2 : start - 1] in (" ", "-", "")
    ):
        return (after, LITERAL) if mark not in ("-", "<", "[", "|", "\\", "") else None
    if mark in ('"', "'", "`", "\u201c"):
        return (after, LITERAL) if low[start:end] not in ("pass", "passes", "auth") else None
    before = low[max(0, start - 24) : start].split()
    if (
        before
        and low[start - 1 : start] in (" ", "\t", '"')
        and before[-1].lstrip("#") in SETTERS
        and (start + 3 < end)
    ):
        return after, LITERAL
    line = low[max(0, start - 160) : start]
    if "login " in line or "machine " in line or "\nuser " in line or "config " in line.rpartition("\n")[2]:
        return after, LITERAL
    word = low[after : after + 10].split(None, 1)[:1]
    if not word:
        return None
    if word[0].rstrip(":") in _COPULAS:
        at = run_end(text, after + len(word[0]), " :\t", after + 24)
        return at, LITERAL if word[0] in ("is", "was", "is:", "to") else _quoted_style(text, at)
    if word[0] == "for":
        return _behind_question(text, after)
    if word[0] in ("string", "str", "char"):
        at = run_end(low, after + len(word[0]), " *[]")
        return (run_end(text, at + 1, " ", at + 8), OPEN) if low[at : at + 1] == "=" else None
    return None


def _behind_question(text: str, after: int) -> Place | None:
    """`password for bob: value`, the value last on its line."""
    line = text[after : after + 160].partition("\n")[0]
    colon = line.rfind(": ")
    if colon < 0 or " " in line[colon + 2 :].strip():
        return None
    return after + colon + 2, LITERAL
