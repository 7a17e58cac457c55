"""Faults of pytest, unittest, doctest and plain tracebacks."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import is_own, spans, split_error, split_place, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

    # (error, message, frame, files that its frames are in)
    Section = tuple[str, str, str, set[str]]

_TRACEBACK = "Traceback (most recent call last):"
_CHAINED = ("During handling of the above", "The above exception was the direct cause")
_HEADS = ("ERROR at setup of ", "ERROR at teardown of ", "ERROR collecting ")
_UNPARSED = ("SyntaxError: ", "IndentationError: ", "TabError: ")


def read_pytest(lines: Sequence[str]) -> list[Fault]:
    """Faults by the short summary, with what the sections of the tests say of each."""
    sections = _sections(lines)
    found: list[Fault] = []
    for line in lines:
        if line.startswith("FAIL Required test coverage"):
            found.append(("", "coverage", line[5:].partition(". ")[0], ""))
        if not line.startswith(("FAILED ", "ERROR ")) or ("::" not in line and ".py" not in line):
            continue
        test, _, told = line.split(" ", 1)[1].partition(" - ")
        own = _section_of(test.strip(), sections)
        error, message, frame = own[:3] if own else (*split_error(told), "")
        if not own and told.startswith("assert "):
            error = "AssertionError"
        found.append((test.strip(), error, message, frame))
    return found or [(name, *own[:3]) for name, all_own in sections.items() for own in all_own]


def _section_of(test: str, sections: dict[str, list[Section]]) -> Section | None:
    """The section of a test; of several of that name the one with a frame in its file."""
    path, _, name = test.partition("::")
    plain, bracket, case = name.partition("[")
    known = sections.get(plain.replace("::", ".") + bracket + case) or sections.get(test) or []
    return next((one for one in known if path in one[3]), known[0] if known else None)


def _sections(lines: Sequence[str]) -> dict[str, list[Section]]:
    """Name of a test -> its sections, out of the parts headed by `____ name ____`."""
    found: dict[str, list[Section]] = {}
    heads = [number for number, line in enumerate(lines) if line.startswith(("____", "===="))]
    for number, end in spans(heads, len(lines)):
        if not lines[number].startswith("____"):
            continue
        name = lines[number].strip("_ ")
        for head in _HEADS:
            name = name.removeprefix(head)
        section = _section(lines[number + 1 : end])
        if section[0] or section[1]:
            found.setdefault(name, []).append(section)
    return found


def _section(lines: Sequence[str]) -> Section:
    """What one section says: of chained errors the last, with the one before in its message."""
    told: list[str] = []
    frame = function = cause = ""
    files: set[str] = set()
    for line in lines:
        if line.startswith("-----"):  # captured output
            break
        if line.startswith(_CHAINED):
            cause, told, frame = _one_line(told), [], ""
        elif line.startswith("E  "):
            told.append(line[1:].strip())
        elif line.startswith("    def "):
            function = line[8:].partition("(")[0]
        elif not line.startswith((" ", ">", "E")):
            path, rest = split_place(line)
            if path.endswith(".py") and is_own(path):
                files.add(path)
                named = rest.removeprefix("in ").strip() if rest.startswith("in ") else function
                frame = frame if named.startswith("<") else f"{path} {named}".strip()
    error, message = _error_in(told)
    return error, f"{message} after {cause}" if cause else message, frame, files


def _one_line(told: Sequence[str]) -> str:
    return ": ".join(part for part in _error_in(told) if part)


def _error_in(told: Sequence[str]) -> tuple[str, str]:
    """(type, message) of the lines that pytest marks with E."""
    if not told:
        return "", ""
    if told[0].startswith("File ") and split_error(told[-1])[0]:  # what could not be parsed
        return split_error(told[-1])
    error, first = split_error(told[0])
    if not error and first.startswith("assert "):
        error = "AssertionError"
    return error, tell([first, *told[1:]], skips=("Use -v", "Omitting "))


def read_unittest(lines: Sequence[str]) -> list[Fault]:
    """Faults of `FAIL: test (module.Class.test)` and `ERROR: ...` with the traceback below."""
    found: list[Fault] = []
    heads = [n for n, line in enumerate(lines) if line.startswith(("FAIL: ", "ERROR: ")) and "(" in line]
    for number, end in spans(heads, len(lines)):
        words = lines[number].split(" ", 2)
        test = words[1]
        if len(words) > 2 and words[2].startswith("("):
            place, _, case = words[2].partition(")")
            place = place.strip("(")
            test = place if place.endswith(f".{words[1]}") else f"{place}.{words[1]}"
            test = f"{test} {case.strip()}".strip()
        found.append((test, *_traceback(lines[number + 1 : end])))
    return found


def read_doctest(lines: Sequence[str]) -> list[Fault]:
    """Faults of examples: `File "x.py", line 3, in module.name`, then what was expected and got."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.startswith("Failed example:") and number:
            where = lines[number - 1]
            test = where.rpartition(", in ")[2].strip()
            told = tell(lines[number + 1 :], stops=("****",))
            found.append((test, "", told, where.partition('"')[2].partition('"')[0]))
    return found


