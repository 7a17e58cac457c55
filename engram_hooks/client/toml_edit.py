"""Change one value in the text of a TOML file and leave the rest, comments and order, as it is."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import tomli_w

from engram_hooks.errors import EngramError

if TYPE_CHECKING:
    from collections.abc import Iterator

    # Any: what TOML may hold
    Table = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Entry:
    """One assignment: its whole name, that of its table, its line (from 1), and where it stands in the text."""

    key: str
    table: str
    line: int
    start: int
    value_start: int
    value_end: int
    end: int  # behind the line break


@dataclass(frozen=True, slots=True)
class Outline:
    """All assignments of a file, and where the line behind each table header starts."""

    entries: list[Entry]
    headers: dict[str, int]

    def find_line(self, key: str) -> int:
        """The line (from 1) that gives a key, a part of it or what it is a part of; 0 where none does."""
        for entry in self.entries:
            if entry.key == key or key.startswith(entry.key + ".") or entry.key.startswith(key + "."):
                return entry.line
        return 0


def parse(text: str) -> Table:
    """The values of a file. Raises `ValueError` with line and column where it is not TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("values nested too deeply") from None


def flatten(table: Table, prefix: str = "") -> Iterator[tuple[str, object]]:
    """All values by their dotted names; an empty table gives itself."""
    for name, value in table.items():
        key = f"{prefix}.{name}" if prefix else name
        if isinstance(value, dict) and value:
            yield from flatten(value, key)
        else:
            yield key, value


def outline(text: str) -> Outline:
    """Where the assignments of a text stand that is TOML, in one pass; an inline table counts as one."""
    entries: list[Entry] = []
    headers: dict[str, int] = {}
    table, start, line = "", 0, 1
    while start < len(text):
        end = _line_end(text, start)
        words = text[start:end].strip()
        if words.startswith("["):
            table = _name_of(words)
            headers.setdefault(table, end)
        elif words and not words.startswith("#"):
            equals = _find_equals(text, start, end)
            value_end = _scan_value(text, equals + 1)
            end = _line_end(text, value_end)
            name = _name_of(f"{text[start:equals].strip()} = 0")
            key = f"{table}.{name}" if table else name
            value_start = equals + 1 + _count_spaces(text, equals + 1)
            value_end = value_start + len(text[value_start:value_end].rstrip())
            entries.append(Entry(key, table, line, start, value_start, value_end, end))
        line += text.count("\n", start, end)
        start = end
    return Outline(entries, headers)


def set_value(text: str, key: str, value: object) -> str:
    """The text with `key` (dotted) set to `value`: in place, at the end of its table, or in a new table.

    Raises `EngramError` where that cannot be done without rewriting what a person wrote.
    """
    found = outline(text)
    entry = next((one for one in found.entries if one.key == key), None)
    if entry:
        after = text[: entry.value_start] + _dump(value) + text[entry.value_end :]
    else:
        after = _insert(text, found, key, value)
    return _check(text, after, key, {key: value})


def unset_value(text: str, key: str) -> str:
    """The text without the assignment of `key`; unchanged where there is none. Raises like `set_value`."""
    entry = next((one for one in outline(text).entries if one.key == key), None)
    after = text[: entry.start] + text[entry.end :] if entry else text
    return _check(text, after, key, {})


def _check(before: str, after: str, key: str, given: Table) -> str:
    """The new text, once it is sure that it says what the old one said but for one value."""
    wanted = {name: value for name, value in flatten(parse(before)) if name != key and value != {}} | given
    try:
        found = {name: value for name, value in flatten(parse(after)) if value != {}}
    except ValueError:
        found = {}
    if found != wanted:
        line = outline(before).find_line(key)
        where = f" in line {line}" if line else ""
        raise EngramError(
            f"{key} cannot be changed{where} without rewriting it", hint="edit the file by hand"
        )
    return after


def _insert(text: str, found: Outline, key: str, value: object) -> str:
    """Put a new assignment where its table ends, or a new table at the end of the file."""
    table, _, name = key.rpartition(".")
    siblings = [entry.end for entry in found.entries if entry.table == table]
    dotted = [entry.end for entry in found.entries if not entry.table and entry.key.startswith(table + ".")]
    if table in found.headers or (not table and siblings):
        return _put(text, max([found.headers.get(table, 0), *siblings]), f"{name} = {_dump(value)}")
    if not table:
        first = min((_start_of(text, end) for end in found.headers.values()), default=len(text))
        return _put(text, first, f"{name} = {_dump(value)}")
    if dotted:
        return _put(text, dotted[-1], f"{key} = {_dump(value)}")
    body = text.rstrip("\r\n")
    break_ = "\r\n" if "\r\n" in text else "\n"
    head = f"{body}{break_}{break_}" if body else text
    return _put(head, len(head), f"[{table}]\n{name} = {_dump(value)}")


def _put(text: str, at: int, lines: str) -> str:
    """The text with lines put in at the start of a line, in the text's own kind of line breaks."""
    head, tail = text[:at], text[at:]
    if head and not head.endswith("\n"):
        head += "\n"
    lines += "\n"
    return head + (lines.replace("\n", "\r\n") if "\r\n" in text else lines) + tail


def _dump(value: object) -> str:
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")


def _line_end(text: str, start: int) -> int:
    found = text.find("\n", start)
    return len(text) if found < 0 else found + 1


def _start_of(text: str, end: int) -> int:
    """The start of the line that ends at `end`."""
    return text.rfind("\n", 0, max(end - 1, 0)) + 1


def _count_spaces(text: str, start: int) -> int:
    rest = text[start : start + 200]
    return len(rest) - len(rest.lstrip(" \t"))


def _find_equals(text: str, start: int, end: int) -> int:
    """Where the `=` behind a name stands, which may be quoted."""
    quote = ""
    for i in range(start, end):
        if quote:
            quote = "" if text[i] == quote else quote
        elif text[i] in "\"'":
            quote = text[i]
        elif text[i] == "=":
            return i
    return end


def _scan_value(text: str, start: int) -> int:
    """Where the line of a value ends or its comment begins; strings and brackets may span lines."""
    depth, i = 0, start
    while i < len(text):
        char = text[i]
        if char in "\"'":
            i = _scan_string(text, i)
            continue
        if depth == 0 and char in "#\n":
            return i
        if char == "#":
            i = _line_end(text, i)
            continue
        depth += (char in "[{") - (char in "]}")
        i += 1
    return i


def _scan_string(text: str, start: int) -> int:
    """The position behind a string of one of the four kinds."""
    quote = text[start]
    mark = quote * 3 if text.startswith(quote * 3, start) else quote
    i = start + len(mark)
    while i < len(text) and not text.startswith(mark, i):
        i += 2 if text[i] == "\\" and quote == '"' else 1
    i += len(mark)
    while len(mark) == 3 and text.startswith(quote, i):  # up to two quotes may stand before the closing three
        i += 1
    return i


def _name_of(line: str) -> str:
    """The dotted name that a header or an assignment gives; '' where it gives none."""
    try:
        here: object = tomllib.loads(line)
    except ValueError:
        return ""
    names = []
    while isinstance(here, dict | list) and here:
        if isinstance(here, list):
            here = here[0]
            continue
        name, here = next(iter(here.items()))
        names.append(name)
    return ".".join(names)
