"""Secrets inside addresses: passwords before the host, webhook paths, signatures in the query."""

from __future__ import annotations

from engram_hooks.guard.names import PASSWORD, TOKEN
from engram_hooks.guard.shapes import (
    ALNUM,
    HEX,
    URL64,
    count_switches,
    has_digit_and_letter,
    is_hex,
    is_random,
    is_uuid,
    run_end,
)
from engram_hooks.guard.values import is_blank, is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

_MAX_URL_CHARS = 2048
_STOPS = (
    "://",
    '"',
    "'",
    "`",
    "<",
    ">",
    "\\n",
    "\\r",
    '\\"',
    "\\t",
    "&quot;",
    "|",
    "\u201d",
    "](",
    "[redacted",
)
_PLAIN_PASSWORDS = frozenset(
    """password passwd pass pwd secret user username root admin postgres mysql guest test example token changeme
    mypassword mysecretpassword pw p foo bar repo org name value string key port host path x xx xxx redis rabbitmq
    mongo db app""".split()
)
# hosts (or parts of them) whose paths are secrets by themselves
_HOOK_HOSTS = (
    "hooks.slack", "hooks.slack-gov", "discord.com/api/webhooks", "discordapp.com/api/webhooks",
    "webhook.office.com",
    "outlook.office.com/webhook", "outlook.office365.com/webhook", "hooks.zapier.com",
    "maker.ifttt.com", "open.feishu.cn",
    "open.larksuite.com", "hooks.chime.aws", "hooks.airtable.com", "hook.eu1.make.com",
    "hook.eu2.make.com", "hook.us1.make.com",
    "hook.us2.make.com", "hook.integromat.com", "api.telegram.org/bot", "chat.googleapis.com",
    "logic.azure.com", "qyapi.weixin",
    "oapi.dingtalk", "hc-ping.com", "webhook.site", "m.pipedream.net", "cronitor.link",
    "hooks.glip.com", "events.pagerduty.com",
    "integrate.datadoghq", "connect.pabbly.com", "hooks.workato", "automation.atlassian.com",
    "ingest.sentry.io",
)  # fmt: skip
_HOOK_WORDS = ("/hooks/", "/hook/", "/webhooks/", "/webhook/", "/incoming-webhook/", "/services/t0")
_QUERY_NAMES = (
    "sig=",
    "signature=",
    "sas=",
    "code=",
    "key=",
    "hash=",
    "apikey=",
    "hmac=",
    "ticket=",
    "assertion=",
    "id_token=",
)


def find_in_urls(text: str, low: str) -> list[Span]:
    """Spans of passwords, tokens and webhook paths inside the addresses of `text`."""
    spans: list[Span] = []
    at = text.find("://")
    while at >= 0:
        start = at + 3
        end = _url_end(text, start)
        _find_userinfo(text, low, (start, end), spans)
        if "/" in text[start:end]:
            _find_hook(text, low, (start, end), spans)
            _find_query(text, low, (start, end), spans)
        at = text.find("://", start)
    return spans


def find_in_sources(text: str) -> list[Span]:
    """Passwords in sources without a scheme: `user:password@tcp(host)/name`, `host:5432:name:user:password`."""
    spans: list[Span] = []
    for mark in ("@tcp(", "@unix(", "@cloudsql("):
        at = text.find(mark)
        while at >= 0:
            start = (
                max(
                    [text.rfind(stop, max(0, at - 200), at) for stop in (" ", '"', "'", "\n", "=", "`", "\t")]
                )
                + 1
            )
            colon = text.find(":", start, at)
            if colon > 0 and _is_url_password(text[colon + 1 : at], text[start:colon]):
                spans.append((colon + 1, at, "url-password"))
            at = text.find(mark, at + len(mark))
    at = text.find(":5432:")
    while at >= 0:
        end = at + len(text[at : at + 300].split(None, 1)[0])
        parts = text[at:end].split(":", 4)
        if len(parts) == 5 and "/" not in text[at:end] and _is_url_password(parts[4], parts[3]):
            spans.append((end - len(parts[4]), end, "password"))
        at = text.find(":5432:", end)
    return spans


def _url_end(text: str, start: int) -> int:
    following = text.find("://", start, start + _MAX_URL_CHARS)
    window = text[start : following if following >= 0 else start + _MAX_URL_CHARS]
    words = window.split(None, 1)
    if not words or window[0].isspace():
        return start
    head = words[0]
    for stop in _STOPS:
        cut = head.find(stop)
        if cut >= 0 and not (stop in ("<", ">") and "@" in head[cut:]):
            head = head[:cut]
    return start + len(head)


