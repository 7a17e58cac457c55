"""Faults of Ruby, PHP, .NET and Elixir."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import is_own, numbered, split_error, split_place, tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault

_BLOCK_LINES = 40


def read_rspec(lines: Sequence[str]) -> list[Fault]:
    """Faults of `1) Group does this` with `Failure/Error:` below; from the list of examples where that is all."""
    found = [
        (test, *_rspec_told(below))
        for test, below in numbered(lines)
        if any(line.strip().startswith("Failure/Error:") for line in below)
    ]
    for number, line in enumerate(lines):
        if line.startswith("An error occurred while loading "):
            path = line.removesuffix(".").rpartition(" ")[2]
            found.append((path, *_rspec_told(lines[number + 1 : number + _BLOCK_LINES])))
    if found:
        return found
    listed = [line for line in lines if line.startswith("rspec ./") and " # " in line]
    return [(line.partition(" # ")[2].strip(), "", "", "") for line in listed]


def _rspec_told(below: Sequence[str]) -> tuple[str, str, str]:
    """(type, message, frame) of the lines below a failing example."""
    start = next((n for n, line in enumerate(below) if line.strip().startswith("Failure/Error:")), 0)
    lines = list(below[start + 1 :])
    error = ""
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("# "):
            break
        if text.endswith(":") and split_error(text)[0] and " " not in text:
            error, lines = split_error(text)[0], lines[number + 1 :]
            break
    return error, tell(lines, stops=("# ",), skips=("(compared", "[Screenshot")), _ruby_frame(below)


def _ruby_frame(below: Sequence[str]) -> str:
    """The first frame of the user's own code that is no test: `lib/cart.rb total`."""
    tests = ("_spec.rb", "_test.rb")
    for line in below:
        text = line.strip().removeprefix("# ")
        path, rest = split_place(text)
        if path.endswith(".rb") and rest.startswith("in ") and is_own(path) and not path.endswith(tests):
            return f"{path} {rest[3:].strip('`')}".strip("'` ")
    return ""


def read_minitest(lines: Sequence[str]) -> list[Fault]:
    """Faults of `Failure:` and `Error:`, with or without a number, `Class#test [file:line]:` and the message below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        kind = line.strip().rpartition(") ")[2]
        head = lines[number + 1].strip() if number + 1 < len(lines) else ""
        if kind not in {"Failure:", "Error:"} or "#" not in head:
            continue
        block: list[str] = []
        for below in lines[number + 2 : number + _BLOCK_LINES]:
            if not below.strip() or below.startswith(("bin/rails test", "rails test")):
                break
            block.append(below)
        frames = [one for one in block if one.startswith("    ") and ":in " in one]
        error, message = split_error(
            tell(one for one in block if one not in frames and not one.startswith("@@"))
        )
        found.append((head.split(" [")[0].rstrip(":"), error, message, _ruby_frame(frames)))
    return found


def read_ruby(lines: Sequence[str]) -> list[Fault]:
    """The error of a Ruby program: `file:5:in 'total': message (NoMethodError)`."""
    for line in lines:
        path, rest = split_place(line.strip())
        if path and rest.startswith("in ") and rest.endswith("Error)"):
            where, _, told = rest[3:].partition(": ")
            message, _, error = told.rpartition(" (")
            return [("", error.rstrip(")"), message, f"{path} {where.strip(chr(96) + chr(39))}")]
    return []


def read_phpunit(lines: Sequence[str]) -> list[Fault]:
    r"""Faults of `1) App\PriceTest::testRounds` with the message below."""
    found: list[Fault] = []
    for test, below in numbered(lines):
        if "::" not in test:
            continue
        told: list[str] = []
        frame = ""
        for line in below:
            path = split_place(f"{line.strip()}:")[0]
            if path.endswith(".php") and is_own(path):
                frame = path if not path.endswith("Test.php") else ""
                break
            if line.strip() in {"--", "FAILURES!", "ERRORS!"}:
                break
            told.append(line)
        error, message = split_error(tell(told, skips=("@@", "--- Expected", "+++ Actual")))
        found.append((test.partition(" (")[0], error, message, frame))
    return found


def read_pest(lines: Sequence[str]) -> list[Fault]:
    r"""Faults of `FAILED  Tests\Unit\CartTest > it adds` with the message below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("FAILED  ") and " > " in text:
            error, message = split_error(tell(lines[number + 1 : number + 14], stops=("at ",)))
            found.append((text[8:].strip(), error, message, ""))
    return found