def read_traceback(lines: Sequence[str]) -> list[Fault]:
    """Faults of tracebacks, also of grouped ones; of chained ones the last; of code that does not parse."""
    plain = [_ungroup(line) for line in lines]
    starts = [
        number
        for number, line in enumerate(plain)
        if line.strip().endswith(_TRACEBACK) and not _is_continued(plain, number)
    ]
    found = [("", *_traceback(plain[number + 1 : end])) for number, end in spans(starts, len(plain))]
    found = [fault for fault in found if fault[1]]
    if not found:
        for number, line in enumerate(plain):
            if line.startswith(_UNPARSED):
                above = [one.strip() for one in plain[max(0, number - 5) : number]]
                path = next((one[6:].split('"')[0] for one in above if one.startswith('File "')), "")
                found.append((path, *split_error(line), ""))
    return found


def _is_continued(lines: Sequence[str], number: int) -> bool:
    """Whether a traceback goes on from the one before: `During handling ...` stands above it."""
    above = next((line for line in reversed(lines[max(0, number - 3) : number]) if line.strip()), "")
    return above.startswith(_CHAINED)


def _ungroup(line: str) -> str:
    """A line of a grouped traceback without the bars in front."""
    text = line.lstrip()
    while text.startswith(("| ", "+-", "+ ")):
        text, line = text[2:].lstrip(), text[2:]
    return line


def _traceback(lines: Sequence[str]) -> tuple[str, str, str]:
    """(error, message, the last frame of the user's own code); the error before in a chain is told in the message."""
    error = message = frame = cause = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        text = line.strip()
        number += 1
        if text.startswith('File "') and ", line " in text:
            path = text[6:].split('"', 1)[0]
            if is_own(path):
                frame = f"{path} {text.rpartition(', in ')[2]}" if ", in " in text else path
        elif line.startswith(_CHAINED):
            cause, error, frame = f"{error}: {message}", "", ""
        elif error or not text or line.startswith((" ", "\t", "=", "-")) or text.endswith(_TRACEBACK):
            continue
        else:
            error, message = split_error(text)
            if error == "ImportError" and message.startswith("Failed to import test module"):
                error = message = ""
            elif error:
                rest = lines[number:]
                message = tell([message, *_until_rule(rest)], skips=("For further information",))
    return error, f"{message} after {cause}" if error and cause and message not in cause else message, frame


def _until_rule(lines: Sequence[str]) -> list[str]:
    """The lines that still belong to a message: until an empty one, a rule or another traceback."""
    out: list[str] = []
    for number, line in enumerate(lines[:12]):
        if not line.strip() or line.startswith(("----", "====", "+--", *_CHAINED)) or _TRACEBACK in line:
            break
        if line[:1] not in "-+?^ " and not "".join(lines[number + 1 : number + 2]).startswith("  "):
            break
        out.append(line)
    return out