def _find_userinfo(text: str, low: str, url: tuple[int, int], spans: list[Span]) -> None:
    start, end = url
    head = text[start:end]
    authority = min(
        [i for i in (head.find("/"), head.find("?"), head.find("#"), head.find(",")) if i >= 0] or [len(head)]
    )
    sign = head.rfind("@", 0, authority)
    colon = head.find(":", 0, authority)
    if sign < 0 and colon > 0 and head[colon + 1 : colon + 2] and not head[colon + 1 : authority].isdigit():
        query = head.find("?")
        sign = head.rfind("@", 0, len(head) if query < 0 else query)  # a password with a slash in it
        if sign > 0 and head.find("/", 0, sign) > 0 and not has_digit_and_letter(head[colon + 1 : sign]):
            return
    if sign <= 0:
        return
    if 0 <= colon < sign:
        password = head[colon + 1 : sign]
        if _is_url_password(password, head[:colon]):
            spans.append((start + colon + 1, start + sign, "url-password"))
        if is_random(head[:colon], min_chars=20) or is_hex(head[:colon], min_chars=20):
            spans.append((start, start + colon, "url-token"))
        return
    if not head[:sign].strip(URL64) and (
        (is_random(head[:sign], min_chars=20) and not is_hex(head[:sign]))
        or is_hex(head[:sign], min_chars=32)
    ):
        spans.append((start, start + sign, "url-token"))


def _is_url_password(password: str, user: str) -> bool:
    if (
        not password
        or is_blank(password)
        or password.lower() in _PLAIN_PASSWORDS
        or password.lower() == user.lower()
    ):
        return False
    if any(mark in password for mark in "[]{}<>|") or password.startswith("//"):
        return False
    if password.isupper() and not has_digit_and_letter(password) and "_" in password:
        return False
    return password[0] not in "$%<{[(:" or (has_digit_and_letter(password[1:]) and "$" not in password[0])


def _find_hook(text: str, low: str, url: tuple[int, int], spans: list[Span]) -> None:
    start, end = url
    whole = low[start:end]
    if not whole.startswith(_HOOK_HOSTS) and not any(word in whole for word in _HOOK_HOSTS + _HOOK_WORDS):
        return
    query = text.find("?", start, end)
    stop = end if query < 0 else query
    at = text.find("/", start, stop)
    while at >= 0:
        following = text.find("/", at + 1, stop)
        last = stop if following < 0 else following
        segment = text[at + 1 : last].rstrip(".,;:)]}*")
        if _is_hook_part(segment):
            spans.append((at + 1, at + 1 + len(segment), "webhook"))
        at = following


def _is_hook_part(segment: str) -> bool:
    for piece in segment.split("@"):
        if len(piece) >= 16 and (is_random(piece) or is_hex(piece) or is_uuid(piece)):
            return not is_blank(segment)
    return 18 <= len(segment) <= 40 and has_digit_and_letter(segment) and count_switches(segment) >= 3


def _find_query(text: str, low: str, url: tuple[int, int], spans: list[Span]) -> None:
    start, end = url
    query = text.find("?", start, end)
    if query < 0:
        return
    for name in _QUERY_NAMES:
        at = low.find(name, query, end)
        if at > 0 and text[at - 1] in "?&;":
            first = at + len(name)
            stop = run_end(text, first, ALNUM + "_-.+/=%~", end)
            value = text[first:stop]
            if len(value) >= 20 and is_secret(value, TOKEN, is_literal=True):
                spans.append((first, stop, "signature"))


def find_account(value: str) -> int:
    """Where the password of `user:password` begins in `value`; 0 where there is none that is literal."""
    user, colon, password = value.partition(":")
    if not colon or not user or not password or "/" in user or password.startswith("/"):
        return 0
    if (
        password.lower() in _PLAIN_PASSWORDS
        or password.lower() == user.lower()
        or not is_account_password(password)
    ):
        return 0
    return len(user) + 1


def is_account_password(password: str) -> bool:
    """Whether what stands behind an account's name is a literal password."""
    if (
        is_blank(password)
        or password.startswith(("$", "<", "%"))
        or (password.isdigit() and len(password) < 6)
    ):
        return False
    if password.isupper() and password.isalpha():
        return False
    return len(password) >= 4 and (
        is_secret(password, PASSWORD, is_literal=True) or bool(password.strip(HEX + URL64))
    )
