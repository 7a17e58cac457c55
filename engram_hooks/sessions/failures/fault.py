"""One fault as a tool reports it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    # (test or file that it is in, type or code of the error, message, the user's own frame: `file function`)
    Fault = tuple[str, str, str, str]

MAX_FAULTS = 50
# lines of what a tool says of one fault that are read: values and differences stand at the beginning
MAX_TOLD = 12
_FOREIGN = (
    "site-packages/",
    "dist-packages/",
    "node_modules/",
    "/usr/lib/",
    "/usr/local/lib/",
    "<frozen",
    "node:",
    "/go/pkg/mod/",
    "/usr/local/go/",
    "/opt/hostedtoolcache/",
    ".cargo/registry",
    "/rustc/",
    "library/std/",
    "library/core/",
    "/gems/",
    "vendor/",
    "/lib/python3",
    "/_pytest/",
    "<anonymous>",
    "<string>",
    "https://",
    "/libexec/src/",
)
_TYPE_ENDINGS = ("Error", "Exception", "Warning", "Failure", "Exit", "Interrupt", "Failed", "Violation")
_FILE_NAMES = ("Dockerfile", "Makefile", "Rakefile", "Gemfile", "Jenkinsfile")


def is_own(path: str) -> bool:
    """Whether a frame's file is the user's code, and not a library's or the interpreter's."""
    path = path.replace("\\", "/")
    if path.startswith("internal/") and path.endswith(".js"):  # older Node's own
        return False
    return bool(path) and not any(part in path for part in _FOREIGN)


def split_place(text: str) -> tuple[str, str]:
    """(path, rest) of `path:line:col: rest` or `path:line: rest`; ('', text) where there is no such start."""
    at = 1
    while True:
        at = text.find(":", at)
        if at < 0 or at > 300:
            return "", text
        end = at + 1
        while end < len(text) and text[end].isdigit():
            end += 1
        if end > at + 1:
            path = text[:at].strip()
            rest = text[end:]
            if rest.startswith(":"):
                column = rest[1:].lstrip("0123456789")
                rest = column if len(column) < len(rest) - 1 else rest
            return (path, rest.lstrip(": ")) if is_path(path) else ("", text)
        at += 1


def is_path(text: str) -> bool:
    """Whether a word is the path of a file."""
    return ("/" in text or "." in text or "\\" in text or text in _FILE_NAMES) and " " not in text


def split_error(text: str) -> tuple[str, str]:
    """(type, message) of `pkg.SomeError: message`, also `SomeError [CODE]: message`; the type is '' where the text
    does not begin with one."""
    name, colon, message = text.partition(":")
    name, bracket, _ = name.strip().partition(" [")
    plain = name.replace(".", "").replace("_", "").replace("\\", "").replace("$", "")
    if (
        plain.isalnum()
        and not name[:1].isdigit()
        and (not bracket or colon)
        and (name.endswith(_TYPE_ENDINGS) or (colon and name[:1].isupper() and "." in name))
    ):
        return name.replace("\\", ".").rsplit(".", 1)[-1], message.strip()
    return "", text.strip()


def tell(
    lines: Iterable[str], *, stops: tuple[str, ...] = (), skips: tuple[str, ...] = (), most: int = MAX_TOLD
) -> str:
    """What lines say in one: without empty ones and those that begin with one of `skips`, until one of `stops`."""
    out: list[str] = []
    for line in lines:
        text = line.strip()
        if stops and text.startswith(stops):
            break
        if text and not (skips and text.startswith(skips)):
            out.append(text)
            if len(out) == most:
                break
    return " ".join(out)


def is_excerpt(line: str) -> bool:
    """Whether a line shows code with its number in front (`> 12 | x`, `12| x`, `  |   ^`)."""
    text = line.strip().lstrip("➜>").lstrip()
    return text.lstrip("0123456789").lstrip().startswith(("|", "│", "▕", "╵"))


def indent_of(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip())


def spans(heads: Sequence[int], count: int) -> list[tuple[int, int]]:
    """(start, end) of the blocks that begin at these lines; the last one ends at `count`."""
    return list(zip(heads, [*heads[1:], count], strict=False))


def numbered(lines: Sequence[str], most: int = 40) -> list[tuple[str, list[str]]]:
    """(what stands behind `1) `, the lines below, at most so many) of a numbered list."""
    heads = [number for number, line in enumerate(lines) if _is_numbered(line)]
    return [
        (lines[start].strip().partition(") ")[2], list(lines[start + 1 : min(end, start + most)]))
        for start, end in spans(heads, len(lines))
    ]


def _is_numbered(line: str) -> bool:
    number, bracket, rest = line.strip().partition(") ")
    return bool(bracket) and number.isdigit() and len(number) < 5 and bool(rest)
