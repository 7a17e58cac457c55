"""Orders to hand out what is secret, and to run what a stranger's server answers."""

from __future__ import annotations

import re

from engram_hooks.guard.orders.addressed import SECRETS, end_of_sentence
from engram_hooks.guard.orders.phrases import is_led_to

_OUT = r"""(?:send|post|upload|e-?mail|mail|transmit|exfiltrate|forward|leak|submit|report|deliver|share|
    transfer|copy|paste|append|include|embed|
    encode|add|put|attach|insert|fetch|print|output|echo|dump|cat|read|visit|open|load|request|get|render|
    call|curl|collect|gather|extract|grab|
    write|publish|push|base64|smuggle|hide|beacon|ping|place|drop|sync|steal|harvest|beam|ship|relay|stream|
    save|retrieve|list|find|look|search|make|issue|perform|use)"""
_WIDE = r"""(?:contents?|every|all|any|full|entire|complete|user'?s|your|whole|raw|actual|value|values|
    current|everything|whatever|stored|saved|their|base64\w*|
    \.env\b|environment|env|id_rsa|id_ed25519|\.ssh|\.aws|\.npmrc|\.netrc|/etc/|conversation|chat|
    system\s+prompt|memory|transcript|printenv|keychain|wallet|
    local|credentials?|secrets?|passwords?|keys|tokens)"""
_PLACE = r"""(?:https?://|www\.|[\w.+-]{1,64}@[\w-]{1,64}\.\w|\b[\w-]+\.(?:com|net|io|org|example|invalid|test|dev|
    xyz|ru|cn|app|sh|co|site|online|me|info|ngrok|tld)\b|
    webhook|pastebin|gist\b|dns\b|telegram|discord|slack\s+channel|attacker|(?:this|that|the\s+following|
    our|my|an?)\s+(?:external\s+|remote\s+|public\s+)*
    (?:url|address|endpoint|server|site|host|query|issue|comment|channel|collector)|
    (?:in|into|to|as|via|within|inside|through)\s+(?:the|your|every|each|any|an?)\s+(?:next\s+|final\s+|
    first\s+|last\s+|commit\s+|pr\s+|
    pull\s+request\s+|public\s+|issue\s+|code\s+)*
    (?:reply|response|answer|output|message|comment|image|link|url|query\s+string|description|summary|
    query\s+parameter|path|body|title|alt\s+text|readme))"""
_LEAK = re.compile(rf"(?<![\w-])(?P<order>{_OUT}\b(?!\s*[(=:.]\S))", re.X)
_WHAT = re.compile(SECRETS, re.X)
_WHERE = re.compile(_PLACE, re.X)
_OUTSIDE = re.compile(
    r"https?://|www\.|[\w.+-]{1,64}@[\w-]{1,64}\.\w|webhook|pastebin|\.(?:com|net|io|example|invalid|test|ru|cn|"
    r"xyz)\b"
)
_HOW_MUCH = re.compile(rf"\b{_WIDE}", re.X)
_REACH_CHARS = 280
_BULK = re.compile(
    r"""\b(?:contents?\s+of|values?\s+of|all\s+(?:the\s+|of\s+the\s+|your\s+)?\w+|every\s+\w+|any\s+\w+|user'?s|full|
    entire|whole|conversation|chat\s+history|system\s+prompt|your\s+\w+|
    id_rsa|id_ed25519|/etc/|printenv|transcript|base64|everything|whatever|keychain|wallet)|~?/?\.(?:env|
    ssh|aws|npmrc|netrc|kube)\b""",
    re.X,
)
_HANDED = re.compile(
    rf"""\b(?:curl|wget|nc|ncat|netcat|scp|rsync|ftp|invoke-\w+|iwr|irm)\b[^\n]{{0,160}}?(?:@|<|=@|
    \$\(\s*(?:cat|printenv|env)\b|`(?:cat|env)\b)[^\n]{{0,60}}?{SECRETS}[^\n]{{0,120}}|
    \b(?:cat|printenv|env|tar|zip|base64)\b[^\n|]{{0,80}}(?:{SECRETS})?[^\n|]{{0,60}}\|[^\n]{{0,80}}?\b(?:curl|wget|nc|ncat|netcat|invoke-\w+)\b[^\n]{{0,160}}""",
    re.X,
)
_PIPE = re.compile(
    r"""(?:\b(?:curl|wget|fetch|http|iwr|irm|invoke-webrequest|
    invoke-restmethod)\b[^\n|;]{3,300}\|\s*(?:sudo\s+)?(?:[\w./-]*/)?(?:env\s+)?
    (?:(?:ba|z|da|k|fi|a)?sh|python\d?|perl|ruby|node|php|iex|invoke-expression|source|deno)\b|
    \b(?:(?:ba|z|da|k)?sh|python\d?|source|eval|\.)\s+(?:-\w+\s+)?["']?[<$]\(\s*(?:curl|wget)[^\n)]{3,300}\)|
    \b(?:base64\s+(?:-d|--decode|-D)|xxd\s+-r[^\n|]{0,20}|openssl\s+enc[^\n|]{0,40}|gunzip|rev|
    tr\s+\S+\s+\S+)\s*\|\s*(?:sudo\s+)?(?:(?:ba|z|da|k)?sh|python\d?|perl|node)\b|
    \biex\s*\(?\s*(?:\(?\s*new-object|irm|iwr|\[)[^\n]{3,200}|
    \bpowershell(?:\.exe)?\s[^\n]{0,60}-e(?:nc\w*)?\s+\S{16,})""",
    re.X,
)
_FETCH_RUN = re.compile(
    r"""(?<![\w-])(?P<order>(?:download|fetch|get|pull|curl|wget|grab|retrieve|
    install|load|open|visit|read|go\s+to)\b[^\n]{0,160}?(?:https?://|ftp://|\bfrom\s+\S+\.\w{2,}/)[^\n]{0,160}?
    \b(?:and|then|,|&&|;)\s*(?:then\s+)?(?:run|execute|eval|source|launch|start|chmod|bash|sh|follow|obey|
    apply|do)\b[^\n]{0,120})""",
    re.X,
)
_FETCH_OBEY = re.compile(
    r"""(?<![\w-])(?P<order>(?:follow|obey|execute|apply|carry\s+out|do)\s+(?:all\s+|the\s+|any\s+|
    every\s+)*(?:instructions?|steps|commands?|orders|directives)\s+
    (?:\w+\s+){0,4}?(?:at|from|in|on|of)\s+(?:this\s+|the\s+)?(?:\w+\s+)?(?:https?://|www\.)[^\n]{0,160})""",
    re.X,
)
_RUN = re.compile(
    r"(?<![\w-])(?:run|execute|exec|paste|type|enter|launch|invoke|issue|use\s+(?:the\s+|your\s+)?(?:bash|"
    r"shell|terminal)|perform|do|call|evaluate|start\s+(?:by|with))\b"
)
_RUN_BACK_CHARS = 100
_SETUP = re.compile(
    r"\binstall|\bset\s?up\b|\bgetting\s+started|\bquick\s?start|\bone-liner|\bupgrad|\bbootstrap|"
    r"\bdocs?\b|\breadme\b"
)
_URGED = re.compile(
    r"""\b(?:you\s+(?:must|should|need|have|are)|must|immediately|right\s+away|first|before\s+(?:you|doing|
    any|continu|proceed|answer|start|respond)\w*|silently|secretly|
    quietly|without\s+\w+ing|required|mandatory|critical|important|urgent|agents?|assistants?|claude|
    now\s+run|to\s+(?:continue|proceed|verify|unlock|validate|fix|
    repair|complete|finish|restore|authenticate)|bash\s+tool|your\s+(?:shell|terminal|sandbox|environment|
    machine)|afterwards|system)\b""",
    re.X,
)  # fmt: skip
_URGED_CHARS = 160