def read_phpstan(lines: Sequence[str]) -> list[Fault]:
    """Faults of the table that PHPStan prints: `Line   file` above, `12   message` in rows."""
    found: list[Fault] = []
    path = ""
    for line in lines:
        words = line.split()
        if len(words) == 2 and words[0] == "Line":
            path = words[1]
        elif path and words and words[0].isdigit() and len(words) > 2:
            found.append((path, "phpstan", " ".join(words[1:]), ""))
        elif path and found and line.startswith("         ") and words and words[0].isalpha():
            found[-1] = (*found[-1][:2], f"{found[-1][2]} {' '.join(words)}", "")
    return found


def read_dotnet(lines: Sequence[str]) -> list[Fault]:
    """Faults of `Failed Name.Space.Test [12 ms]` with `Error Message:` below, else of xUnit's lines."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip()
        if text.startswith("Failed ") and text.endswith("]") and " [" in text:
            below = list(lines[number + 1 : number + _BLOCK_LINES])
            at = next((n for n, one in enumerate(below) if one.strip().startswith("Error Message:")), None)
            told = tell(below[at:], stops=("Stack Trace:",)) if at is not None else ""
            error, message = split_error(told.removeprefix("Error Message:").strip())
            found.append((text[7:].rpartition(" [")[0], error, message, _dotnet_frame(below)))
    if found:
        return found
    for number, line in enumerate(lines):
        if line.strip().endswith("[FAIL]"):
            test = line.strip().removesuffix("[FAIL]").rpartition("] ")[2].strip()
            told = tell(
                (one.rpartition("]")[2] for one in lines[number + 1 : number + 5]), stops=("Stack Trace:",)
            )
            found.append((test, *split_error(told), ""))
    return found


def _dotnet_frame(below: Sequence[str]) -> str:
    """The first frame with a file: `at Shop.Rate.Of(String country) in Rate.cs:line 8`."""
    for number, line in enumerate(below):
        text = line.strip()
        if number and text.startswith("Failed "):
            break
        if text.startswith("at ") and " in " in text and ":line " in text:
            name, _, path = text[3:].partition(" in ")
            return f"{path.rpartition(':line')[0]} {name.partition('(')[0]}"
    return ""


def read_exunit(lines: Sequence[str]) -> list[Fault]:
    """Faults of `1) test name (Module)` with the file, the message and the stack below."""
    found: list[Fault] = []
    for test, below in numbered(lines):
        if not test.startswith(("test ", "property ", "doctest ")):
            continue
        told = tell(below[1:], stops=("stacktrace:",), skips=("code:",))
        error = ""
        if told.startswith("** ("):
            error, _, told = told[4:].partition(") ")
        frames = [line.strip() for line in below if ".ex:" in line]
        frame = ""
        if frames:
            path, function = split_place(frames[0].rpartition(") ")[2])
            frame = f"{path} {function}".strip()
        found.append((test, error, told, frame))
    return found


def read_elixir(lines: Sequence[str]) -> list[Fault]:
    """Faults of the Elixir compiler: `error: message` with the file in the box below."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        if line.strip().startswith("error: "):
            place = next((one for one in lines[number + 1 : number + 9] if "└─ " in one), "")
            path, function = split_place(place.partition("└─ ")[2])
            if path:
                found.append((path, "error", line.strip()[7:], function))
    return found
