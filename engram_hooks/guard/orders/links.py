"""Images, frames, scripts and links that call home when somebody shows them, and comments that speak to an agent."""

from __future__ import annotations

import re

from engram_hooks.guard.orders.addressed import DANGER

_IMAGE = re.compile(
    r"!\[[^\]\n]{0,200}\]\s{0,3}\(\s{0,3}<?(?:https?:|//|data:|ftp:|file:|\\\\)[^)\n]{0,2000}\)?", re.I
)
_IMAGE_REF = re.compile(r"!\[([^\]\n]{0,200})\]\s?\[([^\]\n]{0,200})\]")
_DEFINITION = re.compile(
    r"^[ ]{0,3}\[([^\]\n]{1,200})\]:[ \t]{0,3}<?(?:https?:|//|data:)[^\n]{0,2000}", re.M | re.I
)
_ELEMENT = re.compile(
    r"<\s{0,3}(img|script|iframe|link|source|object|embed|picture|video|audio|form|input|base|svg|"
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
    r"(?:(?<=[:\s,])(?-i:url)\(|@import\s)\s{0,3}[\"']?(?:https?:)?//[^)\"'\n]{0,300}[?=][^)\n;]{0,500}\)?",
    re.I,
)
_LURE = re.compile(
    r"(?<!!)\[[^\]\n]{0,200}\]\(\s{0,3}<?https?://[^)\s]{1,300}[?&/#][\w.-]{0,40}=?"
    r"(?:\{\{?|\$\{|\$\(|<|%7b|\[)\s?[\w .'-]{0,60}(?:secret|key|token|env|prompt|history|conversation|"
    r"data|password|content|memory|cred)[^)\n]{0,200}\)?",
    re.I,
)
_UNSHOWN = re.compile(
    r"<\w+\b[^<>]{0,300}?(?:display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0(?![.\d])|font-size\s?:\s?0|"
    r"color\s?:\s?(?:white|transparent|#fff(?:fff)?)\b|\shidden\b|left\s?:\s?-\d{3,}|"
    r"height\s?:\s?0)[^<>]{0,300}>([^<]{3,2000})",
    re.I,
)
_TO_AGENT = re.compile(r"(?:system|assistant|ai|agents?|llm|claude|bot|model|copilot|gpt)\b[\w ]{0,20}[:,]")
_VERB = re.compile(
    r"""(?:(?:please|now|you\s+must|you\s+should|always|never|do\s+not|don't|also|then|first|silently|
    secretly|quietly)\s+)*
    (?:run|execute|push|send|delete|remove|grant|approve|merge|install|upload|post|copy|move|commit|
    disable|enable|ignore|skip|open|visit|
    fetch|download|print|reveal|show|tell|write|replace|give|allow|accept|respond|
    overwrite|reset|drop|wipe|erase|share|e-?mail|transfer|forward|leak|trust|bypass|append|insert|pretend|act)\b""",
    re.X,
)
_COMMENT = re.compile(r"^\[//\]:\s{0,3}#\s{0,3}\([^\n]{0,4000}\)?", re.M)
_JUDGED_CHARS = 2_000


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


def find_unseen(text: str, low: str) -> list[tuple[int, int, bool]]:
    """(start, end, whether it reads as an order) of comments and of elements that are not shown."""
    found: list[tuple[int, int, bool]] = []
    found += [
        (start, end, _is_order(text[start : start + _JUDGED_CHARS])) for start, end in _find_comments(text)
    ]
    if "[//]:" in text:
        found += [(*match.span(), _is_order(match[0])) for match in _COMMENT.finditer(text)]
    if "style" in low or "hidden" in low:
        found += [(*match.span(), _is_order(match[1])) for match in _UNSHOWN.finditer(text)]
    return found


def _find_comments(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    start = text.find("<!--")
    while start >= 0:
        close = text.find("-->", start + 4)
        end = len(text) if close < 0 else close + 3
        found.append((start, end))
        start = text.find("<!--", end)
    return found


def _is_order(words: str) -> bool:
    low = words.lower().lstrip(" \t\n<!-#([/\\]:").rstrip(" \t\n->)")
    return _TO_AGENT.match(low) is not None or (
        _VERB.match(low) is not None and DANGER.search(low) is not None
    )


def _find_reference_images(text: str) -> list[tuple[int, int, str]]:
    """Images by label with a definition in the same text that leads elsewhere, both ends."""
    places = {match[1].strip().lower(): match.span() for match in _DEFINITION.finditer(text)}
    found: list[tuple[int, int, str]] = []
    for match in _IMAGE_REF.finditer(text):
        place = places.get((match[2] or match[1]).strip().lower())
        if place:
            found += [(*match.span(), "image"), (*place, "image")]
    return found