def find_leaks(text: str) -> list[tuple[int, int, str, bool]]:
    """(start, end, kind, whether it is plain enough to be cut) of orders that hand out or run something."""
    found: list[tuple[int, int, str, bool]] = []
    for match in _LEAK.finditer(text):
        end = _end_of_leak(text, match.end())
        if end and is_led_to(text, match.start()):
            is_bulk = _BULK.search(text, match.start(), end) is not None
            found.append(
                (match.start(), max(end, end_of_sentence(text, match.start())), "exfiltration", is_bulk)
            )
    for pattern in (_FETCH_RUN, _FETCH_OBEY):
        for match in pattern.finditer(text):
            if is_led_to(text, match.start()):
                is_setup = pattern is _FETCH_RUN and not _URGED.search(
                    text, max(0, match.start() - _URGED_CHARS), match.end()
                )
                found.append((*_sentence(text, match), "shell", not is_setup))
    for match in _HANDED.finditer(text):
        is_outside = (
            _OUTSIDE.search(text, *match.span()) is not None and _WHAT.search(text, *match.span()) is not None
        )
        if is_outside:
            found.append((*match.span(), "exfiltration", True))
    found += _find_pipes(text)
    return found


def _end_of_leak(text: str, at: int) -> int:
    """Where the place ends that a secret is to go to, of an order whose verb ends at `at`; 0 where there is none.

    The place stands behind the secret, or before it where it is an address.
    """
    line = text.find("\n", at, at + _REACH_CHARS)
    stop = min(len(text), at + _REACH_CHARS) if line < 0 else line
    what = _WHAT.search(text, at, stop)
    if what is None or _HOW_MUCH.search(text, at, stop) is None:
        return 0
    where = _WHERE.search(text, what.end(), stop)
    if where:
        return where.end()
    outside = _OUTSIDE.search(text, at, what.start())
    return what.end() if outside else 0


def _find_pipes(text: str) -> list[tuple[int, int, str, bool]]:
    found: list[tuple[int, int, str, bool]] = []
    for match in _PIPE.finditer(text):
        start, end = match.span()
        line = text.rfind("\n", max(0, start - 400), start) + 1
        before = text[max(line, start - _RUN_BACK_CHARS) : start]
        run = next(reversed(list(_RUN.finditer(before))), None)
        around = text[max(0, start - _URGED_CHARS) : min(len(text), end + _URGED_CHARS)]
        is_urged = _URGED.search(around) is not None
        is_setup = _SETUP.search(around) is not None
        is_prose = run is not None and is_led_to(text, start - len(before) + run.start())
        if is_prose and (is_urged or not is_setup):
            assert run is not None
            found.append((start - len(before) + run.start(), end, "shell", True))
        else:
            found.append((start, end, "shell", is_urged and not is_setup and _is_in_prose(text, start)))
    return found


def _is_in_prose(text: str, at: int) -> bool:
    """Whether words of a sentence stand before `at` in its line, rather than a prompt or nothing."""
    line = text.rfind("\n", max(0, at - 400), at) + 1
    return len(re.findall(r"[a-z]{3,}", text[line:at])) >= 2


def _sentence(text: str, match: re.Match[str]) -> tuple[int, int]:
    return match.start(), max(end_of_sentence(text, match.start()), match.end())
