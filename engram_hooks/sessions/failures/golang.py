"""Faults of Go: tests, panics, data races, and what its compiler says in between."""

from __future__ import annotations

from itertools import pairwise

from engram_hooks.sessions.failures.fault import is_own, split_error, split_place, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_FAIL = "--- FAIL: "
_RUNNING = ("=== RUN ", "=== CONT ", "=== NAME ", "=== PAUSE ")
_ENDED = ("--- PASS: ", "--- SKIP: ", "PASS", "FAIL", "ok  ", "exit status", "panic: ", "goroutine ")
_STACK_LINES = 60


def read_tests(lines: Sequence[str]) -> list[Fault]:
    """Faults of `--- FAIL: TestX/case (0.00s)` with the `file.go:12: message` around it, of panics and data races in
    tests, and of packages that were not built."""
    told, failed = _told_by_tests(lines)
    found = read_panics(lines)
    panicked = [fault for fault in found if fault[1] != "data race"]
    for test in failed:
        rest = told.get(test, [])
        if not rest and any(one.startswith(f"{test}/") for one in failed):
            continue  # the parent of a failing case
        if not rest and panicked and not panicked[0][0]:
            found.remove(panicked[0])
            found.append((test, *panicked.pop(0)[1:]))
            continue
        message, frame = _message(rest)
        found.append((test, *split_error(message), frame))
    return found + (read_build(lines) if any("[build failed]" in line for line in lines) else [])


def _told_by_tests(lines: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """(test -> the indented lines printed while it ran, the tests that failed)."""
    told: dict[str, list[str]] = {}
    failed: list[str] = []
    current = ""
    for line in lines:
        text = line.strip()
        if text.startswith(_RUNNING):
            current = text.split()[2] if len(text.split()) > 2 else ""
        elif text.startswith("=== FAIL: "):
            current = text.rpartition(" (")[0].rpartition(" ")[2]
            failed.append(current)
        elif text.startswith(_FAIL):
            current = text[len(_FAIL) :].partition(" ")[0]
            failed.append(current)
        elif text.startswith(_ENDED) and not line.startswith("        "):
            current = ""
        elif current and text and line.startswith((" ", "\t")):
            told.setdefault(current, []).append(text)
    return told, list(dict.fromkeys(failed))


def _message(lines: Sequence[str]) -> tuple[str, str]:
    """(message, file) of the lines that a failing test printed; what testify says in its table counts, too."""
    out: list[str] = []
    frame = ""
    for text in lines:
        if text.startswith(("Error Trace:", "Test:")):
            continue
        path, rest = split_place(text)
        if path.endswith(".go"):
            frame = frame or (path if path != "testing.go" else "")
            text = rest
        if text:
            out.append(" ".join(text.removeprefix("Error:").split()))
    return tell(out), frame


def read_panics(lines: Sequence[str]) -> list[Fault]:
    """Faults of `panic: ...` with the user's frame, and of the race detector."""
    found: list[Fault] = []
    is_over = False
    for number, line in enumerate(lines):
        below = lines[number + 1 : number + _STACK_LINES]
        if line.startswith(("panic: ", "fatal error: ")) and not is_over:
            kind, _, message = line.partition(": ")
            tests = _running(below) if message.startswith("test timed out") else ""
            found.append((tests, kind, message.removesuffix(" [recovered]"), _frame(below)))
            is_over = True
        elif line.startswith("WARNING: DATA RACE"):
            found.append(("", "data race", "", _frame(below)))
        elif line.startswith("FAIL\t"):
            is_over = False
    return found


def _running(lines: Sequence[str]) -> str:
    """The tests that ran when the time was over."""
    names = [line.strip().partition(" ")[0] for line in lines[1:10] if line.startswith("\t\t")]
    return " ".join(sorted(names))


def _frame(lines: Sequence[str]) -> str:
    """The first frame of the user's own code, a test's where there is no other: the function's line, then its file."""
    in_test = ""
    for above, line in pairwise(lines):
        path, _ = split_place(line.strip().split(" +0x")[0])
        if path.endswith(".go") and is_own(path):
            frame = f"{path} {above.strip().rpartition('(')[0].rpartition('/')[2]}"
            if not path.endswith("_test.go"):
                return frame
            in_test = in_test or frame
    return in_test


def read_build(lines: Sequence[str]) -> list[Fault]:
    """Faults of the compiler and of vet: `file.go:12:5: message`."""
    found: list[Fault] = []
    for line in lines:
        if line.startswith((" ", "\t")):
            continue
        path, rest = split_place(line.removeprefix("vet: ").strip())
        if path.endswith(".go") and rest and is_own(path):
            found.append((path, "compiler", rest, ""))
    return found
