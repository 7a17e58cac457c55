"""Faults of Go and Rust: tests, panics, data races, compilers."""

from __future__ import annotations

from itertools import pairwise

from engram_hooks.sessions.failures.fault import is_own, spans, split_error, split_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_GO_FAIL = "--- FAIL: "
_RACE_LINES = 30


def read_go_tests(lines: Sequence[str]) -> list[Fault]:
    """Faults of `--- FAIL: TestX/case (0.00s)` with the `file.go:12: message` below."""
    found: list[Fault] = []
    heads = [number for number, line in enumerate(lines) if line.strip().startswith(_GO_FAIL)]
    for number, end in spans(heads, len(lines)):
        test = lines[number].strip()[len(_GO_FAIL) :].split(" ")[0]
        told, frame = _go_message(lines[number + 1 : end])
        if not told and end < len(lines) and lines[end].strip()[len(_GO_FAIL) :].startswith(f"{test}/"):
            continue  # the parent of a failing case
        error, message = split_error(told)
        found.append((test, error, message, frame))
    return found


def _go_message(lines: Sequence[str]) -> tuple[str, str]:
    """(message, file) of the lines below a failing test; what testify says in its table counts, too."""
    told = frame = ""
    for line in lines:
        text = line.strip()
        if not line.startswith((" ", "\t")) and text:
            break
        if text.startswith(("Error:", "expected:", "actual  :", "actual:", "Messages:")):
            told = f"{told} {' '.join(text.split())}".strip()
            continue
        path, rest = split_place(text)
        if path.endswith(".go") and not frame:
            frame = path
            told = rest or told
    return told, frame


def read_go_panics(lines: Sequence[str]) -> list[Fault]:
    """Faults of `panic: ...` with the user's frame, and of the race detector."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.startswith(("panic: ", "fatal error: ")) and "[recovered]" not in line:
            kind, _, message = line.partition(": ")
            found.append(("", kind, message, _go_frame(lines[number + 1 : number + _RACE_LINES])))
        elif line.startswith("WARNING: DATA RACE"):
            found.append(("", "data race", "", _go_frame(lines[number + 1 : number + _RACE_LINES])))
    return found


def _go_frame(lines: Sequence[str]) -> str:
    """The first frame of the user's own code: the function's line, then its file."""
    for above, line in pairwise(lines):
        path, _ = split_place(line.strip().split(" +0x")[0])
        if path.endswith(".go") and is_own(path) and not path.endswith("_test.go"):
            return f"{path} {above.strip().split('(')[0].rpartition('/')[2]}"
    return ""


def read_rust_tests(lines: Sequence[str]) -> list[Fault]:
    """Faults of `---- name stdout ----` and of a panic outside tests."""
    found: list[Fault] = []
    test = ""
    for number, line in enumerate(lines):
        if line.startswith("---- ") and line.rstrip().endswith((" stdout ----", " stderr ----")):
            test = line.split(" ")[1]
        elif " panicked at " in line and line.lstrip().startswith("thread "):
            place = line.partition(" panicked at ")[2]
            path, message = split_place(place)
            if place.startswith("'"):  # the form of older compilers: panicked at 'message', file:line
                message, _, where = place[1:].rpartition("', ")
                path = split_place(where + ":")[0]
            told = [message, *_rust_message(lines[number + 1 : number + 8])]
            found.append(
                (test, "panic", " ".join(part for part in told if part), path if is_own(path) else "")
            )
            test = ""
    if found:
        return found
    return [
        (line.split(" ")[1], "", "", "")
        for line in lines
        if line.startswith("test ") and line.rstrip().endswith("... FAILED")
    ]


def _rust_message(lines: Sequence[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        if not line.strip() or line.startswith(("note:", "stack backtrace", "----", "thread ")):
            break
        out.append(line.strip())
    return out


def read_rustc(lines: Sequence[str]) -> list[Fault]:
    """Faults of `error[E0308]: message` with ` --> file:line:col` below; clippy's as well."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if not line.startswith(("error[", "error: ")) or line.startswith(_RUST_SUMMARIES):
            continue
        code = line[6 : line.find("]")] if line.startswith("error[") else ""
        place = next(
            (one.strip()[4:] for one in lines[number + 1 : number + 4] if one.strip().startswith("--> ")), ""
        )
        path = split_place(place + ":")[0] if place else ""
        found.append((path, code, line.partition(": ")[2], ""))
    return found


_RUST_SUMMARIES = (
    "error: could not compile",
    "error: aborting due to",
    "error: test failed",
    "error: process didn't exit",
    "error: build failed",
)
