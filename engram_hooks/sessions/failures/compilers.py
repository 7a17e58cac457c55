"""Faults that compilers, type checkers, linters and formatters print, mostly one a line."""

from __future__ import annotations

from itertools import pairwise

from engram_hooks.sessions.failures.fault import indent_of, is_excerpt, is_own, split_place, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_LEVELS = ("fatal error: ", "error: ", "error ", "Error: ", "E: ")
# RuboCop's: convention, warning, error, fatal, refactor
_LETTERS = ("C: ", "W: ", "E: ", "F: ", "R: ")
_NOT_FAULTS = ("note:", "warning:", "in ", "In ", "remark:", "info:", "- warning", "note ", "warning ")
_REFORMATS = ("would reformat: ", "would reformat ", "[warn] ", "diff in ")


def read_tsc(lines: Sequence[str]) -> list[Fault]:
    """Faults of `file(1,2): error TS2345: message` (also csc, MSBuild), `file:1:2 - error TS2345: message`, and of
    `error TS18003: message` without a file."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip()
        if ": error " in text:
            place, _, rest = text.partition(": error ")
            path = place.partition("(")[0].strip()
        elif " - error " in text:
            place, _, rest = text.partition(" - error ")
            path = split_place(f"{place}:")[0]
        elif text.startswith("error TS"):
            path, rest = "", text[6:]
        else:
            continue
        code, _, message = rest.partition(": ")
        if " " in code or not code[-1:].isdigit() or ":" in path[2:]:
            continue
        more = _continued(line, lines[number + 1 : number + 8]) if code.startswith("TS") else []
        found.append((path, code, tell([message.split(" [/")[0].split(" [C:")[0], *more]), ""))
    return found


def _continued(line: str, below: Sequence[str]) -> list[str]:
    """The lines of a message that goes on, deeper than where it began."""
    out: list[str] = []
    for one in below:
        if (
            not one.strip()
            or indent_of(one) <= indent_of(line)
            or is_excerpt(one)
            or set(one.strip()) <= set("~^ ")
        ):
            break
        out.append(one)
    return out


def read_pyright(lines: Sequence[str]) -> list[Fault]:
    """Faults of `file:14:9 - error: message (rule)`, the rule perhaps on a line below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if " - error: " in line:
            place, _, told = line.strip().partition(" - error: ")
            message = tell([told, *_continued(line, lines[number + 1 : number + 8])])
            message, _, rule = message.rpartition(" (") if message.endswith(")") else (message, "", "")
            found.append((split_place(f"{place}:")[0], rule.rstrip(")"), message, ""))
    return found


