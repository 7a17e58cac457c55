"""What a check that ran says of the code: passed, failed, or nothing, since it never came to judge."""

from __future__ import annotations

from engram_hooks.sessions.outcome_marks import (
    BAD_COUNTS,
    CLEAN_COUNTS,
    COUNTED,
    ENVIRONMENT,
    FAILED_COUNTS,
    FAULTS,
    GREEN_MARKS,
    LISTING,
    NO_JUDGEMENT_CODES,
    NO_MODULE,
    PASSING,
    RED_MARKS,
    USAGE,
    USAGE_STARTS,
    WEAK_MARKS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.sessions.checks import Check

PASSED, FAILED, UNKNOWN = "passed", "failed", ""
EXIT_PREFIX = "Exit code "
MAX_CHARS = 60_000


def judge(check: Check, text: str, *, is_failure: bool, is_interrupt: bool = False) -> str:
    """PASSED, FAILED, or UNKNOWN where the check was stopped, called wrongly, or met a broken machine.

    `text`: what it printed; of a failed call with the client's line `Exit code N` in front. `is_failure`: the call
    came back as failed. A call that came back as a success, but whose exit code a pipe hid, is told by its text.
    """
    if is_interrupt:
        return UNKNOWN
    text = text if len(text) <= MAX_CHARS else text[: MAX_CHARS // 4] + text[-(MAX_CHARS - MAX_CHARS // 4) :]
    if is_failure:
        return FAILED if _is_judgement(check, text) else UNKNOWN
    if not check[3]:
        return PASSED
    if not _is_judgement(check, text):
        return UNKNOWN
    if says_red(text) or (check[0] in LISTING and _lists_faults(text)):
        return FAILED
    return PASSED if says_green(text) else FAILED if any(mark in text for mark in WEAK_MARKS) else UNKNOWN


def _is_judgement(check: Check, text: str) -> bool:
    """Whether a call judged the code, and did not just not come to it."""
    code, body = _split_code(text)
    if code in NO_JUDGEMENT_CODES or (
        code == "5" and check[1] == "pytest"
    ):  # pytest: no tests were collected
        return False
    small = body.lower()
    if not small.strip():
        return bool(code)
    if any(mark in small for mark in USAGE) or any(map(_is_usage, small.split("\n")[:40])):
        rest = _without(body, USAGE)
        return _names_fault(rest) or any(_count(line, FAILED_COUNTS) > 0 for line in rest.split("\n"))
    if any(mark in small for mark in ENVIRONMENT):
        return _names_fault(_without(body, ENVIRONMENT))
    return True


def _is_usage(line: str) -> bool:
    """Whether a line in small letters begins to explain how a tool is called, or misses a module to run."""
    text = line.lstrip()
    if NO_MODULE in text and text.partition(NO_MODULE)[0].rpartition("/")[2].startswith(("python", "pypy")):
        return True
    return text.startswith(USAGE_STARTS)


def _split_code(text: str) -> tuple[str, str]:
    if not text.startswith(EXIT_PREFIX):
        return "", text
    first, _, rest = text.partition("\n")
    return first[len(EXIT_PREFIX) :].strip(), rest


def _without(text: str, marks: tuple[str, ...]) -> str:
    """The text without the lines that hold a mark, unless an assertion speaks of it."""
    kept = []
    for line in text.split("\n"):
        small = line.lower()
        if "assert" in small or not any(mark in small for mark in marks):
            kept.append(line)
    return "\n".join(kept)


def _names_fault(text: str) -> bool:
    told = text.replace("BUILD FAILED", "")
    return any(mark in told for mark in FAULTS)


def _lists_faults(text: str) -> bool:
    """Whether a compiler or linter names a place with a fault: `file:3:2: what is wrong`."""
    for line in text.split("\n"):
        path, colon, rest = line.strip().removeprefix("vet: ").partition(":")
        number, second, told = rest.partition(":")
        if colon and second and number.isdigit() and "." in path and " " not in path:
            column, third, behind = told.partition(":")
            told = behind if third and column.isdigit() else told
            if told.strip() and not told.lstrip().startswith(("warning", "note", "info", "In ")):
                return True
    return False


def says_red(text: str) -> bool:
    """Whether output says that something failed: a count above zero, or a mark of a runner or compiler."""
    for line in text.split("\n"):
        if any(mark in line for mark in RED_MARKS) and not _is_zero(line):
            return True
        if _count(line, COUNTED) > 0 or line.startswith(("FAILED ", "ERROR ", "FAIL  ", "FAIL ")):
            return True
        if line.startswith(BAD_COUNTS) and not line.startswith(CLEAN_COUNTS):
            return True
    return False


def says_green(text: str) -> bool:
    """Whether output says that all went well."""
    if any(mark in text for mark in GREEN_MARKS):
        return True
    for line in text.split("\n"):
        if line.startswith(("ok ", "ok\t", "OK", "PASS", *CLEAN_COUNTS)) or line.rstrip().endswith(
            (" passed", " OK")
        ):
            return True
        if _count(line, PASSING) > 0 or _is_zero(line):
            return True
    return False


def _is_zero(line: str) -> bool:
    """`0 errors`, `failures=0`, `1 problem (0 errors, 1 warning)`: a line that counts, and counts nothing."""
    return _count(line, COUNTED) == 0


def _count(line: str, names: tuple[str, ...]) -> int:
    """The highest number that a line gives for one of some words (`2 failed, 7 passed`, `failures=1`); -1 for none."""
    small = line.lower()
    if len(line) > 400 or not any(name in small for name in names):
        return -1
    if " (0 errors" in small:  # warnings only
        return 0
    for char in ",()":
        small = small.replace(char, " ")
    words = [
        word
        for word in small.replace("=", ": ").split()
        if word not in {"tests", "test", "snapshot", "snapshots"}
    ]
    best = -1
    for first, second, third in zip(words, words[1:], [*words[2:], ""], strict=False):
        is_heading = second.endswith(":") and third.isdigit()  # `Tests run: 2, Failures: 0`
        if first.isdigit() and len(first) < 7 and second.rstrip(".:;!") in names and not is_heading:
            best = max(best, int(first))
        elif second.isdigit() and len(second) < 7 and first.endswith(":") and first[:-1] in names:
            best = max(best, int(second))
    return best
