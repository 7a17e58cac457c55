"""What somebody said, as single sentences: without code, logs, quotations and pasted documents."""

from __future__ import annotations

import re

MAX_TYPED_CHARS = 1_500
MAX_TYPED_LINES = 30
MAX_PARAGRAPH_CHARS = 600
MAX_LINE_CHARS = 3_000
MAX_SENTENCE_CHARS = 400
MIN_SENTENCE_CHARS = 8

_FENCE = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_MACHINE_LINE = re.compile(
    r"""
    ^\s{4,}\S                                        # indented code
    | ^\s*>                                          # quotation
    | ^\s*[|+]                                       # table, diff
    | ^\s*(?:\$|%|\#!|>>>|\.\.\.|@@|diff\s|index\s[0-9a-f])
    | ^\s*-\S                                        # removed line, option
    | ^\s*(?:at\s+\S+\s*\(|File\s+"|Traceback|Caused\s+by:|goroutine\s)
    | ^\s*\[?\d{2,4}[-:/.]\d{1,2}[-:/.]\d{1,4}       # time stamp
    | \b(?:DEBUG|INFO|WARN|WARNING|ERROR|FATAL|TRACE|CRITICAL)\b[\]:\s]
    | ^\s*(?:[\w.]*(?:Error|Exception|Warning)|error|warning|fatal)[:\[(]
    | ^\s*(?:npm\s+(?:ERR|WARN)|E\s{2,}\S)
    | [{};]\s*$                                      # code
    | ^\s*(?:def|class|import|from\s+\S+\s+import|const|let|var|function|return|public|private|\#include)\s.*[;({:=]
    | ^\s*(?://|/\*|\*\s|<!--|\#\s|--\s)             # comment, heading
    | ^\s*<[/!?a-zA-Z]
    | ^\s*["'][^"']+["']\s*:                         # JSON
    | ^\s*\S+:\d+(?::\d+)?:?\s                       # file:line
    """,
    re.VERBOSE,
)
_SYMBOLS = re.compile(r"[{}()\[\]<>=;|\\$*&^~]")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")
_EMPHASIS = re.compile(r"(?<![\w*_])(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?![\w*_])")
_BREAK = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=\S)")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|z\.\s?B|d\.\s?h|bzw|p\.\s?ex|nr|mr|mrs|dr)\.$", re.IGNORECASE
)
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]{2,}\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)'[^']{12,}'(?!\w)")


def split_statements(text: str, *, is_typed: bool = True) -> list[str]:
    """The sentences of prose in `text`, in order, white space collapsed.

    Of a long text that somebody typed, and mostly pasted, only a short first and last paragraph count.
    """
    text = _FENCE.sub("\n", text.replace("\r\n", "\n"))
    if is_typed and (len(text) > MAX_TYPED_CHARS or text.count("\n") > MAX_TYPED_LINES):
        paragraphs = [part for part in re.split(r"\n[ \t]*\n", text) if part.strip()]
        ends = paragraphs[:1] + paragraphs[1:][-1:]
        text = "\n".join(part for part in ends if len(part) <= MAX_PARAGRAPH_CHARS)
    found: list[str] = []
    for line in text.split("\n"):
        if line.strip() and len(line) <= MAX_LINE_CHARS and not is_machine_line(line):
            found += _split_line(_BULLET.sub("", line))
    return found


def is_machine_line(line: str) -> bool:
    """Whether a line reads like code, a log, a quotation, a diff or a table rather than like speech."""
    if _BULLET.match(line):
        line = _BULLET.sub("", line)
    line = _EMPHASIS.sub(r"\2", line)
    return bool(_MACHINE_LINE.search(line)) or len(_SYMBOLS.findall(mask_quotes(line))) * 12 > len(line) + 24


def mask_quotes(sentence: str) -> str:
    """The sentence with inline code and quotations blotted out, character for character."""
    return _QUOTED.sub(lambda match: "¤" * len(match.group()), sentence)


def _split_line(line: str) -> list[str]:
    line = " ".join(_EMPHASIS.sub(r"\2", line).split())
    masked = mask_quotes(line)
    parts: list[str] = []
    begin = 0
    for gap in _BREAK.finditer(masked):
        if not _ABBREVIATION.search(masked[begin : gap.start()]):
            parts.append(line[begin : gap.end()].strip())
            begin = gap.end()
    parts.append(line[begin:].strip())
    return [part for part in parts if MIN_SENTENCE_CHARS <= len(part) <= MAX_SENTENCE_CHARS]
