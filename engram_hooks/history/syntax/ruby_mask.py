"""Blanks for the comments and literals of Ruby."""

from __future__ import annotations

import re

from engram_hooks.history.syntax.heredocs import HeredocPass
from engram_hooks.history.syntax.literals import LONG_SINGLE

_STRING = r'"(?:[^"\\#]|\\[\s\S]|#\{(?:[^{}"]|"[^"\n]*")*+\}|#)*+"?'
_TOKEN = re.compile(
    r"(?P<line>#)|(?P<doc>^=begin\b)|(?P<rest>^__END__\s*$)"
    r"|\$[\"'`/]|(?<![\w)\]}?])\?(?:\\.|\S)(?!\w)"
    r"|<<(?P<dash>[~-]?)(?P<quote>[\"'`]?)(?P<tag>[A-Za-z_]\w*)(?P=quote)"
    r"|(?P<percent>(?<![\w)\]])%(?:[qQwWiIrsx]?[(\[{<|!/]|[qQwWiIrsx][^\w\s]))"
    rf"|{_STRING}|{LONG_SINGLE}|`[^`]*`?|(?P<slash>/)",
    re.M,
)
_PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
_PATTERN = re.compile(r"/[^/\\\n]*+(?:\\[\s\S][^/\\\n]*+)*+(?:/[a-z]*|(?=\n))")
_LONG_PATTERN = re.compile(r"/[^/\\]*+(?:\\[\s\S][^/\\]*+)*+/[a-z]*")
_WORD_BEFORE = re.compile(
    r"(?:^|[^\w.])(?:if|unless|when|while|until|and|or|not|return|puts|then|in|split|match|gsub|sub|scan)$"
)
MAX_PATTERN_CHARS = 2_000


class _RubyPass(HeredocPass):
    """Blanks for Ruby."""

    def step(self, found: re.Match[str]) -> int:
        at, text = found.start(), self.text
        if found["line"]:
            end = text.find("\n", at)
            return self.take(at, len(text) if end < 0 else end, inside=False)
        if found["doc"]:
            closing = re.compile(r"^=end\b[^\n]*", re.M).search(text, at)
            return self.take(at, closing.end() if closing else len(text), inside=False)
        if found["rest"] is not None:
            return self.take(at, len(text), inside=False)
        if found["tag"]:
            return self.read_announcement(found)
        if found["percent"]:
            return self.take(at, self.percent_end(found.end() - 1), inside=True)
        if found["slash"]:
            return self.read_slash(at)
        return self.take(at, found.end(), inside=True)

    def read_announcement(self, found: re.Match[str]) -> int:
        """Note a here-document, unless the sign is an operator."""
        plain = not found["dash"] and not found["quote"]
        if plain and (
            not found["tag"][0].isupper() or self.text[found.start() - 1 : found.start()].isalnum()
        ):
            return found.start() + 2
        if self.announce(found["tag"], found.end()):
            return self.take(found.start(), found.end(), inside=True)
        return found.start() + 2

    def percent_end(self, opener: int) -> int:
        """Return the end of a literal with its own delimiters."""
        text, char = self.text, self.text[opener]
        closer = _PAIRS.get(char)
        if closer is None:
            end = text.find(char, opener + 1)
            return len(text) if end < 0 else end + 1
        depth, place = 1, opener + 1
        edge = re.compile(rf"\\[\s\S]|[{re.escape(char + closer)}]")
        while depth and (found := edge.search(text, place)) is not None:
            place = found.end()
            depth += {char: 1, closer: -1}.get(found[0], 0)
        return len(text) if depth else place

    def read_slash(self, at: int) -> int:
        """Read a pattern, unless the slash divides."""
        text = self.text
        before = text[max(0, at - 60) : at]
        word, following = before.rstrip(" \t"), text[at + 1 : at + 2]
        last = word[-1:]
        if last and (last.isalnum() or last in "_)]}\"'?!"):
            spaced = before != word and not following.isspace() and following != "="
            if not _WORD_BEFORE.search(word) and not (
                spaced and (last.isalnum() or last in "_?!") and not last.isdigit()
            ):
                return at + 1
        found = _PATTERN.match(text, at)
        if found is not None and "/" not in found[0][1:]:
            found = _LONG_PATTERN.match(text, at, at + MAX_PATTERN_CHARS)
        return self.take(at, found.end(), inside=True) if found else at + 1


def mask_ruby(text: str) -> str:
    """Return a text of the same length and lines where literals keep only their first and last character."""
    return _RubyPass(text).run(_TOKEN)
