"""Images, frames, scripts and links that call home when somebody shows them, and comments that speak to an agent."""

from __future__ import annotations

import re

_IMAGE = re.compile(
    r"!\[[^\]\n]{0,500}\]\s{0,3}\(\s{0,3}<?(?:https?:|//|data:|ftp:|file:|\\\\)[^)\n]{0,2000}\)?", re.I
)
_IMAGE_REF = re.compile(r"!\[([^\]\n]{0,200})\]\s?\[([^\]\n]{0,200})\]")
_DEFINITION = re.compile(
    r"^[ ]{0,3}\[([^\]\n]{1,200})\]:[ \t]{0,3}<?(?:https?:|//|data:)[^\n]{0,2000}", re.M | re.I
)
_ELEMENT = re.compile(
    r"<\s{0,3}(img|script|iframe|link|source|object|embed|picture|video|audio|form|input|base|meta|svg|"
    r"style|frame|track|image)\b[^<>]{0,2000}?"
    r"(?:src|srcset|href|data|poster|action|url|content|background|"
    r"formaction)\s{0,3}[=(]\s{0,3}[\"']?[^\"'>]{0,40}?(?:https?:|//|data:)[^<>]{0,2000}>?",
    re.I,
)
_SCRIPT = re.compile(r"<\s{0,3}script\b[^>]{0,500}>[^<]{0,4000}(?:<\s{0,3}/\s{0,3}script\s{0,3}>)?", re.I)
_HANDLER = re.compile(
    r"<\s{0,3}\w+\b[^<>]{0,500}\son(?:error|load|mouseover|click|focus)\s{0,3}=[^<>]{0,1000}>?", re.I
)
_TALKS = (
    "fetch(",
    "xmlhttprequest",
    "sendbeacon",
    "document.cookie",
    "new image",
    "location",
    "import(",
    "websocket",
    "eval(",
    "atob(",
)
_SCHEME = re.compile(
    r"\]\(\s{0,3}<?(?:javascript|vbscript|data):[^)\n]{0,2000}\)?|"
    r"href\s{0,3}=\s{0,3}[\"']?\s{0,3}(?:javascript|vbscript|data):[^\"'>\n]{0,2000}",
    re.I,
)
_CSS = re.compile(
    r"(?:url\(|@import\s)\s{0,3}[\"']?(?:https?:)?//[^)\"'\n]{0,300}[?=][^)\n;]{0,500}\)?", re.I
)
_LURE = re.compile(
    r"(?<!!)\[[^\]\n]{0,200}\]\(\s{0,3}<?https?://[^)\s]{1,300}[?&/#][\w.-]{0,40}=?"
    r"(?:\{\{?|\$\{|\$\(|<|%7b|\[)\s?[\w .'-]{0,60}(?:secret|key|token|env|prompt|history|conversation|"
    r"data|password|content|memory|cred)[^)\n]{0,200}\)?",
    re.I,
)
_COMMENT = re.compile(r"<!--.{0,8000}?(?:-->|\Z)|^\[//\]:\s{0,3}#\s{0,3}\([^\n]{0,4000}\)?", re.S | re.M)


def find_links(text: str, low: str) -> list[tuple[int, int, str]]:
    """(start, end, kind) of markup that loads something from another machine, or runs something, when shown."""
    found: list[tuple[int, int, str]] = []
    if "![" in text:
        found += [(*match.span(), "image") for match in _IMAGE.finditer(text)]
        found += _find_reference_images(text)
    if "<" in text:
        found += [(*match.span(), "beacon") for match in _ELEMENT.finditer(text)]
        if "<" in low and "script" in low:
            found += [
                (*m.span(), "beacon")
                for m in _SCRIPT.finditer(text)
                if any(word in m[0].lower() for word in _TALKS)
            ]
        if " on" in low:
            found += [
                (*m.span(), "beacon")
                for m in _HANDLER.finditer(text)
                if any(word in m[0].lower() for word in _TALKS)
            ]
    if "script:" in low or "data:" in low:
        found += [
            (match.start() + match[0].startswith("]"), match.end(), "beacon")
            for match in _SCHEME.finditer(text)
        ]
    if "url(" in low or "@import" in low:
        found += [(*match.span(), "beacon") for match in _CSS.finditer(text)]
    if "](" in text:
        found += [(*match.span(), "beacon") for match in _LURE.finditer(text)]
    return found


def find_comments(text: str) -> list[tuple[int, int]]:
    """Spans of comments of HTML and Markdown, which nobody sees where the text is shown."""
    return [match.span() for match in _COMMENT.finditer(text)] if "<!--" in text or "[//]:" in text else []


def _find_reference_images(text: str) -> list[tuple[int, int, str]]:
    """Images by label with a definition in the same text that leads elsewhere, both ends."""
    places = {match[1].strip().lower(): match.span() for match in _DEFINITION.finditer(text)}
    found: list[tuple[int, int, str]] = []
    for match in _IMAGE_REF.finditer(text):
        place = places.get((match[2] or match[1]).strip().lower())
        if place:
            found += [(*match.span(), "image"), (*place, "image")]
    return found
