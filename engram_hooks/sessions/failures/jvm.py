"""Faults of Maven, Gradle and JUnit, of javac, kotlinc and scalac."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import indent_of, is_own, split_error, split_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_LIBRARIES = (
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "org.junit",
    "org.assertj",
    "kotlin.",
    "org.hamcrest",
    "org.gradle",
)
_FRAME_LINES = 40


def read_gradle(lines: Sequence[str]) -> list[Fault]:
    """Faults of `Class > test() FAILED` with the exception indented below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        test = line.strip()
        if not test.endswith(" FAILED") or " > " not in test or test.startswith("> Task"):
            continue
        block = []
        for below in lines[number + 1 : number + _FRAME_LINES]:
            if not below.strip() or indent_of(below) <= indent_of(line):
                break
            block.append(below.strip())
        error, message = split_error(block[0]) if block else ("", "")
        found.append((test.removesuffix(" FAILED").replace(" > ", "."), error, message, _frame(block[1:])))
    return found


def _frame(block: Sequence[str]) -> str:
    """`at shop.PriceTest.rounds(PriceTest.kt:12)` -> `PriceTest.kt shop.PriceTest.rounds`; libraries left out."""
    for text in block:
        if text.startswith("at "):
            name, _, place = text[3:].partition("(")
            name = name.rpartition("//")[2].rpartition("/")[2]
            if not name.startswith(_LIBRARIES) and is_own(place):
                return f"{place.split(':')[0].rstrip(')')} {name}"
    return ""


def read_maven(lines: Sequence[str]) -> list[Fault]:
    """Faults of Surefire: the list below `Failures:` and `Errors:`, or the heads with the stack below."""
    found: list[Fault] = []
    is_list = False
    for line in lines:
        text = line.partition("] ")[2] if line.startswith("[ERROR]") else ""
        if text.strip() in {"Failures:", "Errors:"} or line.strip() in {"Failed tests:", "Tests in error:"}:
            is_list = True
        elif is_list and text.startswith("  ") and "." in text:
            place, _, told = text.strip().partition(" ")
            test, _, line_number = place.partition(":")
            if line_number.rstrip(":").isdigit() or told:
                error, message = split_error(told.lstrip("» "))
                found.append((test.replace("#", "."), error, message, ""))
        elif is_list and not text.strip():
            is_list = False
    return found or _surefire_heads(lines)


def _surefire_heads(lines: Sequence[str]) -> list[Fault]:
    """`shop.PriceTest.rounds -- Time elapsed: 0.01 s <<< FAILURE!` and the exception on the next line."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if "<<< " not in line or "Tests run:" in line:
            continue
        head = line.removeprefix("[ERROR] ").split(" -- ")[0].split("  Time")[0].strip()
        name, bracket, owner = head.partition("(")
        test = f"{owner.rstrip(')')}.{name}" if bracket and owner.rstrip(")") else head
        block = [one.strip() for one in lines[number + 1 : number + _FRAME_LINES]]
        error, message = split_error(block[0]) if block else ("", "")
        found.append((test, error, message, _frame(block[1:])))
    return found


def read_javac(lines: Sequence[str]) -> list[Fault]:
    """Faults of `File.java:12: error: message`, `[ERROR] File.java:[12,5] message`, `e: file.kt:12:5 message`."""
    found: list[Fault] = []
    for line in lines:
        text = line.strip()
        if text.startswith("[ERROR] ") and ":[" in text:
            path, _, rest = text[8:].partition(":[")
            found.append((path, "compiler", rest.partition("] ")[2], ""))
        elif text.startswith("e: ") and (".kt" in text):
            path, rest = split_place(text[3:].removeprefix("file://"))
            found.append((path, "compiler", rest, ""))
        elif ": error: " in text and ".java:" in text.split(": error: ")[0]:
            path, rest = split_place(text)
            found.append((path, "compiler", rest.removeprefix("error: "), ""))
    return [fault for fault in found if fault[0]]
