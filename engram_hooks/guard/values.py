"""Where the value behind a name ends, and whether it is a literal secret or only code, a word, a placeholder."""

from __future__ import annotations

from engram_hooks.guard.names import HEADER, KEY, PASSWORD
from engram_hooks.guard.shapes import (
    BASE64,
    DIGITS,
    DOTTED,
    WORD,
    count_switches,
    has_digit_and_letter,
    is_hex,
    is_one_character,
    is_random,
    is_uuid,
    run_end,
)

MARKER = "[redacted]"
MAX_VALUE_CHARS = 4096
_WINDOW_CHARS = 512
_JUDGED_CHARS = 256

_QUOTES = ("&quot;", "&#34;", "&#39;", "%22", "%27", "\\u0022", "\\u0027", "\u201c", "\u2018", "\u00ab")
_CLOSERS = {"\u201c": "\u201d", "\u2018": "\u2019", "\u00ab": "\u00bb"}
_DYNAMIC = (
    "${",
    "{{",
    "<%",
    "#{",
    "%{",
    "$(",
    "}}",
    "`",
    "\\(",
    "[redacted",
    "<redacted",
    "***",
    "\u2022\u2022",
    "\u2026",
    "...",
)
_REFERENCES = (
    "op://", "env:", "env.", "vault:", "ssm:", "arn:", "secretsmanager:", "projects/", "file:",
    "keyring:", "ref+", "enc[",
    "sha1:", "sha1-", "sha256:", "sha256-", "sha384-", "sha512:", "sha512-", "md5:", "$2a$", "$2b$",
    "$2y$", "$argon2", "$5$",
    "$6$", "$1$", "$pbkdf2", "pbkdf2", "{ssha}", "{sha}", "{bcrypt}", "aaaab3nza", "aaaac3nza",
    "ssh-rsa ", "ssh-ed25519 ",
    "application/", "text/", "image/", "http://", "https://", "process.env", "os.environ", "os.getenv",
    "system.getenv",
    "config.", "settings.", "self.", "this.", "secrets.", "var.", "local.", "data.", "module.", "each.",
    "params.", "props.",
    "urn:", "did:", "spdx", "u+", "0x",
)  # fmt: skip
_BLANKS = (
    "your", "changeme", "change-me", "change_me", "replace", "placeholder", "example", "insert",
    "redacted", "masked", "goes-here", "_here", "-here", "dummy", "<", "xxxx", "todo", "fixme",
    "secret_key", "_token_", "notasecret",
)  # fmt: skip
_FILE_ENDS = (
    ".pem", ".key", ".txt", ".json", ".crt", ".cer", ".yml", ".yaml", ".env", ".py", ".js", ".ts",
    ".tsx", ".pub", ".p12", ".pfx", ".jks", ".md", ".html", ".go", ".rs", ".java", ".php", ".rb",
    ".conf", ".cfg", ".ini", ".toml", ".com", ".org", ".net", ".io", ".local", ".svg", ".png", ".vue",
    ".css", ".sh",
)  # fmt: skip
_ALGORITHMS = frozenset(
    """sha1 sha224 sha256 sha384 sha512 md4 md5 hs256 hs384 hs512 rs256 rs384 rs512 es256 es384 es512
    ps256 aes128 aes192 aes256
    base16 base32 base58 base64 base64url utf8 utf16 oauth oauth1 oauth2 oauth20 bcrypt argon2
    argon2id argon2i scrypt
    pbkdf2 ed25519 x25519 secp256k1 rsa2048 rsa4096 int8 int16 int32 int64 uint8 uint16 uint32 uint64
    float32 float64 varchar2
    bytes16 bytes32 bytes64 uint256 ipv4 ipv6 sasl2 http2 http1 oidc1 saml2 pkcs1 pkcs7 pkcs8 pkcs12
    x509 p256 p384 p521
    uint8array sha3 blake2b blake2s blake3 crc32 latin1 ascii7 web3 s3 ec2 k8s i18n l10n a11y oauth2token""".split()
)
_STRONG_MARKS = "!#%^&*@~?+=$"


