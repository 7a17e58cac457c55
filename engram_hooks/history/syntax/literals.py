"""Comments and literals of the languages that need no more than a pattern and readers."""

from __future__ import annotations

import re

from engram_hooks.history.syntax.masking import (
    MaskRules,
    Reader,
    read_block,
    read_line,
    read_nested_block,
    read_until,
)

# Strings that end at the end of the line at the latest; possessive, so that long ones cost no memory.
DOUBLE = r'"[^"\\\n]*+(?:\\[\s\S][^"\\\n]*+)*+"?'
SINGLE = r"'[^'\\\n]*+(?:\\[\s\S][^'\\\n]*+)*+'?"
# Strings that may span lines.
LONG_DOUBLE = r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"?'
LONG_SINGLE = r"'[^'\\]*+(?:\\[\s\S][^'\\]*+)*+'?"
# Strings with code in them that may hold strings, one level deep.
_KOTLIN_STRING = r'"(?:[^"\\\n$]|\\[\s\S]|\$\{(?:[^{}"\n]|"[^"\n]*")*+\}|\$)*+"?'
_SWIFT_STRING = r'"(?:[^"\\\n]|\\\((?:[^()"\n]|"[^"\n]*"|\([^()"\n]*\))*+\)|\\[\s\S])*+"?'
_SHARP_STRING = r'\$"(?:[^"\\\n{]|\\[\s\S]|\{\{|\{(?:[^{}"\n]|"[^"\n]*")*+\}|\{)*+"?'
_CHAR = r"'(?:[^'\\\n]|\\(?:u\{[^}\n]{1,8}\}|[uUx][0-9a-fA-F]{1,8}|[0-7]{1,3}|.))'"
_TEXT_BLOCK = r'"""[^"\\]*+(?:(?:\\[\s\S]|"(?!""))[^"\\]*+)*+(?:""")?'
_RAW_TEXT_BLOCK = r'"""[^"]*+(?:"(?!"")[^"]*+)*+(?:"{3,})?'
_SLASHES = r"(?P<line>//)|(?P<block>/\*)"


def _read_rust_raw(text: str, found: re.Match[str]) -> int:
    return _end_of(text, '"' + "#" * found[0].count("#"), found.end())


def _read_cpp_raw(text: str, found: re.Match[str]) -> int:
    return _end_of(text, ")" + found[0].split('"', 1)[1][:-1] + '"', found.end())


def _read_swift_raw(text: str, found: re.Match[str]) -> int:
    hashes = "#" * found[0].count("#")
    return _end_of(text, found[0].lstrip("#") + hashes, found.end())


def _read_sharp_raw(text: str, found: re.Match[str]) -> int:
    return _end_of(text, '"' * found[0].count('"'), found.end())


def _read_heredoc(text: str, found: re.Match[str]) -> int:
    closing = re.compile(rf"^[ \t]*{re.escape(found['tag'])}\b", re.M).search(text, found.end())
    return closing.end() if closing else len(text)


def _read_html(text: str, found: re.Match[str]) -> int:
    end = text.find("<?", found.end())
    return len(text) if end < 0 else end


def _end_of(text: str, closer: str, position: int) -> int:
    end = text.find(closer, position)
    return len(text) if end < 0 else end + len(closer)


def _rules(pattern: str, *, nested: bool = False, **readers: Reader) -> MaskRules:
    block = read_nested_block if nested else read_block
    return MaskRules(re.compile(pattern), {"line": read_line, "block": block, **readers})


_C_LITERALS = rf"{DOUBLE}|(?<![0-9A-Fa-f]){SINGLE}"

RULES: dict[str, MaskRules] = {
    "go": _rules(rf"{_SLASHES}|(?P<raw>`)|{DOUBLE}|{_CHAR}", raw=read_until("`")),
    "rust": _rules(rf'{_SLASHES}|\bb?c?r(?P<raw>#*")|{LONG_DOUBLE}|{_CHAR}', nested=True, raw=_read_rust_raw),
    "java": _rules(rf"{_SLASHES}|{_TEXT_BLOCK}|{DOUBLE}|{_CHAR}"),
    "c": _rules(rf"{_SLASHES}|{_C_LITERALS}"),
    "cpp": _rules(
        rf'{_SLASHES}|\b(?:u8|u|U|L)?(?P<raw>R"[^()\\\s"]{{0,16}}\()|{_C_LITERALS}', raw=_read_cpp_raw
    ),
    "csharp": _rules(
        rf'{_SLASHES}|\$*(?P<raw>"{{3,}})|(?:@\$?|\$@)"[^"]*+(?:""[^"]*+)*+"?|{_SHARP_STRING}|{DOUBLE}|{_CHAR}',
        raw=_read_sharp_raw,
    ),
    "php": _rules(
        rf"{_SLASHES}|(?P<hash>#(?!\[))|(?P<html>\?>|\A(?!<\?))|<<<[ \t]*(?P<heredoc>[\"']?(?P<tag>\w+)[\"']?)"
        rf"|{LONG_DOUBLE}|{LONG_SINGLE}|`[^`]*+`?",
        hash=read_line,
        heredoc=_read_heredoc,
        html=_read_html,
    ),
    "kotlin": _rules(rf"{_SLASHES}|{_RAW_TEXT_BLOCK}|{_KOTLIN_STRING}|{_CHAR}|`[^`\n]*`", nested=True),
    "swift": _rules(
        rf'{_SLASHES}|(?P<raw>#+(?:"""|"))|{_TEXT_BLOCK}|{_SWIFT_STRING}', nested=True, raw=_read_swift_raw
    ),
    "scala": _rules(rf"{_SLASHES}|{_RAW_TEXT_BLOCK}|{_KOTLIN_STRING}|{_CHAR}", nested=True),
}
