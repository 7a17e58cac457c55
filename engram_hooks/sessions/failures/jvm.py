"""Faults of Maven, Gradle and JUnit, of sbt, javac and kotlinc, and stack traces of the JVM."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import indent_of, is_own, split_error, split_place, tell

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
    "org.mockito",
    "scala.",
    "org.springframework.",
    "org.scalatest",
)
_FRAME_LINES = 60


def _stack(block: Sequence[str]) -> tuple[str, str, str]:
    """(type, message, frame) of an exception with its frames below; what caused it is told in the message."""
    at = next((n for n, one in enumerate(block) if one.strip().startswith("at ")), len(block))
    error, message = split_error(block[0].strip()) if block else ("", "")
    message = tell([message, *block[1:at]], stops=("Caused by:", "..."))
    for number, line in enumerate(block):
        text = line.strip()
        if text.startswith("Caused by:"):
            cause = text[10:].strip() or "".join(block[number + 1 : number + 2]).strip()
            message = f"{message} after {': '.join(part for part in split_error(cause) if part)}"
    return error, message, _frame(block)


def _frame(block: Sequence[str]) -> str:
    """`at shop.PriceTest.rounds(PriceTest.kt:12)` -> `PriceTest.kt shop.PriceTest.rounds`; libraries left out."""
    for line in block:
        text = line.strip()
        if text.startswith("at "):
            name, _, place = text[3:].rpartition("(")
            name = name.rpartition("//")[2].rpartition("/")[2]
            if not name.startswith(_LIBRARIES) and is_own(place):
                return f"{place.split(':')[0].rstrip(')')} {name}"
    return ""


def read_gradle(lines: Sequence[str]) -> list[Fault]:
    """Faults of `Class > test() FAILED` with the exception indented below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        test = line.strip()
        if not test.endswith(" FAILED") or " > " not in test or test.startswith("> "):
            continue
        block: list[str] = []
        for below in lines[number + 1 : number + _FRAME_LINES]:
            if below.strip() and indent_of(below) <= indent_of(line):
                break
            if below.strip():
                block.append(below)
        if block and " at " in block[0]:  # the short form: `java.lang.Error at File.java:20`
            kind, _, place = block[0].strip().partition(" at ")
            block = [kind, f"at ({place})"]
        found.append((test.removesuffix(" FAILED").replace(" > ", "."), *_stack(block)))
    return found


def read_maven(lines: Sequence[str]) -> list[Fault]:
    """Faults of Surefire: the heads with the stack below, or else the list below `Failures:` and `Errors:`."""
    return _surefire_heads(lines) or _surefire_list(lines)


def _surefire_list(lines: Sequence[str]) -> list[Fault]:
    found: list[Fault] = []
    is_list = False
    for number, line in enumerate(lines):
        is_marked = line.startswith("[ERROR]")
        text = line[8:] if is_marked else line
        if text.strip() in {"Failures:", "Errors:", "Failed tests:", "Tests in error:"}:
            is_list = True
        elif is_list and text.startswith("  ") and "." in text:
            place, _, told = text.strip().partition(" ")
            if is_marked:
                told = tell([told, *_unmarked(lines[number + 1 : number + 6])])
            error, message = split_error(told.rpartition("» ")[2])
            found.append((place.partition(":")[0].replace("#", "."), error, message, ""))
        elif is_list and (not text.strip() or line.startswith("[INFO]")):
            is_list = False
    return found


def _unmarked(lines: Sequence[str]) -> list[str]:
    """The lines up to the next that Maven marks with a level."""
    end = next((number for number, line in enumerate(lines) if line.startswith("[")), len(lines))
    return [line for number, line in enumerate(lines) if number < end or line.startswith('["')]


def _surefire_heads(lines: Sequence[str]) -> list[Fault]:
    """`shop.PriceTest.rounds -- Time elapsed: 0.01 s <<< FAILURE!` and the exception on the next line."""
    found: list[Fault] = []
    owner = ""
    for number, line in enumerate(lines):
        if "<<< " not in line:
            continue
        if "Tests run:" in line:
            owner = line.rpartition(" in ")[2].strip() if " in " in line else ""
            continue
        head = line.removeprefix("[ERROR] ").split(" -- ")[0].split("  Time")[0].strip()
        name, bracket, inner = head.partition("(")
        test = f"{inner.rstrip(')')}.{name}" if bracket and inner.rstrip(")") else head
        test = f"{owner}.{test}" if owner and "." not in test else test
        block = []
        for below in lines[number + 1 : number + _FRAME_LINES]:
            if not below.strip() or below.startswith("["):
                break
            block.append(below)
        if block:
            found.append((test, *_stack(block)))
    return found


def read_sbt(lines: Sequence[str]) -> list[Fault]:
    """Faults of ScalaTest: `- adds *** FAILED ***` with the message below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.removeprefix("[info]").strip()
        if text.startswith("- ") and text.endswith("*** FAILED ***"):
            told = lines[number + 1].removeprefix("[info]").strip() if number + 1 < len(lines) else ""
            message, _, place = told.rpartition(" (")
            found.append((text[2:-14].strip(), "", message or told, split_place(place.rstrip(")") + ":")[0]))
    return found


def read_compiler(lines: Sequence[str]) -> list[Fault]:
    """Faults of `File.java:12: error: message`, `[ERROR] File.java:[12,5] message`, `e: file.kt:12:5 message`,
    `[error] File.scala:12:5: message`."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip()
        path = rest = ""
        if text.startswith("[ERROR] ") and ":[" in text:
            path, _, rest = text[8:].partition(":[")
            rest = rest.partition("] ")[2]
        elif text.startswith("e: ") and ".kt" in text:
            path, _, rest = text[3:].removeprefix("file://").partition(".kt")
            path += ".kt"
            rest = rest.lstrip(":0123456789, ()") if rest.startswith(":") else rest
        elif text.startswith("[error] ") and ".scala:" in text:
            path, rest = split_place(text[8:])
        elif ": error: " in text and ".java:" in text.split(": error: ")[0]:
            path, rest = split_place(text)
            rest = rest.removeprefix("error: ")
        if path:
            symbols = [
                one.removeprefix("[ERROR]").strip()
                for one in lines[number + 1 : number + 6]
                if one.removeprefix("[ERROR]").strip().startswith(("symbol:", "location:"))
            ]
            found.append((path, "compiler", tell([rest, *symbols[:2]]), ""))
    return found


def read_goal(lines: Sequence[str]) -> list[Fault]:
    """The goal of Maven that failed, or what Gradle says went wrong."""
    for number, line in enumerate(lines):
        if line.startswith("[ERROR] Failed to execute goal "):
            goal, _, told = line[31:].partition(": ")
            return [
                (
                    "",
                    goal.partition(" ")[0].rpartition(":")[0].rpartition(":")[0],
                    told.partition(" -> [")[0],
                    "",
                )
            ]
        if line.startswith("* What went wrong:"):
            return [("", "gradle", tell(lines[number + 1 :], stops=("* ",)), "")]
    return []


def read_trace(lines: Sequence[str]) -> list[Fault]:
    """The stack trace of a program that ended with an exception."""
    for number, line in enumerate(lines):
        if line.startswith('Exception in thread "'):
            told = line.partition('" ')[2]
            return [("", *_stack([told, *lines[number + 1 : number + _FRAME_LINES]]))]
        if split_error(line)[0] and "".join(lines[number + 1 : number + 2]).startswith(("\tat ", "    at ")):
            return [("", *_stack(lines[number : number + _FRAME_LINES]))]
    return []