def open_value(text: str, at: int) -> tuple[int, str]:
    """(start, closing delimiter) of the value at `at`; the delimiter is empty for a value without quotes."""
    if text[at : at + 1] in ("b", "r", "u", "f", "@", "L", "N", "$") and text[at + 1 : at + 2] in ('"', "'"):
        at += 1
    slashes = run_end(text, at, "\\")
    mark = text[slashes : slashes + 1]
    if mark in ('"', "'", "`") and mark:
        if slashes == at and text.startswith(mark * 3, at):
            return at + 3, mark * 3
        return slashes + 1, text[at : slashes + 1]
    for quote in _QUOTES:
        if text.startswith(quote, at):
            return at + len(quote), _CLOSERS.get(quote, quote)
    return at, ""


def close_quote(text: str, start: int, delimiter: str) -> int:
    """Where the quoted value that begins at `start` ends; -1 where the line or the limit ends first."""
    limit = min(len(text), start + MAX_VALUE_CHARS)
    newline = text.find("\n", start, limit)
    limit = limit if newline < 0 else newline
    at = text.find(delimiter, start, limit)
    while at >= 0:
        slashes = at
        while slashes > start and text[slashes - 1] == "\\":
            slashes -= 1
        if (at - slashes) % 2 == 0 if delimiter[0] != "\\" else at == slashes:
            return at
        at = text.find(delimiter, at + 1, limit)
    return -1


def end_bare(text: str, start: int, *, is_line: bool) -> int:
    """Where a value without quotes ends. `is_line`: it has the rest of its line to itself, as in a file of settings."""
    window = text[start : start + _WINDOW_CHARS]
    words = window.split(None, 1)
    if not words or window[0].isspace():
        return start
    head = words[0]
    for stop in ('"', "'", "`", "<", ">", "\u201d", "&quot;", "%22"):
        cut = head.find(stop)
        if cut >= 0:
            head = head[:cut]
    if not is_line:
        for stop in (")", "]", "}", "|"):
            cut = head.find(stop)
            if cut > 0 and not head.startswith(("[redacted", "${", "{{", "$(", "<")):
                head = head[:cut]
    head = _cut_pairs(_cut_escapes(head))
    if len(head) == _WINDOW_CHARS:
        return max(start + _WINDOW_CHARS, run_end(text, start, BASE64 + "-_."))
    return start + len(head.rstrip(",;" if is_line else ",;.:"))


def _cut_escapes(head: str) -> str:
    at = head.find("\\")
    while at >= 0:
        if head[at + 1 : at + 2] in ("n", "r", "t", "u", "\\", ""):
            return head[:at]
        at = head.find("\\", at + 1)
    return head


def _cut_pairs(head: str) -> str:
    """`head` up to an `&`, `;` or `,` behind which another name and its value begin, or nothing."""
    for mark in "&;,":
        at = head.find(mark)
        while at >= 0:
            name = run_end(head, at + 1, DOTTED)
            if head[name : name + 1] in ("=", ":", "") or (mark == "&" and head[at + 1 : at + 2] == "&"):
                return head[:at]
            at = head.find(mark, name)
    return head


def is_secret(value: str, grade: int, *, is_literal: bool) -> bool:
    """Whether `value` behind a name of `grade` is a secret. `is_literal`: only literals stand in this place."""
    value = value[:_JUDGED_CHARS]
    if len(value) < 4 or is_blank(value):
        return False
    if any(c.isspace() for c in value):
        return is_literal and grade == PASSWORD and _is_phrase(value)
    if _is_name_or_path(value):
        return False
    if grade == KEY:
        return is_literal and (is_random(value, min_chars=16) or is_hex(value)) and not is_uuid(value)
    if grade == PASSWORD:
        return _is_password(value) if is_literal else _is_bare_password(value)
    if is_hex(value, min_chars=20) or is_uuid(value) or is_random(value, min_chars=10):
        return True
    if grade == HEADER:
        return has_digit_and_letter(value) or is_random(value)
    if is_literal:
        return (
            len(value) >= 8
            and has_digit_and_letter(value)
            and (count_switches(value) >= 2 or len(value) >= 24)
        )
    return (
        len(value) >= 12
        and has_digit_and_letter(value)
        and count_switches(value) >= 2
        and bool(value.strip(WORD))
    )


