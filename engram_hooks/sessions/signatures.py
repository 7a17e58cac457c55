"""What a failing check says, as a signature that stays the same in every run of the same fault."""

from __future__ import annotations

from zlib import crc32

from engram_hooks.sessions.failures import compilers, jvm, others, python, script, systems
from engram_hooks.sessions.failures.fault import MAX_FAULTS
from engram_hooks.sessions.outcomes import EXIT_PREFIX
from engram_hooks.sessions.stable import normalise, relative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engram_hooks.sessions.failures.fault import Fault

    Reader = Callable[[Sequence[str]], list[Fault]]
    # (format, faults in their lasting form and order, fingerprint)
    Signature = tuple[str, tuple[Fault, ...], str]

MAX_CHARS = 200_000
MAX_LINE = 2_000
# faults that the fingerprint is made of: more say nothing new, and long lists are cut at different places
MAX_PRINTED = 20

# (format, a text that the output then holds, how it is read), in the order in which they are tried
_READERS: tuple[tuple[str, tuple[str, ...], Reader], ...] = (
    ("pytest", ("\nFAILED ", "\nERROR ", "\nE  ", "short test summary"), python.read_pytest),
    ("unittest", ("FAIL: ", "ERROR: "), python.read_unittest),
    ("go test", ("--- FAIL: ",), systems.read_go_tests),
    ("go", ("panic: ", "fatal error: ", "DATA RACE"), systems.read_go_panics),
    ("cargo test", ("panicked at ", "... FAILED"), systems.read_rust_tests),
    ("rustc", ("error[", "\nerror: "), systems.read_rustc),
    ("rspec", ("Failure/Error:", "\nrspec ./"), others.read_rspec),
    ("gradle", (" FAILED\n",), jvm.read_gradle),
    ("maven", ("[ERROR]", "<<< "), jvm.read_maven),
    ("javac", (".java:", ".kt:"), jvm.read_javac),
    ("phpunit", ("::",), others.read_phpunit),
    ("minitest", (") Failure:", ") Error:"), others.read_minitest),
    ("mocha", (" failing",), script.read_mocha),
    ("jest", ("● ", "FAIL ", "× ", "❯ "), script.read_jest),
    ("dotnet", ("Failed ", "[FAIL]"), others.read_dotnet),
    ("node", ("not ok ", "✖ "), script.read_node),
    ("tsc", (" error ",), compilers.read_tsc),
    ("ruff", ("--> ",), compilers.read_ruff),
    ("compiler", (":",), compilers.read_places),
    ("eslint", ("  error  ", " error "), script.read_eslint),
    ("traceback", ("Traceback (most recent call last):",), python.read_traceback),
    ("script", ("Error", "error"), script.read_bundler),
    ("text", ("",), compilers.read_any),
)


def read_signature(text: str, root: str = "") -> Signature:
    """The signature of what a failing check printed.

    `root`: the folder of the checkout, which is taken out of paths. Addresses, times, lines and the order of
    faults do not count. Time is linear; of long outputs the beginning and the end are read.
    """
    lines = _lines(text)
    joined = "\n" + "\n".join(lines) + "\n"
    for name, marks, read in _READERS:
        if any(mark in joined for mark in marks):
            found = read(lines)
            if found:
                faults = sorted({_steady(fault, root) for fault in found[:MAX_FAULTS]})
                return name, tuple(faults), fingerprint(name, faults)
    return "text", (), fingerprint("text", ())


def fingerprint(name: str, faults: Sequence[Fault]) -> str:
    """Sixteen hexadecimal digits of a format and its faults."""
    data = "\x1e".join([name, *("\x1f".join(fault) for fault in faults[:MAX_PRINTED])]).encode(
        "utf-8", "replace"
    )
    return f"{crc32(data):08x}{crc32(data[::-1]):08x}"


def tests_of(signature: Signature) -> frozenset[str]:
    """The tests and files that a signature names."""
    return frozenset(fault[0] for fault in signature[1] if fault[0])


def headline(signature: Signature) -> str:
    """The signature in one line: the first fault, and how many more there are."""
    if not signature[1]:
        return "it failed without a word"
    place, error, message, _ = signature[1][0]
    told = ": ".join(part for part in (error, message) if part)
    more = f" (and {len(signature[1]) - 1} more)" if len(signature[1]) > 1 else ""
    return f"{place} failed with {told}{more}" if place and told else f"{place or told}{more}"


def _steady(fault: Fault, root: str) -> Fault:
    place, error, message, frame = fault
    path, colons, test = place.partition("::")
    if "/" in path or path.startswith("."):
        path = relative(path, root)
    file, _, name = frame.partition(" ")
    return (
        normalise(path + colons + test, root),
        normalise(error, root),
        normalise(message, root),
        f"{relative(file, root)} {name}".strip() if file else "",
    )


def _lines(text: str) -> list[str]:
    """The lines without the client's exit code, colours and what stands before a carriage return."""
    if len(text) > MAX_CHARS:
        text = text[: MAX_CHARS // 2] + "\n" + text[-MAX_CHARS // 2 :]
    if text.startswith(EXIT_PREFIX):
        text = text.partition("\n")[2]
    if "\x1b" in text:
        text = _uncolour(text)
    return [line.rpartition("\r")[2][:MAX_LINE] for line in text.replace("\r\n", "\n").split("\n")]


def _uncolour(text: str) -> str:
    first, *rest = text.split("\x1b")
    out = [first]
    for part in rest:
        if part.startswith("["):
            end = 1
            while end < len(part) and part[end] in "0123456789;?":
                end += 1
            out.append(part[end + 1 :])
        else:
            out.append(part[1:])
    return "".join(out)
