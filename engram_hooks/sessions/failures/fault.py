"""One fault as a tool reports it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    # (test or file that it is in, type or code of the error, message, the user's own frame: `file function`)
    Fault = tuple[str, str, str, str]

MAX_FAULTS = 50
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
    "internal/",
    "<anonymous>",
    "<string>",
)


def is_own(path: str) -> bool:
    """Whether a frame's file is the user's code, and not a library's or the interpreter's."""
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
            path = text[:at]
            rest = text[end:]
            if rest.startswith(":"):
                column = rest[1:].lstrip("0123456789")
                rest = column if len(column) < len(rest) - 1 else rest
            is_path = "/" in path or "." in path or "\\" in path
            return (path.strip(), rest.lstrip(": ")) if is_path and " " not in path.strip() else ("", text)
        at += 1


def split_error(text: str) -> tuple[str, str]:
    """(type, message) of `pkg.SomeError: message`; the type is '' where the text does not begin with one."""
    name, colon, message = text.partition(":")
    name = name.strip()
    plain = name.replace(".", "").replace("_", "").replace("\\", "").replace("$", "")
    looks = name.endswith(
        ("Error", "Exception", "Warning", "Failure", "Exit", "Interrupt", "Failed", "Violation")
    )
    if (
        plain.isalnum()
        and not name[:1].isdigit()
        and (looks or (colon and name[:1].isupper() and "." in name))
    ):
        return name.replace("\\", ".").rsplit(".", 1)[-1], message.strip()
    return "", text.strip()


def indent_of(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip())


def spans(heads: Sequence[int], count: int) -> list[tuple[int, int]]:
    """(start, end) of the blocks that begin at these lines; the last one ends at `count`."""
    return list(zip(heads, [*heads[1:], count], strict=False))
