"""Faults that compilers, type checkers and linters print one a line, and what is left when nothing else is known."""

from __future__ import annotations

from itertools import pairwise

from engram_hooks.sessions.failures.fault import split_error, split_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_LEVELS = ("fatal error: ", "error: ", "error ", "Error: ", "E: ")
_MAX_GENERIC = 3
_WORDS = (
    "error",
    "failed",
    "failure",
    "fatal",
    "exception",
    "panic",
    "cannot",
    "invalid",
    "undefined",
    "mismatch",
)
_NOISE = ("npm err!", "npm error", "make: ", "make[", "error: process completed", "see the report", "* try:")


def read_tsc(lines: Sequence[str]) -> list[Fault]:
    """Faults of `file(1,2): error TS2345: message` (also csc, MSBuild) and `file:1:2 - error TS2345: message`."""
    found: list[Fault] = []
    for line in lines:
        text = line.strip()
        if ": error " in text and "(" in text.split(": error ")[0]:
            place, _, rest = text.partition(": error ")
            path = place.partition("(")[0]
        elif " - error " in text:
            place, _, rest = text.partition(" - error ")
            path = split_place(place + ":")[0]
        else:
            continue
        code, _, message = rest.partition(": ")
        if path and " " not in code:
            found.append((path.strip(), code, message.split(" [/")[0], ""))
    return found


def read_places(lines: Sequence[str]) -> list[Fault]:
    """Faults of `file:line:col: error: message [code]` (gcc, clang, mypy, swiftc), `file:1:2: E501 message` (ruff,
    flake8, pylint) and `file:1:2: undefined: x` (go)."""
    found: list[Fault] = []
    for line in lines:
        path, rest = split_place(line.strip())
        if not path or not rest or rest.startswith(("note:", "warning:", "in ", "In ", "remark:", "info:")):
            continue
        level = next((one for one in _LEVELS if rest.startswith(one)), "")
        code, _, message = rest.removeprefix(level).partition(" ")
        if level:
            found.append((path, *_split_code(rest.removeprefix(level)), ""))
        elif _is_code(code.rstrip(":")):
            found.append((path, code.rstrip(":"), message, ""))
        elif path.endswith(".go"):
            found.append((path, "compiler", rest, ""))
    return found


def _split_code(text: str) -> tuple[str, str]:
    """(code, message) of `message  [code]` (mypy) or `message [-Wcode]` (gcc, clang); the code is else `error`."""
    for start in ("  [", " [-"):
        message, bracket, code = text.rpartition(start)
        if bracket and code.endswith("]"):
            return code[:-1], message
    return "error", text


def _is_code(word: str) -> bool:
    """`E501`, `PLR2004`, `C0114`, `no-unused-vars`-like words do not count here."""
    letters = word.rstrip("0123456789")
    return 0 < len(letters) <= 6 and letters.isalpha() and letters.isupper() and len(word) > len(letters)


def read_ruff(lines: Sequence[str]) -> list[Fault]:
    """Faults of ruff's full form: `F401 [*] message` with ` --> file:1:2` below."""
    found: list[Fault] = []
    for line, below in pairwise(lines):
        code, _, message = line.partition(" ")
        if _is_code(code) and below.strip().startswith("--> "):
            found.append((split_place(below.strip()[4:] + ":")[0], code, message.removeprefix("[*] "), ""))
    return found


def read_any(lines: Sequence[str]) -> list[Fault]:
    """The lines that speak of an error, the last where none does."""
    told: list[Fault] = []
    for line in lines:
        text = line.strip()
        small = text.lower()
        if len(text) > 3 and any(word in small for word in _WORDS) and not small.startswith(_NOISE):
            path, rest = split_place(text)
            error, message = split_error(rest)
            told.append((path, error, message, ""))
            if len(told) == _MAX_GENERIC:
                break
    if told:
        return told
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return [("", "", last, "")] if last else []
