"""Faults of the test runners of C, C++, Swift and of smaller languages, and of what watches memory."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import indent_of, is_own, numbered, split_place, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault


def read_googletest(lines: Sequence[str]) -> list[Fault]:
    """Faults of `[  FAILED  ] Suite.Test (4 ms)`, told since `[ RUN      ]`."""
    found: list[Fault] = []
    start = 0
    for number, line in enumerate(lines):
        if line.startswith("[ RUN "):
            start = number
        elif line.startswith("[  FAILED  ] ") and line.rstrip().endswith(" ms)"):
            told = lines[start + 1 : number]
            path, rest = split_place(told[0]) if told else ("", "")
            if path:
                told = [rest, *told[1:]]
            message = tell(one.removeprefix("Failure").strip() for one in told)
            found.append((line[13:].rpartition(" (")[0], "", message, path))
    listed = [line[13:].strip() for line in lines if line.startswith("[  FAILED  ] ") and "," not in line]
    return found or [(test, "", "", "") for test in listed]


def read_ctest(lines: Sequence[str]) -> list[Fault]:
    """Faults of the list below `The following tests FAILED:`."""
    found: list[Fault] = []
    is_list = False
    for line in lines:
        if line.startswith("The following tests FAILED:"):
            is_list = True
        elif is_list:
            name, bracket, kind = line.strip().partition(" - ")[2].rpartition(" (")
            if not bracket:
                break
            found.append((name, kind.rstrip(")"), "", ""))
    return found


def read_catch(lines: Sequence[str]) -> list[Fault]:
    """Faults of Catch2: `file:9: FAILED:` with the assertion below, the name of the test between rules above."""
    found: list[Fault] = []
    test = ""
    for number, line in enumerate(lines):
        if line.startswith("-----") and number + 2 < len(lines) and lines[number + 2].startswith("-----"):
            test = lines[number + 1].strip()
        elif line.rstrip().endswith(": FAILED:"):
            told = tell(lines[number + 1 : number + 12], stops=("====", "----", "...."))
            found.append((test, "", told, split_place(line)[0]))
    return found


def read_xctest(lines: Sequence[str]) -> list[Fault]:
    """Faults of `file:9: error: Class.test : message`, and of `Test x() recorded an issue at file:9:5: message`."""
    found: list[Fault] = []
    for line in lines:
        path, rest = split_place(line.strip())
        if path and rest.startswith("error: ") and " : " in rest:
            test, _, message = rest[7:].partition(" : ")
            found.append((test.strip("-[]").replace(" ", "."), "", message, path))
        elif " recorded an issue at " in line:
            test, _, told = line.partition(" recorded an issue at ")
            path, message = split_place(told)
            found.append((test.partition("Test ")[2], "", message, path))
    return found


def read_assertion(lines: Sequence[str]) -> list[Fault]:
    """A program that its own assertion, or a sanitizer, ended."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        below = lines[number + 1 : number + 12]
        if "Sanitizer: " in line and "ERROR" in line:
            kind = line.partition("Sanitizer: ")[2].partition(" on ")[0].partition(" (")[0]
            return [("", kind, "", _memory_frame(below))]
        if line.startswith("==") and "== Invalid " in line:
            found.append(("", "valgrind", line.partition("== ")[2], _memory_frame(below)))
        elif ": Assertion `" in line and line.rstrip().endswith(("failed.", "failed")):
            where, _, told = line.partition(": Assertion `")
            path, function = split_place(where.partition(": ")[2])
            found.append(("", "assertion", told, f"{path} {function}"))
    return found


def _memory_frame(lines: Sequence[str]) -> str:
    """The first frame of the user's own code: `#0 0x1 in cart_total src/cart.c:12:10`, `at 0x1: total (cart.c:12)`."""
    for line in lines:
        text = line.strip()
        if text.startswith("#") and " in " in text:
            function, _, place = text.partition(" in ")[2].rpartition(" ")
            path = split_place(f"{place}:")[0]
        elif (" at 0x" in text or " by 0x" in text) and "(" in text:
            function, _, place = text.partition(": ")[2].partition(" (")
            path = split_place(f"{place.rstrip(')')}:")[0]
        else:
            continue
        if path and is_own(path):
            return f"{path} {function}"
    return ""


def read_hspec(lines: Sequence[str]) -> list[Fault]:
    """Faults of `1) Group test` with `expected:` and `but got:` below."""
    found: list[Fault] = []
    for test, below in numbered(lines):
        told = tell(below, stops=("To rerun use:", "Randomized"))
        if "but got:" in told:
            found.append((test, "", told, ""))
    return found


def read_prove(lines: Sequence[str]) -> list[Fault]:
    """Faults of Perl: `#   Failed test 'name'` with the file and what was got below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.lstrip("# ")
        if text.startswith("Failed test '") and line.startswith("#"):
            below = [one.lstrip("# ") for one in lines[number + 1 : number + 6] if one.startswith("#")]
            path = below[0][3:].partition(" line ")[0] if below and below[0].startswith("at ") else ""
            told = tell(below[1:], stops=("Looks like", "Failed test"))
            found.append((f"{path} {text[13:].strip().rstrip(chr(39))}".strip(), "", told, ""))
    return found


def read_dart(lines: Sequence[str]) -> list[Fault]:
    """Faults of `00:01 +1 -1: file: group test [E]` with what is told indented below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.rstrip().endswith(" [E]"):
            below: list[str] = []
            for one in lines[number + 1 : number + 20]:
                if not one.strip() or indent_of(one) == 0:
                    break
                below.append(one)
            test = line.rstrip().removesuffix(" [E]").partition(": ")[2]
            found.append((test, "", tell(below, stops=("package:",)), ""))
    return found


def read_zig(lines: Sequence[str]) -> list[Fault]:
    """Faults of `Test [2/2] name... FAIL (Error)`, told on the line above."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        head, mark, error = line.partition("... FAIL (")
        if mark and head.startswith("Test ["):
            name = head.partition("] ")[2]
            told = next(
                (one.partition("... ")[2] for one in lines[max(0, number - 6) : number] if name in one), ""
            )
            found.append((name, error.rstrip(")"), told, ""))
    return found


def read_bats(lines: Sequence[str]) -> list[Fault]:
    """Faults of `✗ name` with `(in test file ...)` and the line that failed below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.strip().startswith("✗ "):
            below: list[str] = []
            for one in lines[number + 1 : number + 12]:
                if not one.strip() or one.strip().startswith(("✓ ", "✗ ")):
                    break
                below.append(one)
            found.append((line.strip()[2:], "", tell(below, skips=("(in test file", "(from function")), ""))
    return found