def is_blank(value: str) -> bool:
    """Whether `value` is a placeholder, a reference to a value elsewhere, a digest, a mask or already redacted."""
    if is_one_character(value) or (value[0] in "<{[(|" and not has_digit_and_letter(value)):
        return True
    if (
        value[0] == "$"
        and (value[1:2].isalpha() or value[1:2] in "_{(" or "_" in value)
        and not value[1:].strip(WORD + "{}:?-.")
    ):
        return True
    if value[0] == "%" and (value[-1] == "%" or value[1:2] in "sdvq@(") and len(value) < 40:
        return True
    low = value.lower()
    if low.startswith(_REFERENCES) or any(mark in value for mark in _DYNAMIC):
        return True
    if low[0] in "!*&" and low[1:].isalpha():
        return True
    return any(mark in low for mark in _BLANKS) and count_switches(value) < 6


def _is_name_or_path(value: str) -> bool:
    low = value.lower()
    if low.strip("\"'`.,:;()[]") in _ALGORITHMS or low.replace("-", "").replace("_", "") in _ALGORITHMS:
        return True
    if not value.strip(DIGITS + ".:-/_,") and (not value.isdigit()):
        return True
    name, equals, rest = value.partition("=")
    if (
        equals
        and name.isidentifier()
        and (rest.isalnum() or rest.startswith(('"', "'")))
        and count_switches(rest) < 3
    ):
        return True
    switches = count_switches(value)
    if low.endswith(_FILE_ENDS) and switches < 4:
        return True
    if (
        value.startswith(("/", "./", "../", "~/", "#", ".", "@", "-"))
        and switches < 6
        and not value.strip(DOTTED + "/#@~:*$")
    ):
        return True
    if value.count("/") >= 2 and switches < 6 and not value.strip(DOTTED + "/:"):
        return True
    if "." in value and switches < 4 and all(part.isidentifier() for part in value.split(".")):
        return True
    return any(
        mark in value
        for mark in ("\\d", "\\w", "[a-z", "[A-Z", "(?", ".*", ".+", "{0", "{}", "%s", "%d", "::", "=>")
    )


def _is_password(value: str) -> bool:
    """A literal behind a password's name: anything but words and names."""
    if value.isdigit():
        return len(value) >= 6
    bare = value.strip(_STRONG_MARKS)
    if any(mark in bare for mark in _STRONG_MARKS) and value.strip(DOTTED):
        return True
    if not has_digit_and_letter(value):
        switches = count_switches(value)
        if (
            switches
            and "-" in value + bare.replace("_", "-")
            and "pass" not in value.lower()
            and len(value) >= 10
        ):
            return True
        return switches >= 2 and (switches * 6 >= len(value) or len(bare) < len(value)) and len(value) >= 8
    if count_switches(value) >= 2:
        return True
    digits = sum(c.isdigit() for c in value)
    separators = sum(c in "-_. " for c in value)
    return (
        (digits >= 2 and not separators)
        or len(bare) < len(value)
        or (digits >= 1 and not separators and len(value) <= 10)
    )


def _is_bare_password(value: str) -> bool:
    """A value without quotes where code could stand too: it must not be an identifier or a type."""
    if len(value) < 6 or "(" in value or value.endswith(("[", ".")):
        return False
    if value.isdigit():
        return False
    if is_random(value, min_chars=6) or is_hex(value):
        return True
    if "-" in value and "_" in value and not value.islower() and not value.isupper():
        return True
    marked = any(mark in value for mark in "!#%^*@~") and not value.strip(DOTTED + "!#%^*@~")
    return (marked and count_switches(value) >= 1) or (
        has_digit_and_letter(value) and count_switches(value) >= 2
    )


def _is_phrase(value: str) -> bool:
    """A quoted password with blanks inside: few words, one of them mixing digits into letters."""
    words = value.split()
    if len(words) > 4 or len(value) > 60:
        return False
    return any(
        has_digit_and_letter(word) and count_switches(word) >= 2 and not word.lower().startswith(_REFERENCES)
        and not any(mark in word for mark in "{}()[]<>%$=")
        for word in words
    )  # fmt: skip
