"""Secrets in text, replaced by a marker before anything is written."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Span = tuple[int, int, str]

MARKER = "[redacted]"

_DIGITS = "0123456789"
_LONG_WORD_CHARS = 16
_MAX_PASSES = 3
_INVISIBLE = (
    "\u00ad\u034f\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2062\u2063\u2064\ufeff"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufe0e\ufe0f"
)
_SHAPE = {code: "x" if chr(code) > " " else " " for code in range(128)}
_LONG = "x" * _LONG_WORD_CHARS
# what every secret that is known by its surroundings has near it
_NAMES = (
    "pass",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "pw",
    "psw",
    "jwt",
    "bearer",
    "mnemonic",
    "cookie",
)
_PLACES = ("sessid", "sessionid", "t.sid", "-sig", "basic", "senha", "kennwort", "contrasena")
_FLAGS = (
    " -p",
    " -P",
    " -u",
    " -U",
    " -a",
    " -A",
    " -w",
    " -k",
    " -X",
    " -t",
    " -b",
    " -hp",
    " --user",
    " --auth",
    "creds",
)
# what stands before or behind a name that has a value; in sentences it is rare
_MARKS = (
    "=",
    ":",
    ">",
    "%",
    "\\",
    "_",
    '"',
    "`",
    " '",
    "',",
    "']",
    "' ",
    " is ",
    " was ",
    " to ",
    " are ",
    " be ",
    " of ",
    " for ",
    " as ",
    "{",
    "\uff1a",
    "str",
    "char",
)
_BEFORE = (
    "env ",
    "set ",
    "arg ",
    "setx ",
    "add ",
    "put ",
    " -x ",
    "-gx ",
    "define ",
    "const ",
    "export ",
    "setenv ",
    "bearer ",
)
_NEAR_CHARS = 28
# how a word goes on that is no name of a secret: passed, passing, keyword, keyboard, tokenize
_OTHER_WORDS = {
    "pass": ("ed", "es", "in", "iv", "ag", "en"),
    "key": ("wo", "bo", "st", "pa", "ed"),
    "token": ("iz", "is"),
    "secret": ("ar",),
}
_WIDE_NAMES = ("пароль", "密码", "密碼", "パスワード", "비밀번호", "contraseña")


def redact(text: str) -> str:
    """`text` with every secret replaced by `[redacted]`; all else, character by character, as it was.

    Redacting twice is redacting once. The result has at most 10 characters for each 3 of the input, plus 10.
    """
    for _ in range(_MAX_PASSES):
        spans = find_secrets(text)
        if not spans:
            break
        pieces: list[str] = []
        at = 0
        for start, end, _kind in spans:
            pieces.append(text[at:start])
            pieces.append(MARKER)
            at = end
        pieces.append(text[at:])
        text = "".join(pieces)
    return text


def find_secrets(text: str) -> list[Span]:
    """(start, end, kind) of each secret in `text`, in characters, sorted, not overlapping."""
    spans = _scan(text)
    if not text.isascii():
        clean, places = _strip_invisible(text)
        if places:
            for start, end, kind in _scan(clean):
                spans.append((places[start], places[end - 1] + 1, kind))
    return _merge(spans) if spans else spans


def _scan(text: str) -> list[Span]:
    pool = ""
    if not text.isascii() or _LONG in text.translate(_SHAPE):
        pool = "\n".join([word for word in text.split() if len(word) >= _LONG_WORD_CHARS])
    low = (text if text.isascii() else text.replace("\u0130", "I")).lower()
    spans: list[Span] = []
    if pool:
        if any(not word.islower() or any(digit in word for digit in _DIGITS) for word in pool.split("\n")):
            from engram_hooks.guard.tokens import find_tokens

            spans = find_tokens(text, pool)
        if "://" in pool:
            from engram_hooks.guard.urls import find_in_urls

            spans += find_in_urls(text, low)
        if ":5432:" in pool or "@tcp(" in pool or "@unix(" in pool or "@cloudsql(" in pool:
            from engram_hooks.guard.urls import find_in_sources

            spans += find_in_sources(text)
    spans += _scan_names(text, low)
    return spans


def _scan_names(text: str, low: str) -> list[Span]:
    spans: list[Span] = []
    if _has_value(low) or _is_any(low, _PLACES) or (not low.isascii() and _is_any(low, _WIDE_NAMES)):
        from engram_hooks.guard.assignments import find_assigned

        spans += find_assigned(text, low)
    if "bearer" in low or "basic" in low or "cookie" in low:
        from engram_hooks.guard.headers import find_cookies, find_schemes

        spans += find_schemes(text, low) + find_cookies(text, low)
    if "private" in low:
        from engram_hooks.guard.keyblocks import find_key_blocks

        spans += find_key_blocks(text, low)
    if "kind" in low and "secret" in low:
        from engram_hooks.guard.manifests import find_in_manifests

        spans += find_in_manifests(text, low)
    if (" -" in text and _is_any(text, _FLAGS)) or "identified by" in low or "pass:" in low or " /p:" in low:
        from engram_hooks.guard.commands import find_on_command_lines

        spans += find_on_command_lines(text, low)
    return spans


def _has_value(low: str) -> bool:
    """Whether a telling word has near it what a value needs: an operator, a quote, a part of a name, a verb.

    It spares sentences that speak of tokens and passwords the loading of all the rest.
    """
    if "login " in low or "config " in low or "machine " in low:
        return _is_any(low, _NAMES)
    for word in _NAMES:
        at = low.find(word)
        while at >= 0:
            stop = at + len(word)
            if low[stop : stop + 2] in _OTHER_WORDS.get(word, ()):
                at = low.find(word, stop)
                continue
            near = low[stop : stop + _NEAR_CHARS]
            if not low[at - 1 : at].isalpha() and low[at - 1 : at] not in ("", " ", "\n", "(", "\t"):
                return True
            if any(mark in near for mark in _MARKS) or _is_led(low[max(0, at - 12) : at]):
                return True
            at = low.find(word, stop)
    return False


def _is_led(before: str) -> bool:
    return before.endswith(_BEFORE) or " -" in before


def _is_any(low: str, words: tuple[str, ...]) -> bool:
    return any(word in low for word in words)


def _merge(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end, kind in sorted(spans):
        if end <= start:
            continue
        if merged and start < merged[-1][1]:
            last = merged[-1]
            merged[-1] = (last[0], max(last[1], end), last[2])
        else:
            merged.append((start, end, kind))
    return merged


def _strip_invisible(text: str) -> tuple[str, list[int]]:
    """`text` without invisible characters, and where each that is left stood (empty: there were none)."""
    tags = b"\xf3\xa0" in text.encode("utf-8", "surrogatepass")
    if not tags and not any(c in text for c in _INVISIBLE):
        return text, []
    places = [i for i, c in enumerate(text) if c not in _INVISIBLE and not "\U000e0000" <= c <= "\U000e0fff"]
    return "".join([text[i] for i in places]), places