def read_places(lines: Sequence[str]) -> list[Fault]:
    """Faults of `file:line:col: error: message [code]` (gcc, clang, mypy, swiftc), `file:1:2: E501 message` (ruff,
    flake8, pylint), `file:1:2: message (rule)` (golangci-lint, ktlint) and `file:1:2: undefined: x` (go)."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        path, rest = split_place(line.strip().removeprefix("vet: "))
        if not path or not rest or rest.startswith(_NOT_FAULTS) or not is_own(path):
            continue
        level = next((one for one in _LEVELS if rest.startswith(one)), "")
        code, _, message = rest.removeprefix(level).partition(" ")
        if rest.startswith("error["):
            code, _, message = rest[6:].partition("]: ")
            found.append((path, code, message, ""))
        elif level:
            told = rest.removeprefix(level)
            if told.startswith("[") and " " not in told:  # GHC: the message stands on the next lines
                told = f"{tell(_continued(line, lines[number + 1 : number + 6]))}  {told}"
            found.append((path, *_split_code(told), ""))
        elif _is_code(code.rstrip(":")):
            found.append((path, code.rstrip(":"), message.removeprefix("[*] "), ""))
        elif rest.startswith(_LETTERS) and "/" in rest:
            cop, _, message = rest[3:].removeprefix("[Correctable] ").partition(": ")
            found.append((path, cop, message, ""))
        elif rest.endswith(")") and " " not in rest.rpartition(" (")[2]:
            message, bracket, code = rest.rpartition(" (")
            if bracket and _is_rule(code[:-1]):
                found.append((path, code[:-1], message, ""))
        elif path.endswith((".go", ".php")):
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
    """`E501`, `PLR2004`, `C0114`."""
    letters = word.rstrip("0123456789")
    return 0 < len(letters) <= 6 and letters.isalpha() and letters.isupper() and len(word) > len(letters)


def _is_rule(word: str) -> bool:
    """`errcheck`, `standard:indent`, `SA4006`, `no-unused`."""
    bare = word.replace(":", "").replace("-", "").replace("_", "").replace("/", "")
    return len(bare) > 2 and bare.isalnum() and not bare.isdigit()


def read_ruff(lines: Sequence[str]) -> list[Fault]:
    """Faults of ruff's full form: `F401 [*] message` with ` --> file:1:2` below."""
    found: list[Fault] = []
    for line, below in pairwise(lines):
        code, _, message = line.partition(" ")
        if below.strip().startswith("--> ") and (_is_code(code) or code == "invalid-syntax:"):
            path = split_place(f"{below.strip()[4:]}:")[0]
            found.append((path, code.rstrip(":"), message.removeprefix("[*] "), ""))
    return found


def read_formatter(lines: Sequence[str]) -> list[Fault]:
    """The files that a formatter would change: black, ruff, prettier, cargo fmt."""
    found: list[Fault] = []
    for line in lines:
        text = line.strip()
        start = next((one for one in _REFORMATS if text.lower().startswith(one)), "")
        path = text[len(start) :].partition(" at line ")[0]
        path = split_place(path)[0] or path
        if start and path and " " not in path:
            found.append((path, "format", "", ""))
    return found


def read_linker(lines: Sequence[str]) -> list[Fault]:
    """Symbols and libraries that the linker misses or has twice."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        for mark in (
            "undefined reference to ",
            "multiple definition of ",
            "cannot find -l",
            "library not found for -l",
        ):
            if mark in line:
                told = line.partition(mark)[2].partition(";")[0].partition(":")[0]
                found.append(("", "link", f"{mark}{told}", ""))
        if line.startswith(("Undefined symbols", "duplicate symbol")):
            symbols = [one.strip() for one in lines[number : number + 20] if one.strip().startswith('"')]
            found += [("", "link", f"undefined {one.partition(',')[0]}", "") for one in symbols] or [
                ("", "link", line, "")
            ]
    return found


def read_notes(lines: Sequence[str]) -> list[Fault]:
    """Faults of tools that name the place below what they say: bandit, shellcheck, import-linter."""
    found: list[Fault] = []
    place = ""
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith(">> Issue: ["):
            code, _, message = text[11:].partition("] ")
            below = (one.strip() for one in lines[number + 1 : number + 6])
            where = next((one.partition(": ")[2] for one in below if one.startswith("Location:")), "")
            found.append((split_place(f"{where}:")[0], code.partition(":")[0], message, ""))
        elif text.startswith("In ") and text.endswith(":") and " line " in text:
            place = text[3:].partition(" line ")[0]
        elif place and text.startswith("^--") and " SC" in text:
            code, _, message = text[text.find(" SC") + 1 :].partition(" ")
            found.append((place, code, message.partition("): ")[2] or message, ""))
        elif text.endswith("import cycle not allowed"):
            above = [
                one
                for one in lines[max(0, number - 8) : number]
                if one.strip().startswith(("package ", "imports "))
            ]
            found.append(("", "import cycle", tell([*above, text]), ""))
        elif text.endswith(":") and " is not allowed to import " in text:
            found.append((text.partition(" ")[0], "contract", text.rstrip(":"), ""))
    return found
