"""Faults of the test runners of JavaScript: Jest, Vitest, Mocha, Node's own, TAP, AVA, Playwright, Bun, Deno."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import (
    MAX_TOLD,
    indent_of,
    is_excerpt,
    is_own,
    numbered,
    spans,
    split_error,
    split_place,
    tell,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_BLOCK_LINES = 60
_SKIPPED = (
    "Snapshot name:",
    "+ expected - actual",
    "- Expected",
    "- Snapshot",
    "+ Received",
    "Require stack:",
    "⎯⎯",
    "Ignored nodes:",
    "…",
    "^",
)
_ENDS = (
    "Test Suites:",
    "Test Files ",
    "Tests:",
    "Tests ",
    "Snapshot Summary",
    "Ran ",
    "Call log:",
    "Call Log:",
)


def read_jest(lines: Sequence[str]) -> list[Fault]:
    """Faults headed by `● group › test` (Jest) or `FAIL  file > group > test` (Vitest)."""
    heads = [number for number, line in enumerate(lines) if _head(line)]
    if not heads:  # a list without what was told of each
        listed = [line.strip() for line in lines if _is_listed(line.strip())]
        return [(_without_time(line.partition(" ")[2].strip()), "", "", "") for line in listed]
    found: list[Fault] = []
    for number, end in spans(heads, len(lines)):
        test = _head(lines[number])
        if test == "Test suite failed to run":
            above = (line.strip() for line in reversed(lines[max(0, number - 4) : number]))
            test = next((line.split()[1] for line in above if line.startswith("FAIL ")), test)
        fault = block(test, lines[number + 1 : min(end, number + _BLOCK_LINES)])
        if fault[1] or fault[2]:
            found.append(fault)
    return found


def _is_listed(text: str) -> bool:
    """`✕ name (3 ms)`, `× file > name 3ms`, `FAIL src/a.test.ts`."""
    if text.startswith("FAIL "):
        return text.partition(" (")[0].endswith((".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".vue"))
    return text.startswith("✕ ") or (text.startswith("× ") and " > " in text)


def _head(line: str) -> str:
    text = line.strip()
    if text.startswith("● ") and not text.startswith("● Console"):
        return " > ".join(text[2:].split(" › "))
    if text.startswith("FAIL ") and " > " in text:
        return " > ".join(_without_time(text[5:].strip()).split(" > ")[1:])
    return text[5:].partition(" [")[0].strip() if text.startswith("FAIL ") and text.endswith("]") else ""


def block(test: str, lines: Sequence[str]) -> Fault:
    """The fault of a test that these lines speak of: all that is told before the summary, and the user's frame."""
    told: list[str] = []
    frame = ""
    is_stack = False
    for line in lines:
        text = line.strip()
        if text.startswith(("at ", "❯ ")):
            is_stack = True
            frame = frame or frame_of(text.partition(" ")[2])
        elif not text or is_excerpt(line) or text.startswith(_SKIPPED):
            continue
        elif is_stack or text.startswith(_ENDS):
            break
        elif len(told) < MAX_TOLD:
            told.append(text)
    error, message = split_error(told[0]) if told else ("", "")
    return test, error, tell([message, *told[1:]]), frame


def frame_of(text: str) -> str:
    """`Object.toBe (src/a.js:12:3)`, `total src/a.ts:5:1` or `src/a.js:12:3` -> `src/a.js Object.toBe`."""
    name, _, place = text.strip().rpartition(" ")
    path = place.strip("()").removeprefix("file://")
    while path.rpartition(":")[2].isdigit():
        path = path.rpartition(":")[0]
    return f"{path} {name}".strip() if is_own(path) and ("." in path or "/" in path) else ""


def _without_time(text: str) -> str:
    head, _, last = text.rpartition(" ")
    if last == "ms)" and " (" in head:  # Jest: `(12 ms)`
        return head.rpartition(" (")[0]
    return head if last.strip("()").endswith("ms") and last.strip("()")[:-2].isdigit() else text


def read_mocha(lines: Sequence[str]) -> list[Fault]:
    """Faults below `N failing`: `1) group`, the test, a colon, then the error."""
    start = next((number for number, line in enumerate(lines) if line.strip().endswith(" failing")), -1)
    if start < 0:
        return []
    found: list[Fault] = []
    for first, below in numbered(lines[start:], _BLOCK_LINES):
        names = [first]
        at = 0
        while at < len(below) and at < 8 and not names[-1].endswith(":"):
            if below[at].strip():
                names.append(below[at].strip())
            at += 1
        found.append(block(" > ".join(names).rstrip(":"), below[at:]))
    return found


