"""Credentials in request headers: authorization schemes and cookies, in any quoting."""

from __future__ import annotations

from engram_hooks.guard.names import HEADER, TOKEN
from engram_hooks.guard.shapes import NAME, count_switches, has_digit_and_letter, is_hex, is_random, run_end
from engram_hooks.guard.values import close_quote, end_bare, is_blank, is_secret, open_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

_ATTRIBUTES = frozenset(
    "path domain expires max-age samesite secure httponly priority partitioned version comment".split()
)
_HARMLESS = frozenset("lang locale theme tz timezone country currency consent".split())
_TELLING = (
    "sess",
    "auth",
    "token",
    "sid",
    "csrf",
    "xsrf",
    "jwt",
    "remember",
    "login",
    "secure",
    "user",
    "identity",
    "ticket",
)
_SIGNED = ("signature=", "response=", "mac=", "oauth_token=", "signature: ")
_MAX_LINE_CHARS = 1024


def find_credentials(text: str, low: str, at: int) -> list[Span]:
    """The credentials in the value of an Authorization header that begins at `at`."""
    start, end = _bounds(text, at)
    start = run_end(text, start, " ", end)
    scheme_end = run_end(text, start, NAME, end)
    if text[scheme_end : scheme_end + 1] not in (" ", ":") or scheme_end == start or scheme_end >= end - 1:
        return _take(text, start, min(end, end_bare(text, start, is_line=False)))
    if "=" in text[scheme_end : scheme_end + 120] and low.startswith(
        ("aws4", "digest", "oauth", "hawk", "signature"), start
    ):
        return _signed(text, low, scheme_end, end)
    first = run_end(text, scheme_end, " :", end)
    if text[start:scheme_end].isalpha() or "-" in text[start:scheme_end] or "_" in text[start:scheme_end]:
        found = _take(text, first, min(end, end_bare(text, first, is_line=False)))
        return found or _take(text, start, scheme_end)
    return _take(text, start, scheme_end)


def find_schemes(text: str, low: str) -> list[Span]:
    """Credentials behind `Bearer` and `Basic` where no header name is near."""
    spans: list[Span] = []
    for scheme in ("bearer", "basic"):
        at = low.find(scheme)
        while at >= 0:
            start = run_end(text, at + len(scheme), " :=%20\"'", at + 16)
            if start > at + len(scheme) and not low[at - 1 : at].isalnum():
                end = end_bare(text, start, is_line=False)
                value = text[start:end]
                if len(value) >= 12 and not is_blank(value) and _is_credential(value, scheme):
                    spans.append((start, end, "token"))
            at = low.find(scheme, at + len(scheme))
    return spans


def find_cookies(text: str, low: str) -> list[Span]:
    """Values of cookies in Cookie and Set-Cookie headers, `--cookie` flags and the like."""
    spans: list[Span] = []
    at = low.find("cookie")
    while at >= 0:
        stop = at + 6 + low.startswith("s", at + 6)
        colon = run_end(text, stop, "\"'\\ \t:=,>(", stop + 12) if text[stop : stop + 1] else stop
        if text[stop:colon].strip() or text[max(0, at - 2) : at] == "--":
            opener = text[stop:colon].rstrip(" ")[-1:]
            quote = (
                opener
                if (opener in ('"', "'") and text[stop:colon].count(opener) % 2 == 1) or opener in ('"', "'")
                else ""
            )
            end = _line_end(text, colon, quote)
            _crumble(text, (colon, end), spans)
            stop = max(stop, end)
        at = low.find("cookie", stop)
    return spans


def _bounds(text: str, at: int) -> tuple[int, int]:
    start, delimiter = open_value(text, at)
    if delimiter:
        end = close_quote(text, start, delimiter)
        if end >= 0:
            return start, end
    return start, _line_end(text, start, "")


def _line_end(text: str, start: int, quote: str) -> int:
    line = text[start : start + _MAX_LINE_CHARS]
    for stop in ("\n", "\\n", "\\r", '\\"', '"', quote or "'"):
        cut = line.find(stop)
        if cut >= 0:
            line = line[:cut]
    return start + len(line)


def _take(text: str, start: int, end: int) -> list[Span]:
    value = text[start:end].rstrip(",;.")
    if len(value) < 6 or not is_secret(value, HEADER, is_literal=True):
        return []
    return [(start, start + len(value), "token")]


def _signed(text: str, low: str, start: int, end: int) -> list[Span]:
    spans: list[Span] = []
    for name in _SIGNED:
        at = low.find(name, start, end)
        if at >= 0:
            first = at + len(name) + (text[at + len(name) : at + len(name) + 1] == '"')
            stop = end_bare(text, first, is_line=False)
            spans.extend(_take(text, first, stop))
    return spans


def _is_credential(value: str, scheme: str) -> bool:
    if scheme == "basic":
        return len(value.rstrip("=")) >= 11 and (count_switches(value) >= 3 or value.endswith("="))
    return (
        is_random(value)
        or is_hex(value)
        or (has_digit_and_letter(value) and len(value) >= 16 and count_switches(value) >= 2)
    )


def _crumble(text: str, line: tuple[int, int], spans: list[Span]) -> None:
    at, end = line
    while at < end:
        stop = text.find(";", at, end)
        stop = end if stop < 0 else stop
        name, equals, value = text[at:stop].partition("=")
        first = at + len(name) + 1
        value = value.split(" ", 1)[0].strip("\"'")
        key = name.strip(" \"'").lower()
        if equals and value and key not in _ATTRIBUTES and key not in _HARMLESS and " " not in key:
            first = text.find(value, first, stop)
            telling = any(word in key for word in _TELLING)
            if not is_blank(value) and (
                is_secret(value, TOKEN, is_literal=True) if telling else is_random(value, min_chars=16)
            ):
                spans.append((first, first + len(value), "cookie"))
        at = stop + 1
