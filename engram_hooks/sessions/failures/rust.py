"""Faults of Rust: tests, panics, the compiler and clippy."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import is_own, spans, split_place, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_SUMMARIES = (
    "error: could not compile",
    "error: aborting due to",
    "error: test failed",
    "error: test run failed",
    "error: process didn't exit",
    "error: build failed",
    "error: doctest failed",
)
_ENDS = ("note:", "stack backtrace", "----", "thread ", "failures:")


def read_tests(lines: Sequence[str]) -> list[Fault]:
    """Faults of `---- name stdout ----`, of panics outside tests, and of tests that returned an error."""
    found: list[Fault] = []
    test = ""
    for number, line in enumerate(lines):
        if line.startswith("---- ") and line.rstrip().endswith((" stdout ----", " stderr ----")):
            test = line[5:].rstrip().removesuffix(" ----").rpartition(" ")[0]
        elif " panicked at " in line and line.lstrip().startswith("thread "):
            thread = line.partition("'")[2].partition("'")[0]
            message, path = _panic(line.partition(" panicked at ")[2], lines[number + 1 : number + 14])
            named = test or (thread if thread not in {"main", "<unnamed>"} else "")
            found.append((named, "panic", message, path if is_own(path) else ""))
            test = ""
        elif test and line.startswith("Error: "):
            found.append((test, "Error", line[7:], ""))
            test = ""
    if found:
        return found
    return [
        (line[5:].rpartition(" ... ")[0], "", "", "")
        for line in lines
        if line.startswith("test ") and line.rstrip().endswith("... FAILED")
    ]


def _panic(place: str, below: Sequence[str]) -> tuple[str, str]:
    """(message, path) of what stands behind `panicked at`: `file:line:col:` and the message on the next lines, or, in
    older toolchains, `'message', file:line:col`."""
    if not place.startswith("'"):
        path, message = split_place(place)
        return tell([message, *_until_end(below)]), path
    text = place
    for line in below:
        if "', " in text:
            break
        text += f" {line.strip()}"
    message, _, where = text[1:].rpartition("', ")
    return message, split_place(f"{where}:")[0]


def _until_end(lines: Sequence[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        if not line.strip() or line.startswith(_ENDS):
            break
        out.append(line)
    return out


def read_compiler(lines: Sequence[str]) -> list[Fault]:
    """Faults of `error[E0308]: message` with ` --> file:line:col` and what is marked below; clippy's as well."""
    heads = [
        number
        for number, line in enumerate(lines)
        if line.startswith(("error[", "error: ", "warning: ", "For more information", "Some errors have"))
        or not line.strip()
    ]
    found: list[Fault] = []
    for number, end in spans(heads, len(lines)):
        line = lines[number]
        if not line.startswith(("error[", "error: ")) or line.startswith(_SUMMARIES):
            continue
        block = lines[number + 1 : end]
        place = next((one.strip()[4:] for one in block[:3] if one.strip().startswith("--> ")), "")
        if not place and line.startswith("error: "):
            continue
        path = split_place(f"{place}:")[0] if place else ""
        code = line[6 : line.find("]")] if line.startswith("error[") else _lint(block)
        labels = [one.rpartition("^")[2] for one in block if "^ " in one and "|" in one]
        found.append((path, code, tell([line.partition(": ")[2], *labels]), ""))
    return found


def _lint(block: Sequence[str]) -> str:
    """`clippy::never_loop` of `#[deny(clippy::never_loop)]` or `-D clippy::never-loop`."""
    for line in block:
        for mark in ("#[deny(", "#[forbid(", "`-D "):
            if mark in line:
                return line.partition(mark)[2].partition(")")[0].partition("`")[0]
    return ""