def read_node(lines: Sequence[str]) -> list[Fault]:
    """Faults of Node's own reporter: `✖ name (1.2ms)` with what is told indented below."""
    start = next((number for number, line in enumerate(lines) if line.startswith("✖ failing tests:")), 0)
    found: list[Fault] = []
    for number in range(start, len(lines)):
        line = lines[number]
        text = line.strip()
        if text.startswith("✖ ") and text.endswith("ms)"):
            below: list[str] = []
            for one in lines[number + 1 : number + 40]:
                if one.strip() and indent_of(one) <= indent_of(line):
                    break
                below.append(one)
            fault = block(text[2:].rpartition(" (")[0], _before_frames(below))
            if fault[1] or fault[2] or not start:
                found.append(fault)
    return found


def _before_frames(lines: Sequence[str]) -> list[str]:
    """The lines without what Node prints of an error's properties behind its frames."""
    end = next((n for n, line in enumerate(lines) if line.rstrip().endswith(") {")), len(lines) - 1)
    return list(lines[: end + 1])


def read_tap(lines: Sequence[str]) -> list[Fault]:
    """Faults of TAP: `not ok 1 - name` with values below; a test that holds the one that failed is left out."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip()
        if not text.startswith("not ok ") or " # TODO" in text:
            continue
        told: list[str] = []
        error = ""
        is_parent = False
        for one in lines[number + 1 : number + 40]:
            key, _, value = one.strip().partition(": ")
            if one.strip() == "..." or key in {"stack", "at"} or one.strip().startswith(("ok ", "not ok ")):
                break
            if key == "name" and value.strip("'").endswith("Error"):
                error = value.strip("'")
            elif key in {"error", "expected", "actual", "wanted", "found", "message", "operator"}:
                told.append(f"{key}: {value.strip()}" if value != "|-" else "")
            elif not value and one.strip() != "---" and told:
                told.append(one)
            is_parent = is_parent or "subtestsFailed" in value or value.endswith("subtest failed'")
        if not is_parent:
            name = text.partition(" - ")[2] or text.split(" ", 3)[-1]
            found.append((name.split(" # ")[0], error, tell(told), ""))
    return found


def read_ava(lines: Sequence[str]) -> list[Fault]:
    """Faults of AVA: `✘ [fail]: group › test`, and the part of that name further below."""
    tests = [line.strip()[10:].strip() for line in lines if line.strip().startswith("✘ [fail]:")]
    found: list[Fault] = []
    for test in dict.fromkeys(_without_time(test) for test in tests):
        start = next((number for number, line in enumerate(lines) if line.strip() == test), len(lines))
        below = [
            line
            for line in lines[start + 1 : start + 30]
            if not line.strip().partition(":")[0].isdigit() and not split_place(f"{line.strip()}:")[0]
        ]
        found.append((test, "", tell(below, stops=("›", "─")), ""))
    return found


def read_playwright(lines: Sequence[str]) -> list[Fault]:
    """Faults of `1) [chromium] › file.spec.ts:9:5 › group › test` with the error below."""
    found: list[Fault] = []
    for head, below in numbered(lines, _BLOCK_LINES):
        if " › " in head:
            parts = [split_place(f"{part}:")[0] or part for part in head.rstrip(" ─").split(" › ")]
            found.append(block(" > ".join(parts), below))
    return found


def read_bun(lines: Sequence[str]) -> list[Fault]:
    """Faults of `(fail) group > test [1.2ms]`, whose error stands above."""
    found: list[Fault] = []
    start = 0
    for number, line in enumerate(lines):
        if line.startswith(("(pass) ", "✓ ")):
            start = number + 1
        elif line.startswith(("(fail) ", "✗ ")):
            above = lines[start:number]
            at = next(
                (n for n, one in enumerate(above) if split_error(one.capitalize())[0] or "error: " in one), 0
            )
            test, error, message, frame = block(line.partition(" ")[2].rpartition(" [")[0], above[at:])
            found.append((test, error, message.removeprefix("error: "), frame))
            start = number + 1
    return found


def read_deno(lines: Sequence[str]) -> list[Fault]:
    """Faults of `name => ./file:4:6` with `error: Type: message` below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        test, arrow, _ = line.partition(" => ")
        below = lines[number + 1 : number + 30]
        if arrow and below and below[0].startswith("error: "):
            _, error, message, frame = block(test, [below[0][7:], *below[1:]])
            found.append((test, error, message, frame))
    return found
