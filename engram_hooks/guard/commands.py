"""Secrets on command lines whose flags do not say so: `mysql -pX`, `curl -u a:X`, `sshpass -p X`."""

from __future__ import annotations

from engram_hooks.guard.names import PASSWORD
from engram_hooks.guard.urls import find_account
from engram_hooks.guard.values import is_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

# command: (flags whose next word is a secret, flags with the secret attached, flags with user:password)
_COMMANDS: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    ("mysql", (), ("-p",), ()),
    ("mariadb", (), ("-p",), ()),
    ("mytop", ("-p",), ("-p",), ()),
    ("sshpass", ("-p",), ("-p",), ()),
    ("curl", ("-b",), (), ("-u", "--user", "-U", "--proxy-user")),
    ("wget", (), (), ("-u",)),
    ("http", (), (), ("-a", "--auth")),
    ("https", (), (), ("-a", "--auth")),
    ("xh", (), (), ("-a", "--auth")),
    ("docker", ("-p",), (), ()),
    ("podman", ("-p",), (), ("--creds",)),
    ("skopeo", (), (), ("--creds", "--src-creds", "--dest-creds")),
    ("helm", ("-p",), (), ()),
    ("az", ("-p",), (), ()),
    ("oc", ("-p",), (), ()),
    ("cf", ("-p",), (), ()),
    ("argocd", ("-p",), (), ()),
    ("redis-cli", ("-a",), (), ()),
    ("mongo", ("-p",), ("-p",), ()),
    ("mongosh", ("-p",), ("-p",), ()),
    ("mongodump", ("-p",), ("-p",), ()),
    ("mongorestore", ("-p",), ("-p",), ()),
    ("ldapsearch", ("-w",), ("-w",), ()),
    ("ldapadd", ("-w",), (), ()),
    ("ldapmodify", ("-w",), (), ()),
    ("ldapwhoami", ("-w",), (), ()),
    ("sqlcmd", ("-P",), ("-P",), ()),
    ("bcp", ("-P",), ("-P",), ()),
    ("mosquitto_pub", ("-P",), (), ()),
    ("mosquitto_sub", ("-P",), (), ()),
    ("ipmitool", ("-P",), (), ()),
    ("zip", ("-P",), (), ()),
    ("unzip", ("-P",), (), ()),
    ("7z", (), ("-p",), ()),
    ("rar", (), ("-p", "-hp"), ()),
    ("unrar", (), ("-p",), ()),
    ("cqlsh", ("-p",), (), ()),
    ("influx", ("-p", "-t"), (), ()),
    ("snmpwalk", ("-A", "-X"), (), ()),
    ("ncftp", ("-p",), (), ()),
    ("lftp", (), (), ("-u",)),
    ("smbclient", (), (), ("-U",)),
    ("openssl", ("-k",), (), ()),
    ("nxc", ("-p",), (), ()),
    ("evil-winrm", ("-p",), (), ()),
    ("xfreerdp", (), ("/p:",), ()),
    ("rdesktop", ("-p",), (), ()),
    ("ab", (), (), ("-A", "-P")),
)
_MAX_LINE_CHARS = 1000
_MAX_LINES = 2000


def find_on_command_lines(text: str, low: str) -> list[Span]:
    """Spans of secrets behind short flags of known commands, behind `pass:` and in SQL that sets a password."""
    spans: list[Span] = []
    if " -" in text or " /p:" in text:
        for row in _COMMANDS:
            if any(row[1:]) and row[0] in low:
                _find_command(text, low, row, spans)
    _find_words(text, low, spans)
    if "--password-stdin" in low:
        _find_piped(text, low, spans)
    return spans


def _find_command(
    text: str, low: str, row: tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]], spans: list[Span]
) -> None:
    name = row[0]
    at = low.find(name)
    for _ in range(_MAX_LINES):
        if at < 0:
            return
        stop = at + len(name)
        if low[at - 1 : at] in ("", " ", "\n", "/", "$", "`", '"', "'", "(", "\t", ";", "|", "&", "=", ":"):
            tail = text[stop : stop + 16]
            word = tail.split(" ", 1)[0]
            if " " in tail and not word.strip("abcdefghijklmnopqrstuvwxyz_.-"):
                line = stop + len(word), _line_end(text, stop)
                _walk(text, line, row, spans)
                stop = line[1]
        at = low.find(name, stop)


