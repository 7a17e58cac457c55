"""Faults of pytest, unittest and plain tracebacks."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import is_own, spans, split_error, split_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_TRACEBACK = "Traceback (most recent call last):"
_CHAINED = ("During handling of the above", "The above exception was the direct cause")


def read_pytest(lines: Sequence[str]) -> list[Fault]:
    """Faults by the short summary, with what the sections of the tests say of each."""
    sections = _sections(lines)
    found: list[Fault] = []
    for line in lines:
        if not line.startswith(("FAILED ", "ERROR ")) or ("::" not in line and ".py" not in line):
            continue
        test, _, told = line.split(" ", 1)[1].partition(" - ")
        name = test.strip().rpartition("::")[2] if "::" in test else test.strip()
        own = sections.get(name) or sections.get(test.strip().replace("::", ".").rpartition(".py.")[2])
        error, message, frame = own or (*split_error(told), "")
        if not own and told.startswith("assert "):
            error = "AssertionError"
        found.append((test.strip(), error, message, frame))
    if not found:
        found = [(name, *own) for name, own in sections.items()]
    return found


def _sections(lines: Sequence[str]) -> dict[str, tuple[str, str, str]]:
    """Name of a test -> (error, message, frame) out of the parts headed by `____ name ____`."""
    found: dict[str, tuple[str, str, str]] = {}
    name = error = message = frame = ""
    for line in [*lines, "==== end ===="]:
        if line.startswith(("____", "====")):
            if name and (error or message):
                found[name.removeprefix("ERROR at setup of ").removeprefix("ERROR collecting ")] = (
                    error,
                    message,
                    frame,
                )
            name = line.strip("_ =") if line.startswith("____") else ""
            error = message = frame = ""
        elif line.startswith("E  ") and not message and not error:
            error, message = split_error(line[1:].strip())
            if message.startswith("assert ") and not error:
                error = "AssertionError"
        elif name and not line.startswith((" ", ">", "E")):
            path, rest = split_place(line)
            if path.endswith(".py") and is_own(path):
                frame = (
                    f"{path} {rest.removeprefix('in ').strip()}" if rest.startswith("in ") else frame or path
                )
    return found


def read_unittest(lines: Sequence[str]) -> list[Fault]:
    """Faults of `FAIL: test (module.Class.test)` and `ERROR: ...` with the traceback below."""
    found: list[Fault] = []
    heads = [number for number, line in enumerate(lines) if line.startswith(("FAIL: ", "ERROR: "))]
    for number, end in spans(heads, len(lines)):
        words = lines[number].split(" ", 2)
        test = words[1]
        if len(words) > 2 and words[2].startswith("("):
            place = words[2].split(")")[0].strip("(")
            test = place if place.endswith(f".{words[1]}") else f"{place}.{words[1]}"
        error, message, frame = _traceback(lines[number + 1 : end])
        found.append((test, error, message, frame))
    return found


def read_traceback(lines: Sequence[str]) -> list[Fault]:
    """Faults of tracebacks; of chained ones the last."""
    starts = [number for number, line in enumerate(lines) if line.strip().endswith(_TRACEBACK)]
    found: list[Fault] = []
    for number, end in spans(starts, len(lines)):
        error, message, frame = _traceback(lines[number + 1 : end])
        if any(line.startswith(_CHAINED) for line in lines[number + 1 : end]) and end < len(lines):
            continue
        if error:
            found.append(("", error, message, frame))
    return found


def _traceback(lines: Sequence[str]) -> tuple[str, str, str]:
    """(error, message, the last frame of the user's own code)."""
    frame = ""
    for line in lines:
        text = line.strip()
        if text.startswith('File "') and ", line " in text:
            path = text[6:].split('"', 1)[0]
            if is_own(path):
                frame = f"{path} {text.rpartition(', in ')[2]}" if ", in " in text else path
        elif (
            text and not line.startswith((" ", "\t", "=", "-")) and not text.startswith((_TRACEBACK, "Ran "))
        ):
            error, message = split_error(text)
            if error:
                return error, message, frame
    return "", "", frame
