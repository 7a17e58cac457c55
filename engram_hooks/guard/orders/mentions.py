"""Whether words that read as an order are only spoken about: quoted in a text on security, in a test, in a rule."""

from __future__ import annotations

import re

_QUOTES = "\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb"
_AROUND_CHARS = 240
_ABOUT = re.compile(
    r"""inject|attack|jailbreak|malicious|adversar|untrusted|saniti[sz]|neutrali[sz]|guardrail|
    red[\s-]?team|exploit|phish|
    such\s+as|e\.\s?g\.|for\s+(?:example|instance)|examples?\b|phrases?\b|classif|detect|pattern|regex|
    \btests?\b|assert|
    fixture|\blike\b|filter|block(?:s|ed|ing)?\b|threat|vulnerab|spoof|reject|flag(?:s|ged)?\b|strings?\b|
    payload|heuristic|
    owasp|hostile|\bpoison|keyword|corpus|dataset|benchmark|matches|contain(?:s|ing)?\b|quot|paper\b|
    called\b|trick""",
    re.X,
)
_IF = re.compile(
    r"(?:^|[\n.!?:;>#*-]\s?)\s*(?:if|when|unless|once|where|in\s+case|for\s+(?:users|those|"
    r"people))\s(?!you(?:'re|\s+are)\s+(?:an?\s+)?(?:ai|llm|language|assistant|agent|"
    r"claude))[^.!?\n]{3,160},\s*(?:\w+\s+)?$"
)
_THEN_IF = re.compile(
    r"\s*,?\s*(?:if|unless|when|for)\s+(?!you(?:'re|\s+are)\s+(?:an?\s+)?(?:ai|llm|assistant|agent))\w"
)


def is_mention(text: str, start: int, end: int) -> bool:
    """Whether the span of a folded text is quoted where the text around it speaks about such words."""
    before = text[max(0, start - 60) : start]
    line_start = before.rfind("\n") + 1
    line_before = before[line_start:]
    after = text[end : end + 120].split("\n", 1)[0]
    is_quoted = any(
        (quote in line_before and quote in after) or line_before.endswith(quote) for quote in _QUOTES
    )
    if not is_quoted:
        return False
    around = text[max(0, start - _AROUND_CHARS) : start] + " \n " + text[end : end + _AROUND_CHARS]
    return _ABOUT.search(around) is not None


def is_conditional(text: str, start: int, end: int) -> bool:
    """Whether it is advice to some readers: 'If you use Docker, skip the previous instructions'."""
    return (
        _IF.search(text[max(0, start - 200) : start]) is not None
        or _THEN_IF.match(text, end, end + 60) is not None
    )
