"""What a check that ran says of the code: passed, failed, or nothing, since it never came to judge."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engram_hooks.sessions.checks import Check

PASSED, FAILED, UNKNOWN = "passed", "failed", ""
EXIT_PREFIX = "Exit code "
MAX_CHARS = 60_000
# not found, not executable, ended by a signal
_NO_JUDGEMENT_CODES = frozenset(("126", "127", "129", "130", "131", "137", "143"))

# the tool was called wrongly
_USAGE = (
    "unrecognized argument",
    "unrecognised argument",
    "unknown option",
    "unknown argument",
    "unknown flag",
    "unknown command",
    "unknown script",
    "no such option",
    "no such command",
    "no such subcommand",
    "invalid option",
    "unexpected argument",
    "flag provided but not defined",
    "missing script",
    "command not found",
    "not recognized as an internal or external command",
    "is not a valid choice",
    "no rule to make target",
    "option requires an argument",
    "requires a value for",
    "file or directory not found",
    "no tests ran",
    "no tests found",
    "no test files",
    "no configuration file found",
    "couldn't find a configuration",
    "could not find `cargo.toml`",
    "enoent: no such file or directory, open 'package.json'",
    "task '",
)
_USAGE_STARTS = ("usage:", "usage of ", "error: usage")

# the machine or the network was at fault
_ENVIRONMENT = (
    "eaddrinuse",
    "address already in use",
    "no space left on device",
    "disk quota exceeded",
    "temporary failure in name resolution",
    "could not resolve host",
    "name or service not known",
    "getaddrinfo ",
    "network is unreachable",
    "cannot connect to the docker daemon",
    "error during connect",
    "is the docker daemon running",
    "pull access denied",
    "connection broken by",
    "failed to establish a new connection",
    "could not connect to server",
    "etimedout",
    "econnreset",
    "cannot allocate memory",
    "out of memory",
    "too many open files",
    "read-only file system",
    "npm error network",
    "no matching distribution found",
    "failed to download",
    "failed to fetch",
    "unable to access 'http",
    "certificate verify failed",
    "blocking waiting for file lock",
    "another process is using",
    "database is locked by another",
    "permission denied (publickey)",
    "license has expired",
)

# a test, compiler or linter that came to judge says one of these
_JUDGED = (
    " failed",
    "failed ",
    "--- fail",
    "assertionerror",
    "assertion ",
    "expected",
    "panicked at",
    "error[e",
    ": error",
    " error ts",
    "traceback (most recent call last)",
    "✕",
    "✗",
    "✘",
    "●",
    "not ok ",
    "failures:",
    "failure/error",
    "problems (",
    "problem (",
    "found 1 error",
    "build failed",
    "undefined",
)

_RED_MARKS = (
    "--- FAIL: ",
    "FAIL\t",
    "panic: ",
    "WARNING: DATA RACE",
    "FAILURE: Build failed",
    "BUILD FAILED",
    "BUILD FAILURE",
    "test result: FAILED",
    "FAILED (failures=",
    "FAILED (errors=",
    "FAILURES!",
    "ERRORS!",
    "Traceback (most recent call last):",
    "error: could not compile",
    "error: aborting due to",
    "npm ERR!",
    "ELIFECYCLE",
    "✕ ",
    "✖ ",
    "✘ ",
    "not ok ",
    ": error: ",
    ": fatal error: ",
    "error TS",
    "] Error ",
    "Build failed",
)
_GREEN_MARKS = (
    "BUILD SUCCESSFUL",
    "BUILD SUCCESS",
    "test result: ok",
    "All checks passed",
    "Success: no issues found",
    "no issues found",
    "0 errors",
    "✓ ",
)
_COUNTED = ("failed", "failure", "failures", "error", "errors", "failing", "problem", "problems", "broken")
_PASSING = ("passed", "passing", "tests passed", "ok")


def judge(check: Check, text: str, *, is_failure: bool, is_interrupt: bool = False) -> str:
    """PASSED, FAILED, or UNKNOWN where the check was stopped, called wrongly, or met a broken machine.

    `text`: what it printed; of a failed call with the client's line `Exit code N` in front. `is_failure`: the call
    came back as failed. A call that came back as a success, but whose exit code a pipe hid, is told by its text.
    """
    if is_interrupt:
        return UNKNOWN
    text = text if len(text) <= MAX_CHARS else text[: MAX_CHARS // 4] + text[-(MAX_CHARS - MAX_CHARS // 4) :]
    if is_failure:
        return FAILED if _is_judgement(text) else UNKNOWN
    if not check[3]:
        return PASSED
    if says_red(text):
        return FAILED if _is_judgement(text) else UNKNOWN
    return PASSED if says_green(text) else UNKNOWN


def _is_judgement(text: str) -> bool:
    """Whether a failing call judged the code, and did not just not come to it."""
    code, body = _split_code(text)
    if code in _NO_JUDGEMENT_CODES:
        return False
    small = body.lower()
    if not small.strip():
        return bool(code)
    judged = any(mark in small for mark in _JUDGED)
    if any(mark in small for mark in _USAGE) or any(
        line.lstrip().startswith(_USAGE_STARTS) for line in small.split("\n")[:40]
    ):
        return judged and says_red(_without(body, _USAGE))
    if any(mark in small for mark in _ENVIRONMENT):
        return judged and says_red(_without(body, _ENVIRONMENT)) and _names_a_test(body)
    return True


def _split_code(text: str) -> tuple[str, str]:
    if not text.startswith(EXIT_PREFIX):
        return "", text
    first, _, rest = text.partition("\n")
    return first[len(EXIT_PREFIX) :].strip(), rest


def _without(text: str, marks: tuple[str, ...]) -> str:
    """The text without the lines that hold a mark."""
    return "\n".join(line for line in text.split("\n") if not any(mark in line.lower() for mark in marks))


def _names_a_test(text: str) -> bool:
    return any(
        mark in text for mark in ("FAILED ", "--- FAIL", "●", "✕", " FAILED", "FAIL: ", "1) ", "Failures:")
    )


def says_red(text: str) -> bool:
    """Whether output says that something failed: a count above zero, or a mark of a runner or compiler."""
    for line in text.split("\n"):
        if any(mark in line for mark in _RED_MARKS) and not _is_zero(line):
            return True
        if _count(line, _COUNTED) > 0 or line.startswith(("FAILED ", "ERROR ", "FAIL  ", "FAIL ")):
            return True
    return False


def says_green(text: str) -> bool:
    """Whether output says that all went well."""
    if any(mark in text for mark in _GREEN_MARKS):
        return True
    for line in text.split("\n"):
        if line.startswith(("ok ", "ok\t", "OK", "PASS")) or line.rstrip().endswith((" passed", " OK")):
            return True
        if _count(line, _PASSING) > 0 or _is_zero(line):
            return True
    return False


def _is_zero(line: str) -> bool:
    """`0 errors`, `failures=0`: a line that counts, and counts nothing."""
    return _count(line, _COUNTED) == 0


def _count(line: str, names: tuple[str, ...]) -> int:
    """The highest number in front of one of some words in a line (`2 failed, 7 passed`); -1 for none."""
    if len(line) > 400 or not any(name in line for name in names):
        return -1
    words = line.replace(",", " ").replace("(", " ").replace(")", " ").replace("=", " ").split()
    best = -1
    for number, word in pairwise(words):
        if number.isdigit() and len(number) < 7 and word.rstrip(".:;!") in names:
            best = max(best, int(number))
        elif (
            word.isdigit() and len(word) < 7 and number.rstrip(":").lower() in names
        ):  # `failures=1`, `Failures: 1`
            best = max(best, int(word))
    return best
