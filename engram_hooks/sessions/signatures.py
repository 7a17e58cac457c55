"""What a failing check says, as a signature that stays the same in every run of the same fault."""

from __future__ import annotations

from zlib import crc32

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

# (format, texts of which the output then holds one, module and function that read it), in the order in which they are
# tried; a module is loaded when its turn comes, since most outputs need one or two of them
_READERS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "pytest",
        ("\nFAILED ", "\nERROR ", "\nE  ", "short test summary", "FAIL Required"),
        "python",
        "read_pytest",
    ),
    ("unittest", ("\nFAIL: ", "\nERROR: "), "python", "read_unittest"),
    ("go test", ("--- FAIL: ", "=== FAIL: "), "golang", "read_tests"),
    ("go", ("panic: ", "fatal error: ", "DATA RACE"), "golang", "read_panics"),
    ("cargo test", ("panicked at ", "... FAILED", " stdout ----"), "rust", "read_tests"),
    ("bun", ("(fail) ",), "script", "read_bun"),
    ("deno", (" => ",), "script", "read_deno"),
    ("elixir", ("└─ ",), "others", "read_elixir"),
    ("rustc", ("error[", "\nerror: "), "rust", "read_compiler"),
    ("rspec", ("Failure/Error:", "\nrspec ./"), "others", "read_rspec"),
    ("exunit", ("(test)", ".exs:"), "others", "read_exunit"),
    ("hspec", ("but got:",), "native", "read_hspec"),
    ("gradle", (" FAILED\n",), "jvm", "read_gradle"),
    ("maven", ("[ERROR]", "<<< "), "jvm", "read_maven"),
    ("scalatest", ("*** FAILED ***",), "jvm", "read_sbt"),
    ("javac", (".java:", ".kt:", ".scala:"), "jvm", "read_compiler"),
    ("phpunit", ("::",), "others", "read_phpunit"),
    ("pest", ("FAILED  ",), "others", "read_pest"),
    ("phpstan", ("  Line   ",), "others", "read_phpstan"),
    ("minitest", ("Failure:\n", "Error:\n"), "others", "read_minitest"),
    ("playwright", (" › ",), "script", "read_playwright"),
    ("mocha", (" failing",), "script", "read_mocha"),
    ("ava", ("✘ [fail]:",), "script", "read_ava"),
    ("jest", ("● ", "FAIL ", "× "), "script", "read_jest"),
    ("dotnet", ("Failed ", "[FAIL]"), "others", "read_dotnet"),
    ("googletest", ("[  FAILED  ]",), "native", "read_googletest"),
    ("catch", (": FAILED:",), "native", "read_catch"),
    ("xctest", (": error: ", " recorded an issue at "), "native", "read_xctest"),
    ("ctest", ("The following tests FAILED:",), "native", "read_ctest"),
    ("dart", (" [E]",), "native", "read_dart"),
    ("zig", ("... FAIL (",), "native", "read_zig"),
    ("prove", ("Failed test '",), "native", "read_prove"),
    ("bats", ("✗ ",), "native", "read_bats"),
    ("tap", ("not ok ",), "script", "read_tap"),
    ("node", ("✖ ",), "script", "read_node"),
    ("doctest", ("Failed example:",), "python", "read_doctest"),
    (
        "bundler",
        ("error during build:", "✘ [ERROR]", "ERROR in ", "Failed to compile."),
        "builds",
        "read_bundler",
    ),
    ("tsc", ("error ",), "compilers", "read_tsc"),
    ("pyright", (" - error: ",), "compilers", "read_pyright"),
    ("ruff", ("--> ",), "compilers", "read_ruff"),
    ("biome", ("━━",), "builds", "read_biome"),
    ("linker", ("undefined reference", "multiple definition", " -l", "symbol"), "compilers", "read_linker"),
    ("sanitizer", ("Sanitizer: ", "== Invalid ", ": Assertion `"), "native", "read_assertion"),
    ("eslint", ("  error  ", " error ", " Error - ", "[Error/", "  ✖  "), "builds", "read_eslint"),
    ("compiler", (":",), "compilers", "read_places"),
    ("notes", (">> Issue:", " SC", "is not allowed to import", "import cycle"), "compilers", "read_notes"),
    ("format", ("reformat", "[warn] ", "Diff in "), "compilers", "read_formatter"),
    (
        "traceback",
        ("Traceback (most recent call last):", "SyntaxError: ", "ationError: "),
        "python",
        "read_traceback",
    ),
    ("jvm", ("Exception in thread", ".java:", ".kt:", ".scala:"), "jvm", "read_trace"),
    ("ruby", ("Error)",), "others", "read_ruby"),
    ("node", ("    at ",), "builds", "read_thrown"),
    ("build", ("[ERROR] Failed to execute goal", "* What went wrong:"), "jvm", "read_goal"),
    ("cmake", ("CMake Error",), "plain", "read_cmake"),
    ("terraform", ("│ Error: ",), "plain", "read_boxed"),
    ("pre-commit", ("- hook id: ",), "plain", "read_pre_commit"),
    ("text", ("",), "plain", "read_errors"),
    ("make", ("*** [",), "plain", "read_make"),
    ("text", ("",), "plain", "read_last"),
)


def read_signature(text: str, root: str = "") -> Signature:
    """The signature of what a failing check printed.

    `root`: the folder of the checkout, which is taken out of paths. Addresses, times, lines and the order of
    faults do not count. Time is linear; of long outputs the beginning and the end are read.
    """
    lines = _lines(text)
    joined = "\n" + "\n".join(lines) + "\n"
    for name, marks, module, function in _READERS:
        if any(mark in joined for mark in marks):
            found = _reader(module, function)(lines)
            if found:
                faults = sorted({_steady(fault, root) for fault in found[:MAX_FAULTS]})
                return name, tuple(faults), fingerprint(name, faults)
    return "text", (), fingerprint("text", ())


def _reader(module: str, function: str) -> Reader:
    loaded = __import__(f"engram_hooks.sessions.failures.{module}", fromlist=(function,))
    reader: Reader = getattr(loaded, function)
    return reader


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
