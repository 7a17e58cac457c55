"""Faults of Jest, Vitest, Mocha, the test runner of Node, ESLint and bundlers."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import indent_of, is_own, spans, split_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_BLOCK_LINES = 60
_VALUES = ("Expected", "Received", "+ expected", "- actual", "expected", "actual:", "expected:")


def read_jest(lines: Sequence[str]) -> list[Fault]:
    """Faults headed by `● group › test` (Jest) or `FAIL  file > group > test` (Vitest)."""
    heads = [number for number, line in enumerate(lines) if _head(line)]
    found: list[Fault] = []
    for number, end in spans(heads, len(lines)):
        found.append(_block(_head(lines[number]), lines[number + 1 : min(end, number + _BLOCK_LINES)]))
    return [fault for fault in found if fault[1] or fault[2]]


def _head(line: str) -> str:
    text = line.strip()
    if text.startswith("● ") and not text.startswith("● Console"):
        return " > ".join(text[2:].split(" › "))
    if text.startswith(("FAIL ", "× ", "❯ ")) and " > " in text:
        return " > ".join(_without_time(text.split(" ", 1)[1].strip()).split(" > ")[1:])
    return ""


def _block(test: str, lines: Sequence[str]) -> Fault:
    told: list[str] = []
    frame = ""
    for line in lines:
        text = line.strip()
        if text.startswith(("at ", "❯ ")):
            frame = frame or _frame(text.split(" ", 1)[1])
            continue
        if text.startswith((">", "|")) or (text[:1].isdigit() and "|" in text):
            continue
        if text and (not told or (len(told) < 6 and text.startswith(_VALUES))):
            told.append(text)
    error, message = split_error(told[0]) if told else ("", "")
    return test, error, " ".join([message, *told[1:]]).strip(), frame


def _frame(text: str) -> str:
    """`Object.toBe (src/a.js:12:3)` or `src/a.js:12:3` -> `src/a.js Object.toBe`."""
    name, bracket, place = text.rpartition(" (")
    path = (place.rstrip(")") if bracket else text).removeprefix("file://")
    while path.rpartition(":")[2].isdigit():
        path = path.rpartition(":")[0]
    return f"{path} {name}".strip() if is_own(path) else ""


def _without_time(text: str) -> str:
    head, _, last = text.rpartition(" ")
    return head if last.endswith("ms") and last[:-2].isdigit() else text


def read_mocha(lines: Sequence[str]) -> list[Fault]:
    """Faults below `N failing`: `1) group`, the test, a colon, then the error."""
    start = next((number for number, line in enumerate(lines) if line.strip().endswith(" failing")), -1)
    if start < 0:
        return []
    heads = [
        n for n in range(start, len(lines)) if lines[n].strip().split(")")[0].isdigit() and ") " in lines[n]
    ]
    found: list[Fault] = []
    for number, end in spans(heads, len(lines)):
        names = [lines[number].strip().partition(") ")[2]]
        at = number + 1
        while at < end and not names[-1].endswith(":"):
            if lines[at].strip():
                names.append(lines[at].strip())
            at += 1
        found.append(_block(" > ".join(names).rstrip(":"), [line for line in lines[at:end] if line.strip()]))
    return found


def read_node(lines: Sequence[str]) -> list[Fault]:
    """Faults of TAP (`not ok 1 - name`) and of Node's own reporter (`✖ name (1.2ms)`)."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("not ok "):
            test = text.partition(" - ")[2] or text.split(" ", 3)[-1]
            block = lines[number + 1 : number + 30]
        elif text.startswith("✖ ") and text.endswith("ms)"):
            test = text[2:].rpartition(" (")[0]
            block = [one for one in lines[number + 1 : number + 30] if indent_of(one) > indent_of(line)]
        else:
            continue
        told = next(
            (one.strip() for one in block if one.strip().startswith(("error:", "Error", "AssertionError"))),
            "",
        )
        error, message = split_error(told.removeprefix("error:").strip(" '\""))
        found.append((test.split(" # ")[0], error, message, ""))
    return found


def read_eslint(lines: Sequence[str]) -> list[Fault]:
    """Problems below the name of their file: `12:5  error  message  rule`."""
    found: list[Fault] = []
    path = ""
    for line in lines:
        words = line.split()
        if (
            len(words) > 2
            and line.startswith(" ")
            and words[1] in {"error", "warning", "✖"}
            and ":" in words[0]
        ):
            if words[0].replace(":", "").isdigit() and words[1] != "warning":
                found.append((path, words[-1], " ".join(words[2:-1]), ""))
        elif line and not line.startswith(" "):
            path = line.strip()
    return found


def read_bundler(lines: Sequence[str]) -> list[Fault]:
    """The error of a build by Vite, Rollup, webpack or esbuild, and of a script that Node stopped."""
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith(("error during build:", "✘ [ERROR]", "ERROR in ", "Module not found", "[vite]:")):
            told = text.partition("] ")[2] if text.startswith("✘") else ""
            block = [one.strip() for one in lines[number + 1 : number + 8] if one.strip()]
            told = told or (block[0] if text.endswith(":") and block else text)
            frame = next((_frame(one[3:]) for one in block if one.startswith("at ")), "")
            error, message = split_error(told)
            return [("", error, message, frame)]
    for number, line in enumerate(lines):
        error, message = split_error(line.strip())
        if error and lines[number + 1 : number + 2] and lines[number + 1].strip().startswith("at "):
            own = (
                _frame(one.strip()[3:])
                for one in lines[number + 1 : number + 20]
                if one.strip().startswith("at ")
            )
            return [("", error, message, next((frame for frame in own if frame), ""))]
    return []
