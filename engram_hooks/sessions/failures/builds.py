"""Faults of ESLint, Biome, bundlers, and of scripts that Node stopped."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import spans, split_error, split_place, tell
from engram_hooks.sessions.failures.script import frame_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_HEADS = ("error during build:", "✘ [ERROR] ", "ERROR in ", "[tsl] ERROR in ", "Failed to compile.")
_ENDS = ("webpack ", "at ", "resolve ", "using ", "✘ ", "file:", "./")


def read_eslint(lines: Sequence[str]) -> list[Fault]:
    """Problems below the name of their file (`12:5  error  message  rule`), and the forms of one line each."""
    found: list[Fault] = []
    path = ""
    for line in lines:
        words = line.split()
        if len(words) > 2 and line.startswith(" ") and ":" in words[0] and words[1] in {"error", "✖"}:
            if words[0].replace(":", "").isdigit():
                text = line.strip().partition(words[1])[2].strip()
                message, _, rule = text.rpartition("  ")
                found.append((path, rule.strip(), message, "") if message else (path, "", text, ""))
        elif ": line " in line and " Error - " in line:  # compact
            where, _, told = line.partition(" Error - ")
            message, _, rule = told.rpartition(" (")
            found.append((where.partition(": line ")[0], rule.rstrip(")"), message, ""))
        elif line.rstrip().endswith("]") and " [Error/" in line:  # unix
            place, told = split_place(line.strip())
            message, _, rule = told.rpartition(" [Error/")
            found.append((place, rule.rstrip("]"), message, ""))
        elif line and not line.startswith(" "):
            path = line.strip()
    return [fault for fault in found if fault[0]]


def read_biome(lines: Sequence[str]) -> list[Fault]:
    """Faults of `file:3:7 lint/group/rule ━━━` with the message behind a cross below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        path, rest = split_place(line)
        rule = rest.partition(" ")[0]
        if path and "━━" in rest and rule:
            told = next(
                (
                    one.strip()[2:]
                    for one in lines[number + 1 : number + 6]
                    if one.strip()[:2] in ("× ", "✖ ")
                ),
                "",
            )
            found.append((path, rule, told, ""))
    return found


def read_bundler(lines: Sequence[str]) -> list[Fault]:
    """The errors of a build by Vite, Rollup, webpack, esbuild or Next."""
    heads = [number for number, line in enumerate(lines) if line.strip().startswith(_HEADS)]
    found: list[Fault] = []
    for number, end in spans(heads, len(lines)):
        text = lines[number].strip()
        below = lines[number + 1 : min(end, number + 12)]
        if text.startswith("✘"):
            place = next((one for one in map(split_place, below) if one[0]), ("", ""))[0]
            found.append((place, "", text[10:], ""))
        elif "ERROR in " in text:
            where = text.partition("ERROR in ")[2].partition(" ")[0].partition("(")[0]
            told = tell(_paragraph(below), stops=_ENDS, most=4)
            if told:
                found.append((where, *split_error(told), ""))
        else:
            told = tell(below, stops=_ENDS[:-1], most=2)
            frame = next((frame_of(one.strip()[3:]) for one in below if one.strip().startswith("at ")), "")
            found.append(("", *split_error(told), frame))
    return found


def _paragraph(lines: Sequence[str]) -> list[str]:
    """The lines up to the first that is empty."""
    end = next((number for number, line in enumerate(lines) if not line.strip()), len(lines))
    return list(lines[:end])


def read_thrown(lines: Sequence[str]) -> list[Fault]:
    """The error that ended a script: `TypeError: message` with frames below."""
    for number, line in enumerate(lines):
        error, message = split_error(line.strip())
        below = [one.strip() for one in lines[number + 1 : number + 20]]
        if error and any(one.startswith("at ") for one in below[:6]):
            frames = (frame_of(one[3:]) for one in below if one.startswith("at "))
            return [("", error, message, next((frame for frame in frames if frame), ""))]
    return []
