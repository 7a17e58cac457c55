"""Declarations of C, C++, Java and C#, told at each brace by what stands before it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engram_hooks.history.syntax.assembly import Declaration
from engram_hooks.history.syntax.cheads import CHead, head_start, is_namespace, read_function, read_type
from engram_hooks.history.syntax.source import Source

MAX_HEAD = 3_000
_SIGNS = {"cpp": re.compile(r"[{}]"), "java": re.compile(r"[{};]"), "csharp": re.compile(r"[{};]|=>")}
_ACCESSOR = re.compile(
    r"\s*(?:\[[^\]]*\]\s*)*(?:(?:private|protected|internal|public|readonly)\s+)*(?:get|set|init)\b"
)
_PROPERTY = re.compile(r"[\w>\]?)]\s+(?:[\w.<>]+\.)?(\w+)(\s*\[[^;{}]*\])?\s*$")
_ANONYMOUS = re.compile(r"(?<![\w.])new\s+[\w.$<>?,\s\[\]@]+$")
_LOCAL_TYPE = re.compile(r"(?:(?:final|abstract|static|sealed)\s+)*(?:class|interface|enum|record)\s+\w")
_TYPE_FIRST = {
    "java": re.compile(r"(?:[\w-]+\s+)*(?:class|@?interface|enum|record)\s+\w"),
    "csharp": re.compile(r"(?:\w+\s+)*(?:class|struct|interface|enum|record)\s+\w"),
}
_CONSTANT = re.compile(r"(?:,\s*)?[A-Z]\w*\s*(?:\(|$)")
_TYPEDEF_NAME = re.compile(r"[\s*]*(?:[A-Z_]+\([^)]*\)\s*)?(\w+)\s*[;,\[]")
_STATEMENT_END = re.compile(r"[({\[;}]")


@dataclass(slots=True)
class _Level:
    """An open brace: what it holds ("type", "body", "other"), the name of a type, the state around it."""

    holds: str
    owner: str
    boundary: int
    parens: int
    inline: bool


class _Scan:
    """The state of one pass over the braces of a source."""

    def __init__(self, source: Source, dialect: str) -> None:
        self.source, self.masked, self.dialect = source, source.masked, dialect
        self.levels: list[_Level] = []
        self.boundary, self.parens, self.position = 0, 0, 0
        self.found: list[Declaration] = []

    def around(self) -> _Level:
        """Return the innermost open brace."""
        return self.levels[-1] if self.levels else _Level("type", "", 0, 0, inline=False)

    def run(self) -> None:
        """Read the whole source."""
        search, masked = _SIGNS[self.dialect].search, self.masked
        place = 0
        while (sign := search(masked, place)) is not None:
            at = sign.start()
            self.advance(at)
            place = sign.end()
            if sign[0] == "{":
                place = self.open(at)
            elif sign[0] == "}":
                self.close(at)
            elif self.parens <= 0:
                place = self.end_statement(at, sign[0])
            self.position = max(self.position, place)

    def advance(self, at: int) -> None:
        """Take the text up to a sign: statements that end, parentheses that open and close."""
        masked, start = self.masked, self.position
        if self.dialect == "cpp":
            semicolon = masked.rfind(";", start, at)
            if semicolon >= 0:
                self.boundary, start, self.parens = semicolon + 1, semicolon + 1, 0
        self.parens += masked.count("(", start, at) - masked.count(")", start, at)
        self.position = at

    def head(self, at: int) -> CHead:
        """Return the head that ends at a sign."""
        around = self.around()
        begin = max(self.boundary, at - MAX_HEAD)
        return CHead(self.masked, self.source.closers, begin, at, self.dialect, around.holds, around.owner)

    def open(self, at: int) -> int:
        """Tell what a brace opens; return where to go on: behind bodies that hold no symbols."""
        closer = self.source.closers.get(at)
        around = self.around()
        if closer is None:
            return self.enter(at, "other", inline=True)
        if self.parens > 0:
            return self.enter_other(at, max(self.boundary, at - MAX_HEAD))
        head = self.head(at)
        start = head_start(head)
        if around.holds == "type":
            return self.open_member(head, start, closer)
        if self.dialect == "csharp" and around.holds == "body":
            member = read_function(head, start)
            if member is not None:
                self.found.append(Declaration(start, closer, member.name, "function"))
                return self.enter(at, "body")
        if self.dialect == "java" and _LOCAL_TYPE.match(self.masked, start, at):
            member = read_type(head, start)
            if member is not None:
                self.found.append(Declaration(start, closer, member.name, member.kind))
                return self.enter(at, "type", owner=member.name)
        return self.enter_other(at, start)

    def open_member(self, head: CHead, start: int, closer: int) -> int:
        """Note the member that a brace belongs to."""
        at = head.end
        if is_namespace(head, start) and "(" not in self.masked[start:at]:
            return self.enter(at, "type")
        if self.is_initialised(start, at):
            return self.enter_other(at, start)
        if self.dialect != "cpp" and _TYPE_FIRST[self.dialect].match(self.masked, start, at):
            return self.open_type(head, start, closer)
        function = read_function(head, start)
        if function is not None and not (function.kind == "function" and self.is_initialiser(head, start)):
            self.found.append(
                Declaration(function.place, closer, function.name, function.kind, function.owner)
            )
            return self.skip_body(at, closer)
        if function is not None:
            return self.enter(at, "other", inline=True)
        return self.open_type(head, start, closer)

    def open_type(self, head: CHead, start: int, closer: int) -> int:
        """Note the type that a brace belongs to."""
        member = read_type(head, start)
        if member is None:
            return self.open_other_member(head, start, closer)
        name = member.name or self.typedef_name(start, closer)
        if name:
            self.found.append(Declaration(start, closer, name, member.kind, member.owner))
        return self.enter(head.end, "type", owner=name)

    def open_other_member(self, head: CHead, start: int, closer: int) -> int:
        """Note a property of C# or a short constructor of Java."""
        at, text = head.end, self.masked[start : head.end]
        if self.dialect == "csharp" and _ACCESSOR.match(self.masked, at + 1):
            found = _PROPERTY.search(text, max(0, len(text) - 200))
            if found is not None:
                self.found.append(Declaration(start, closer, found[1], "property"))
                return self.enter(at, "other")
        if self.dialect == "java" and head.owner and text.split()[-1:] == [head.owner]:
            self.found.append(Declaration(start, closer, head.owner, "function"))
            return self.enter(at, "body")
        if self.dialect == "java" and _CONSTANT.match(self.masked, start, at):
            return self.enter(at, "type")
        return self.enter_other(at, start)

    def enter_other(self, at: int, start: int) -> int:
        """Go into a brace that is no member; an anonymous class holds members."""
        text = self.masked[max(start, at - 400) : at].rstrip()
        if self.dialect == "java" and text.endswith(")"):
            opener = self.source_opener(len(text) + max(start, at - 400) - 1)
            if opener is not None and _ANONYMOUS.search(self.masked, max(start, opener - 300), opener):
                self.found.append(Declaration(at, self.source.closers[at], "", "pass"))
                return self.enter(at, "type", inline=True)
        return self.enter(
            at,
            "other" if self.around().holds == "type" else self.around().holds,
            inline=text.endswith(("=", ",", "]")),
        )

    def source_opener(self, closer: int) -> int | None:
        """Return the parenthesis that one at an offset closes."""
        depth = 0
        for place in range(closer, max(-1, closer - MAX_HEAD), -1):
            depth += {")": 1, "(": -1}.get(self.masked[place], 0)
            if not depth:
                return place
        return None

    def enter(self, at: int, holds: str, *, owner: str = "", inline: bool = False) -> int:
        """Go into a brace."""
        self.levels.append(
            _Level(holds, owner, self.boundary, max(0, self.parens), inline or self.parens > 0)
        )
        self.boundary, self.parens, self.position = at + 1, 0, at + 1
        return at + 1

    def skip_body(self, at: int, closer: int) -> int:
        """Go behind the body of a function, or into it where it may hold symbols."""
        if self.dialect == "cpp":
            self.boundary, self.parens, self.position = closer + 1, 0, closer + 1
            return closer + 1
        return self.enter(at, "body")

    def close(self, at: int) -> None:
        """Go back to what was around an opening brace."""
        self.position = at + 1
        if not self.levels:
            self.boundary, self.parens = at + 1, 0
            return
        level = self.levels.pop()
        self.parens = level.parens
        self.boundary = level.boundary if level.inline else at + 1

    def end_statement(self, at: int, sign: str) -> int:
        """Take a semicolon or an arrow outside parentheses."""
        holds = self.around().holds
        if holds == "type":
            return self.end_member(at, sign)
        if sign == ";":
            self.boundary = at + 1
        elif holds == "body":
            head = self.head(at)
            start = head_start(head)
            member = read_function(head, start)
            if member is not None:
                self.found.append(Declaration(start, self.statement_end(at + 2), member.name, "function"))
        return at + len(sign)

    def end_member(self, at: int, sign: str) -> int:
        """Note a member without a block: abstract, or an expression behind an arrow."""
        head = self.head(at)
        start = head_start(head)
        end = at if sign == ";" else self.statement_end(at + 2)
        if self.dialect == "csharp" and _TYPE_FIRST["csharp"].match(self.masked, start, at):
            found_type = read_type(head, start)
            if found_type is not None:
                self.found.append(Declaration(start, end, found_type.name, found_type.kind))
            self.boundary = end + 1
            return end + 1
        member = (
            None if sign == ";" and "(" not in self.masked[head.begin : at] else read_function(head, start)
        )
        if member is not None and member.kind == "function":
            self.found.append(Declaration(start, end, member.name, "function"))
        elif sign == "=>" and not self.is_initialised(start, at):
            found = _PROPERTY.search(self.masked, max(start, at - 200), at)
            if found is not None:
                self.found.append(Declaration(start, end, found[1], "property"))
        self.boundary = end + 1
        return end + 1

    def statement_end(self, place: int) -> int:
        """Return the offset of the semicolon that ends an expression, or of what stands before a brace."""
        while (found := _STATEMENT_END.search(self.masked, place)) is not None and self.source.spend():
            if found[0] in ";}":
                return found.start() - (found[0] == "}")
            place = self.source.closers.get(found.start(), found.start()) + 1
        return len(self.masked) - 1

    def is_initialised(self, start: int, at: int) -> bool:
        """Return whether a brace is a value: `x = {`."""
        return self.masked[start:at].rstrip().endswith(("=", ","))

    def is_initialiser(self, head: CHead, start: int) -> bool:
        """Return whether a brace gives a value to a field behind the `:` of a constructor."""
        text = self.masked[start : head.end].rstrip()
        if self.dialect != "cpp" or not (text[-1:].isalnum() or text[-1:] in "_>"):
            return False
        rest = text[text.find(")") :]
        return re.search(r"\)[^;]*?(?<!:):(?!:)[^;{}]*?[\w>]$", rest) is not None and "->" not in rest

    def typedef_name(self, start: int, closer: int) -> str:
        """Return the name behind a type without one, where `typedef` gives it one."""
        if not self.masked.startswith("typedef", start):
            return ""
        found = _TYPEDEF_NAME.match(self.masked, closer + 1)
        return found[1] if found else ""


def _find(source: Source, dialect: str) -> Iterator[Declaration]:
    scan = _Scan(source, dialect)
    scan.run()
    yield from scan.found


def find_c(source: Source) -> Iterator[Declaration]:
    """Yield functions and types of C and C++; what is inside a function is not read."""
    return _find(source, "cpp")


def find_java(source: Source) -> Iterator[Declaration]:
    """Yield methods and types of Java, those of anonymous classes under what is around them."""
    return _find(source, "java")


def find_csharp(source: Source) -> Iterator[Declaration]:
    """Yield methods, properties, local functions and types of C#."""
    return _find(source, "csharp")
