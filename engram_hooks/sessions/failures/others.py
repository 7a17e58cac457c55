"""Faults of RSpec, Minitest, PHPUnit and .NET."""

from __future__ import annotations

from engram_hooks.sessions.failures.fault import is_own, spans, split_error, split_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from engram_hooks.sessions.failures.fault import Fault


def _numbered(lines: Sequence[str]) -> list[tuple[str, list[str]]]:
    """(what stands behind `1) `, the lines below) of a numbered list."""
    heads = [number for number, line in enumerate(lines) if _is_head(line)]
    out = []
    for number, end in spans(heads, len(lines)):
        below = [line.strip() for line in lines[number + 1 : min(end, number + 40)]]
        out.append((lines[number].strip().partition(") ")[2], below))
    return out


def _is_head(line: str) -> bool:
    number, bracket, rest = line.strip().partition(") ")
    return bool(bracket) and number.isdigit() and len(number) < 5 and bool(rest)


def read_rspec(lines: Sequence[str]) -> list[Fault]:
    """Faults of `1) Group does this` with `Failure/Error:` below; from the list of examples where that is all."""
    found: list[Fault] = []
    for test, below in _numbered(lines):
        if not any(line.startswith("Failure/Error:") for line in below):
            continue
        told = [line for line in below if line.startswith(("expected", "got:", "Expected", "but "))]
        raised = [split_error(line.rstrip(":")) for line in below if line.rstrip(":").endswith("Error")]
        if raised and not told:
            at = next(n for n, line in enumerate(below) if line.rstrip(":").endswith("Error"))
            told = [line for line in below[at + 1 : at + 2] if line]
        found.append((test, raised[0][0] if raised else "", " ".join(told), _ruby_frame(below)))
    if found:
        return found
    listed = [line for line in lines if line.startswith("rspec ./") and " # " in line]
    return [(line.partition(" # ")[2].strip(), "", "", "") for line in listed]


def _ruby_frame(below: Sequence[str]) -> str:
    for line in below:
        if line.startswith("# ./"):
            path, rest = split_place(line[2:])
            if is_own(path) and not path.endswith("_spec.rb"):
                return f"{path} {rest.removeprefix('in ').strip('`')}".strip("' ")
    return ""


def read_minitest(lines: Sequence[str]) -> list[Fault]:
    """Faults of `1) Failure:` with `Class#test [file:line]:` and the message below."""
    found: list[Fault] = []
    for kind, below in _numbered(lines):
        if kind.rstrip(":") not in {"Failure", "Error"} or not below:
            continue
        test = below[0].split(" [")[0].rstrip(":")
        told = [line for line in below[1:6] if line]
        error, message = split_error(told[0]) if told else ("", "")
        more = [line for line in told[1:] if line.startswith(("Actual", "+", "-", "Expected"))]
        found.append((test, error, " ".join([message, *more]), ""))
    return found


def read_phpunit(lines: Sequence[str]) -> list[Fault]:
    r"""Faults of `1) App\PriceTest::testRounds` with the message below."""
    found: list[Fault] = []
    for test, below in _numbered(lines):
        if "::" not in test:
            continue
        told = next((line for line in below if line), "")
        error, message = split_error(told)
        paths = [split_place(line + ":")[0] for line in below if ".php:" in line]
        frame = next((path for path in paths if is_own(path) and not path.endswith("Test.php")), "")
        found.append((test.split(" with data set")[0], error, message, frame))
    return found


def read_dotnet(lines: Sequence[str]) -> list[Fault]:
    """Faults of `Failed Name.Space.Test [12 ms]` with `Error Message:` below (also of NUnit and xUnit)."""
    found: list[Fault] = []
    for number, line in enumerate(lines):
        text = line.strip()
        is_head = text.startswith("Failed ") and text.endswith("]") and " [" in text
        if not is_head and not text.endswith("[FAIL]"):
            continue
        test = (
            text[7:].rpartition(" [")[0]
            if is_head
            else text.removesuffix("[FAIL]").rpartition("] ")[2].strip()
        )
        below = [one.strip() for one in lines[number + 1 : number + 14]]
        told = _below(below, "Error Message:") if is_head else [one for one in below[:3] if one]
        error, message = split_error(told[0]) if told else ("", "")
        values = [one for one in told[1:4] if one.startswith(("Expected", "But was", "Actual"))]
        found.append((test, error, " ".join([message, *values]), ""))
    return found


def _below(lines: Sequence[str], head: str) -> list[str]:
    for number, line in enumerate(lines):
        if line.startswith(head):
            rest = line[len(head) :].strip()
            block = []
            for one in lines[number + 1 :]:
                if one.startswith("Stack Trace:"):
                    break
                if one:
                    block.append(one)
            return [rest, *block] if rest else block
    return []