def _line_end(text: str, start: int) -> int:
    line = text[start : start + _MAX_LINE_CHARS]
    at = line.find("\n")
    while at > 0 and line[at - 1] == "\\":
        at = line.find("\n", at + 1)
    return start + (len(line) if at < 0 else at)


def _walk(
    text: str,
    line: tuple[int, int],
    row: tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...]],
    spans: list[Span],
) -> None:
    """Read the words of a command line and take the values of its secret flags."""
    _, following, attached, accounts = row
    at, end = line
    pending = ""
    for word in text[at:end].split():
        at = text.index(word, at)
        lead = len(word) - len(word.lstrip("\"'"))
        value = word.strip("\"'`);,")
        if pending == "secret":
            _take(value, at + lead, spans)
        elif pending == "account":
            _take_account(value, at + lead, spans)
        pending = "secret" if word in following else "account" if word in accounts else ""
        if (not pending and word.startswith("-")) or word.startswith("/p:"):
            _take_attached(word, at, (attached, accounts), spans)
        at += len(word)


def _take_attached(
    word: str, at: int, flags: tuple[tuple[str, ...], tuple[str, ...]], spans: list[Span]
) -> None:
    for flag in flags[0]:
        if word.startswith(flag) and len(word) > len(flag) and not word.startswith("--"):
            body = word[len(flag) :]
            lead = len(body) - len(body.lstrip("\"'="))
            _take(body.strip("\"'=`);,"), at + len(flag) + lead, spans)
            return
    for flag in flags[1]:
        for joined in (flag + "=", flag if not flag.startswith("--") else flag + "="):
            if word.startswith(joined) and len(word) > len(joined):
                body = word[len(joined) :]
                lead = len(body) - len(body.lstrip("\"'"))
                _take_account(body.strip("\"'`);,"), at + len(joined) + lead, spans)
                return


def _take(value: str, at: int, spans: list[Span]) -> None:
    name, equals, rest = value.partition("=")
    if equals and len(rest) >= 8 and name.replace("_", "a").replace(".", "a").isalnum():
        at, value = at + len(name) + 1, rest.partition(";")[0]
    if len(value) >= 4 and not value.startswith(("-", "/", ".")) and not value.replace(":", "").isdigit():
        if is_secret(value, PASSWORD, is_literal=True):
            spans.append((at, at + len(value), "password"))
    elif value.isdigit() and len(value) >= 6:
        spans.append((at, at + len(value), "password"))


def _take_account(value: str, at: int, spans: list[Span]) -> None:
    if ":" not in value and ("%" in value or "," in value):
        first = max(value.find("%"), value.find(",")) + 1
        _take(value[first:], at + first, spans)
        return
    first = find_account(value)
    if first:
        spans.append((at + first, at + len(value), "password"))


def _find_words(text: str, low: str, spans: list[Span]) -> None:
    for word in ("identified by ", "pass:", "passwd -s ", "--creds ", "by password "):
        at = low.find(word)
        while at >= 0:
            start = at + len(word)
            quote = text[start : start + 1]
            if quote in ("'", '"') and quote:
                stop = text.find(quote, start + 1, start + 200)
                start += 1
            else:
                rest = text[start : start + 200].split(None, 1)
                stop = start + len(rest[0].strip("\"'`;)")) if rest and not quote.isspace() else -1
            if stop > start and is_secret(text[start:stop], PASSWORD, is_literal=True):
                spans.append((start, stop, "password"))
            at = low.find(word, start)


def _find_piped(text: str, low: str, spans: list[Span]) -> None:
    """`echo value | docker login --password-stdin`."""
    at = low.find("--password-stdin")
    while at >= 0:
        line = max(text.rfind("\n", max(0, at - 300), at), at - 300, 0)
        echo = max(low.find("echo ", line, at), low.find("printf ", line, at))
        pipe = text.find("|", echo, at)
        if echo >= 0 and pipe > 0:
            words = text[echo:pipe].split()
            value = words[-1].strip("\"'")
            if len(words) > 1:
                _take(value, text.index(value, echo + len(words[0])), spans)
        at = low.find("--password-stdin", at + 16)
