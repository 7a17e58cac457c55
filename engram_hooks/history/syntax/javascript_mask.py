"""Blanks for the comments and literals of JavaScript: templates in templates, and slashes that divide or quote."""

from __future__ import annotations

import re

from engram_hooks.history.syntax.masking import blank, blank_inside

_PLAIN = re.compile(r"[\"'`/]")
_IN_TEMPLATE = re.compile(r"[\"'`/{}]")
_TEMPLATE = re.compile(r"[^`\\$]*+(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*+)*+(`|\$\{)?")
_QUOTED = {
    '"': re.compile(r"[^\"\\\n]*+(?:\\[\s\S][^\"\\\n]*+)*+(\"?)"),
    "'": re.compile(r"[^'\\\n]*+(?:\\[\s\S][^'\\\n]*+)*+('?)"),
}
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*+\])++/\w*")
_WORDS_BEFORE_PATTERN = re.compile(
    r"(?:^|[^\w$.])(?:return|typeof|case|in|of|delete|void|instanceof|do|else|new|throw|yield|await)$"
)
MAX_PATTERN_CHARS = 1_000


class _Masking:
    """The state of one pass: what is written, where it is, and the braces open in each template's code."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        self.done = 0
        self.depths: list[int] = []
        self.unclosed_until = {'"': -1, "'": -1}

    def take(self, start: int, end: int, masked: str) -> int:
        """Write what stands before `start` as it is and `masked` for what is up to `end`; return that."""
        self.pieces.append(self.text[self.done : start])
        self.pieces.append(masked)
        self.done = end
        return end

    def step(self, char: str, at: int) -> int:
        """Read what begins with a character; return where to go on."""
        if char in "\"'":
            return self.read_string(char, at)
        if char == "/":
            return self.read_slash(at)
        if char == "`":
            self.depths.append(0)
            return self.read_template(at)
        if char == "{":
            self.depths[-1] += 1
        elif self.depths[-1]:
            self.depths[-1] -= 1
        else:
            return self.read_template(at)
        return at + 1

    def read_string(self, quote: str, at: int) -> int:
        if at < self.unclosed_until[quote]:
            return at + 1
        found = _QUOTED[quote].match(self.text, at + 1)
        end = found.end() if found else at + 1
        if found is None or not found[1]:  # an apostrophe in text between tags
            self.unclosed_until[quote] = end
            return at + 1
        return self.take(at, end, blank_inside(self.text[at:end]))

    def read_template(self, at: int) -> int:
        """Read the text of a template from its backtick, or from the brace that ends code in it."""
        text = self.text
        found = _TEMPLATE.match(text, at + 1)
        end = found.end() if found else len(text)
        if found is None or found[1] != "${":
            self.depths.pop()
        first = "`" if text[at] == "`" else " "
        last = "`" if found is not None and found[1] == "`" else ""
        return self.take(at, end, first + blank(text[at + 1 : end - len(last)]) + last)

    def read_slash(self, at: int) -> int:
        text = self.text
        following = text[at + 1 : at + 2]
        if following in {"/", "*"}:
            end = text.find("\n" if following == "/" else "*/", at + 2)
            end = len(text) if end < 0 else end + (2 if following == "*" else 0)
            return self.take(at, end, blank(text[at:end]))
        found = _PATTERN.match(text, at, at + MAX_PATTERN_CHARS) if self.may_quote(at, following) else None
        if found is None:
            return at + 1
        return self.take(at, found.end(), blank_inside(found[0]))

    def may_quote(self, at: int, following: str) -> bool:
        """Return whether a slash begins a pattern, by what stands before it."""
        before = self.text[max(0, at - 80) : at]
        words = before.rstrip()
        if not words:
            return True
        last = words[-1]
        if last in "(,=:[!&|?{;+-*%~^":
            return not (following == ">" and last in "}{")
        if last == ">":
            return words.endswith("=>")
        if last == "}":
            return "\n" in before[len(words) :] and following != ">"
        return last.isalpha() and _WORDS_BEFORE_PATTERN.search(words) is not None


def mask_javascript(text: str) -> str:
    """Return a text of the same length and lines where literals keep only their first and last character."""
    state = _Masking(text)
    place = 0
    while (found := (_IN_TEMPLATE if state.depths else _PLAIN).search(text, place)) is not None:
        place = state.step(found[0], found.start())
    state.pieces.append(text[state.done :])
    return "".join(state.pieces)
