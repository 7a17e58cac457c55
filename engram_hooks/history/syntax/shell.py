"""Functions of shell scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram_hooks.history.syntax.assembly import Declaration
from engram_hooks.history.syntax.heredocs import HeredocPass
from engram_hooks.history.syntax.source import Source

_TOKEN = re.compile(
    r"\\[\s\S]|(?P<comment>(?<![^\s;|&()])#)|'[^']*'?|\"|`|<<-?[ \t]*(?P<quote>[\"']?)(?P<tag>\w+)(?P=quote)|\$\{|<<<"
)
_IN_STRING = re.compile(r"\\[\s\S]|\"|\$\(|\$\{")
_IN_COMMAND = re.compile(r"\\[\s\S]|\"|'[^']*'?|\(|\)|(?<![^\s;|&()])#[^\n]*")
_IN_VARIABLE = re.compile(r"\\[\s\S]|'[^']*'|\"|\$\{|\}")
_STRING = re.compile(r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"?')
_NAME = r"[^\s\"'`$(){}<>|&;#=\\]+"
_FUNCTION = re.compile(
    rf"^[ \t]*(?:function[ \t]+({_NAME})[ \t]*(?:\([ \t]*\))?|({_NAME})[ \t]*\([ \t]*\))\s*([{{(])", re.M
)
_INNER = {'"': _IN_STRING, "(": _IN_COMMAND, "{": _IN_VARIABLE}
MAX_NESTED = 200_000


class _ShellPass(HeredocPass):
    """Blanks for shell: quotes in commands in quotes."""

    nested_left = MAX_NESTED

    def step(self, found: re.Match[str]) -> int:
        word, at = found[0], found.start()
        if found["comment"]:
            end = self.text.find("\n", at)
            return self.take(at, len(self.text) if end < 0 else end, inside=False)
        if found["tag"]:
            self.announce(found["tag"], found.end())
            return found.end()
        if word[0] == "\\":
            return self.take(at, found.end(), inside=False)
        if word[0] == "'":
            return self.take(at, found.end(), inside=True)
        if word in {'"', "${"}:
            return self.take(at, self.read_nested(at, word[-1]), inside=word == '"')
        return found.end()

    def read_nested(self, at: int, kind: str) -> int:
        """Return the end of a string or a variable, whatever is nested in it."""
        stack, place = [kind], at + (2 if kind == "{" else 1)
        while stack and self.nested_left > 0:
            self.nested_left -= 1
            found = _INNER[stack[-1]].search(self.text, place)
            if found is None:
                break
            place = found.end()
            self.turn(stack, found[0])
        if not stack:
            return place
        naive = _STRING.match(self.text, at)
        return naive.end() if naive else at + 2

    def turn(self, stack: list[str], word: str) -> None:
        """Go into or out of what is nested."""
        if word == '"':
            if stack[-1] == '"':
                stack.pop()
            else:
                stack.append('"')
        elif word in {"$(", "("}:
            stack.append("(")
        elif word == "${":
            stack.append("{")
        elif word in {")", "}"}:
            stack.pop()


def mask_shell(text: str) -> str:
    """Return a text of the same length and lines with blanks for comments, literals and variables."""
    return _ShellPass(text).run(_TOKEN)


def find_shell(source: Source) -> Iterator[Declaration]:
    """Yield functions whose body is a group in braces or parentheses."""
    for found in _FUNCTION.finditer(source.masked):
        end = source.closers.get(found.start(3))
        span = found.span(1) if found[1] else found.span(2)
        if end is not None:
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            yield Declaration(start, end, source.text[span[0] : span[1]], "function")
