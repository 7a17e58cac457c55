"""Our lines in a hook of git: made, put in, found and taken out again."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engram_hooks.client.commands import quote_for_sh
from engram_hooks.errors import EXIT_BLOCKED, EngramError

HOOK_NAME = "pre-commit"
KEPT_NAME = f"{HOOK_NAME}.before-engram"
BEGIN, END = b"# >>> engram >>>", b"# <<< engram <<<"
SHEBANG = b"#!/bin/sh\n"

_NOTE = "looks at what is staged; `engram pre-commit --uninstall` takes these lines out"
_BOOT = "import sys;sys.path.append(sys.argv.pop(1));from engram_hooks.__main__ import main;main()"
# whatever else goes wrong, only a check that blocks on purpose ends with this code
_GATE = f"[ $? -ne {EXIT_BLOCKED} ] || exit 1"
_CALL = "engram pre-commit --hook </dev/null"
_SHARED = f"""\
{BEGIN.decode()} {_NOTE}
if command -v engram >/dev/null 2>&1; then
    {_CALL} || {_GATE}
fi
{END.decode()}
"""
_CHAIN = """\
before="$(dirname "$0")/{name}"
if [ -x "$before" ]; then exec "$before" "$@"; fi
"""
_CHAINED = re.compile(
    rb'^before="\$\(dirname "\$0"\)/(' + re.escape(KEPT_NAME.encode()) + rb'(?:-\d+)?)"$', re.M
)
_HUSKY_LINE = re.compile(rb"^[ \t]*(?:\.|source)[ \t][^\n]*husky\.sh[^\n]*(?:\n|\Z)", re.M)
_SHELL = re.compile(
    rb"#![ \t]*(?:\S*/)?(?:env[ \t]+(?:-S[ \t]+)?)?(?:\S*/)?(?:sh|bash|dash|ash|ksh|mksh|zsh)(?:\.exe)?\s"
)


@dataclass(frozen=True, slots=True)
class Interpreter:
    """How a hook of this machine runs us: Python, the folder of the package, and ENGRAM_HOME where that is set."""

    python: str
    package: str
    home: str = ""


def render_block(interpreter: Interpreter | None = None) -> bytes:
    """Our lines; without an interpreter those that any machine can run, for hooks that people share."""
    if interpreter is None:
        return _SHARED.encode()
    python, package, home = map(quote_for_sh, (interpreter.python, interpreter.package, interpreter.home))
    text = f"""\
{BEGIN.decode()} {_NOTE}
{{
    engram_python={python}
    engram_package={package}
    engram_home={home}
    if [ -x "$engram_python" ] && [ -f "$engram_package/engram_hooks/__main__.py" ]; then
        ENGRAM_HOME="${{ENGRAM_HOME:-$engram_home}}" "$engram_python" -I -S -c \\
            {quote_for_sh(_BOOT)} \\
            "$engram_package" pre-commit --hook </dev/null
    elif command -v engram >/dev/null 2>&1; then
        {_CALL}
    fi
}} || {_GATE}
{END.decode()}
"""
    return text.encode("utf-8", "surrogateescape")


def find_block(text: bytes) -> tuple[int, int] | None:
    """(start, end) of our lines, None where there are none. Raises `EngramError` where a mark is missing."""
    start, end = text.find(BEGIN), text.find(END)
    if start < 0 and end < 0:
        return None
    if start < 0 or end < start or (start and text[start - 1 : start] != b"\n") or text.count(BEGIN) > 1:
        raise EngramError(
            "the marks around the lines of engram are damaged", hint="take those lines out by hand"
        )
    stop = end + len(END)
    return start, stop + (text[stop : stop + 1] == b"\n")


def insert_block(text: bytes, block: bytes) -> bytes:
    """A shell script with our lines near its top, where no `exit` or `exec` of it comes before; ours are replaced."""
    if found := find_block(text):
        return (
            text[: found[0]]
            + block[: len(block) - (text[found[1] - 1 : found[1]] != b"\n")]
            + text[found[1] :]
        )
    at = 0
    if husky := _HUSKY_LINE.search(text):
        at = husky.end()
    elif text.startswith(b"#!"):
        at = text.find(b"\n") + 1 or len(text)
    if at and text[at - 1 : at] != b"\n":
        return text + b"\n" + block.removesuffix(b"\n")
    return text[:at] + block + text[at:]


def remove_block(text: bytes) -> bytes:
    """The script without our lines, byte for byte as before `insert_block`."""
    found = find_block(text)
    if found is None:
        return text
    start, end = found
    if end == len(text) and start and text[end - 1 : end] != b"\n":
        start -= 1  # the line break that its last line did not have
    return text[:start] + text[end:]


def is_shell_script(content: bytes) -> bool:
    """Whether a hook can take lines of shell: it names a shell, or no interpreter (git then takes the shell)."""
    if b"\0" in content:
        return False
    return not content.startswith(b"#!") or bool(_SHELL.match(content.split(b"\n", 1)[0] + b"\n"))


def render_chain(block: bytes, kept_name: str) -> bytes:
    """A hook of ours that then runs the one that was there before, kept beside it under another name."""
    return SHEBANG + block + _CHAIN.format(name=kept_name).encode()


def find_chained(text: bytes) -> str:
    """The name of the hook that ours runs, '' where it runs none."""
    found = _CHAINED.search(text)
    return found[1].decode() if found else ""
