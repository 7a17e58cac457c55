"""What is left when no tool is recognised: lines that speak of an error, and the targets and hooks that failed."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import split_error, split_place, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_MOST = 4
_WORDS = (
    "error",
    "failed",
    "failure",
    "fatal",
    "exception",
    "panic",
    "cannot",
    "can't",
    "could not",
    "couldn't",
    "unable to",
    "invalid",
    "undefined",
    "unbound",
    "mismatch",
    "missing",
    "not found",
    "not allowed",
    "no such",
    "unexpected",
    "violation",
)
# lines that end or sum up what stands above them
_NOISE = (
    "npm err!",
    "npm error",
    "make: ",
    "make[",
    "error: process completed",
    "see the report",
    "* try:",
    "build failed",
    "found ",
    "0 error",
    "errors while running",
    "[info]",
    "warning",
    "error command failed",
    "elifecycle",
    "error: exit code",
    "failed to restore",
    "collect2:",
    "compilation failed",
    "failure: build failed",
    "tests:",
)


def read_pre_commit(lines: Sequence[str]) -> list[Fault]:
    """Faults of `hook name.....Failed` with `- hook id: x` and what the hook printed below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.startswith("- hook id: "):
            below: list[str] = []
            for one in lines[number + 1 : number + 20]:
                if one.startswith("- hook id: ") or "....." in one:
                    break
                below.append(one)
            found.append(
                (line[11:].strip(), "hook", tell(below, skips=("- exit code", "- duration"), most=8), "")
            )
    return found


def read_cmake(lines: Sequence[str]) -> list[Fault]:
    """Faults of `CMake Error at CMakeLists.txt:9 (command):` with the message indented below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.startswith("CMake Error"):
            where = line.partition(" at ")[2]
            path, command = split_place(where)
            found.append(
                (path, command.strip("(): ") or "cmake", tell(lines[number + 1 :], stops=("--",), most=4), "")
            )
    return found


def read_boxed(lines: Sequence[str]) -> list[Fault]:
    """Faults of Terraform: `│ Error: message` with the file and more in the box."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.startswith("│ Error: "):
            below = [one[1:].strip() for one in lines[number + 1 : number + 12] if one.startswith("│")]
            path = next((one[3:].partition(" line ")[0] for one in below if one.startswith("on ")), "")
            told = [one for one in below if not one.startswith("on ") and not one.partition(":")[0].isdigit()]
            found.append((path, "", tell([line[9:], *told], most=4), ""))
    return found


def read_make(lines: Sequence[str]) -> list[Fault]:
    """The target of make that failed, with what was printed before; nothing where a line speaks of an error."""
    for number, line in enumerate(lines):
        if line.startswith("make") and "*** [" in line:
            target = line.partition("*** [")[2].partition("]")[0].rpartition(" ")[2]
            above = [
                one
                for one in lines[max(0, number - 8) : number]
                if one.strip() and not one.startswith("make")
            ]
            return [(target, "make", tell(above[-2:]), "")]
    return []


def read_errors(lines: Sequence[str]) -> list[Fault]:
    """The first lines that speak of an error."""
    told: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip(" \t│|╷╵─")
        small = text.lower()
        if len(text) > 3 and any(word in small for word in _WORDS) and not small.startswith(_NOISE):
            path, rest = split_place(text)
            if rest.endswith(":") and number + 1 < len(lines):  # the message stands below
                rest = f"{rest} {lines[number + 1].strip()}"
            error, message = split_error(rest)
            told.append((path, error, message, ""))
            if len(told) == _MOST:
                break
    return told


def read_last(lines: Sequence[str]) -> list[Fault]:
    """The last line that says something."""
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return [("", "", last, "")] if last else []
