"""What a brace of C, C++, Java or C# begins, by the text before it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engram_hooks.history.syntax.cnames import blank_arguments, read_test_name, split_qualified
from engram_hooks.history.syntax.source import skip_spaces

_NOT_FUNCTIONS = frozenset(
    "if for while switch catch return sizeof alignas alignof decltype noexcept throw requires defined do else"
    " synchronized using lock fixed foreach when new await case goto assert __attribute__ __declspec static_assert"
    " explicit and or not checked unchecked typeof nameof default super this base".split()
)
_NAME = re.compile(
    r"(?<!\w)((?:\w++\s*(?:::|\.)\s*)*"
    r"(?:operator\s*(?:[^\s\w(\[]+|\[\s*\]|\w[\w\s:*&\[\].?]*)|~?\s*\w++))\s*$"
)
_OPERATOR_CALL = re.compile(r"(?<!\w)((?:\w++\s*::\s*)*)operator\s*$")
_QUALIFIERS = re.compile(
    r"\s*(?:(?:const|volatile|noexcept|override|final|mutable|throw|try|requires|[A-Z_][A-Z0-9_]*|&&?|\[\s*\])"
    r"(?![\w])\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?)*"
)
_TAIL = {
    "cpp": re.compile(r"(?:->[^;{}]*|:(?!:)[^;]*|try\s*(?::[^;]*)?)?$"),
    "java": re.compile(r"(?:throws\b[^;(){}]*|default\b[^;{}]*)?$"),
    "csharp": re.compile(r"(?:where\b[^;{}]*|:\s*(?:base|this)\b[^;{}]*)?$"),
}
_TYPES = {
    "cpp": re.compile(r"(?<![\w<,.])(class|struct|union|enum(?:\s+(?:class|struct))?)(?![\w-])"),
    "java": re.compile(r"(?<![\w.$])(class|@?interface|enum|record)\s+(\w+)"),
    "csharp": re.compile(
        r"(?<![\w.:,<])(?<![:,<]\s)(class|struct|interface|enum|record(?:\s+(?:class|struct))?)\s+(\w+)"
    ),
}
_ATTRIBUTE = re.compile(
    r"\[\[[^\]]*\]\]|(?:__attribute__|__declspec|alignas|[A-Z_][A-Z0-9_]*)\s*\((?:[^()]|\([^()]*\))*\)"
)
_BASES = re.compile(r"(?<!:):(?!:)")
_SCOPE = re.compile(r"\s*::\s*")
_TYPE_NAME = re.compile(r"[\w\s:]*$")
_NAMESPACE = re.compile(r"(?<!\w)(?:namespace\b|extern\s*\"[^\"]*\"\s*$)")
_ACCESS = re.compile(
    r"(?<![\w:])(?:(?:public|private|protected|signals|Q_SIGNALS)\b[\w\s]*|Q_OBJECT\s*):(?!:)"
)
_LEADING = re.compile(r"\s*(?:@(?!interface)[\w.]+|template(?=\s*<))\s*")
_ASSIGNED = re.compile(r"(?<![=!<>+*/%&|^-])=(?!=)")
_MACRO_LINE = re.compile(r"[A-Z][A-Z0-9_]{3,}(?:[ \t]*\([^()\n]*\))?[ \t]*\r?\n")
_NO_TYPES = frozenset("new return await throw else delegate case".split())
_LINE_END = re.compile(r"[ \t]*\r?\n\s*(?=\w)")
MAX_NAME = 300
MAX_ARGUMENTS = 2_000
MAX_CANDIDATES = 24


@dataclass(frozen=True, slots=True)
class CHead:
    """The text before a brace, a semicolon or an arrow at the level of members, and what is around."""

    masked: str
    closers: dict[int, int]
    begin: int
    end: int
    dialect: str
    around: str
    owner: str


@dataclass(frozen=True, slots=True)
class Member:
    """What a head declares: `kind` as in `assembly.Declaration`, and where it begins."""

    kind: str
    name: str
    owner: str = ""
    place: int = -1


def head_start(head: CHead) -> int:
    """Return where a declaration begins behind access words, annotations, attributes and template heads."""
    masked, place = head.masked, head.begin
    if head.dialect == "cpp":
        for access in _ACCESS.finditer(masked, place, head.end):
            place = access.end()
    for _ in range(MAX_CANDIDATES):
        place = min(skip_spaces(masked, place), head.end)
        if masked.startswith("[", place):
            closer = head.closers.get(place, -1)
            if closer < 0 or closer >= head.end:
                break
            place = closer + 1
            continue
        found = _LEADING.match(masked, place, head.end)
        if found is None and head.dialect == "cpp":
            found = _MACRO_LINE.match(masked, place, head.end)
        if found is None:
            break
        place = found.end()
        if found[0].strip() == "template":
            place = _angle_end(masked, place, head.end)
        elif masked.startswith("(", place):
            place = head.closers.get(place, head.end) + 1
    return min(place, head.end)


def read_type(head: CHead, start: int) -> Member | None:
    """Return the type whose body a brace opens."""
    text = head.masked[start : head.end]
    for found in _TYPES[head.dialect].finditer(text):
        if head.dialect != "cpp":
            if found.start() and _ASSIGNED.search(text, 0, found.start()):
                return None
            kind = found[1].split()[-1].strip("@")
            kinds = {"record": "class"}
            return Member(kinds.get(kind, kind), found[2], place=start)
        rest = _ATTRIBUTE.sub(" ", blank_arguments(text[found.end() :]))
        rest = _BASES.split(rest, maxsplit=1)[0]
        if not _TYPE_NAME.match(rest):
            continue
        words = [word for word in _SCOPE.sub("::", rest).split() if word != "final"]
        owner, name = split_qualified("".join(words[-1:]))
        kind = "enum" if found[1].startswith("enum") else {"union": "struct"}.get(found[1], found[1])
        return Member(kind, name, owner, start)
    return None


def read_function(head: CHead, start: int) -> Member | None:
    """Return the function whose head ends at `head.end`."""
    text = blank_arguments(head.masked[start : head.end])
    assigned = _ASSIGNED.search(text)
    place, begin = 0, 0
    for _ in range(MAX_CANDIDATES):
        opener = text.find("(", place)
        closer = head.closers.get(start + opener, -1) - start
        if opener < 0 or closer < 0 or closer >= len(text):
            return None
        before = text[max(begin, opener - MAX_NAME) : opener]
        if head.dialect == "cpp" and not text[opener + 1 : closer].strip():
            call = _OPERATOR_CALL.search(before)
            second = text.find("(", closer)
            if call is not None and second >= 0:
                owner, _ = split_qualified(call[1] + "operator")
                closer = head.closers.get(start + second, -1) - start
                return (
                    Member("function", "operator()", owner, start) if _ends_head(head, text, closer) else None
                )
        if assigned is not None and assigned.start() < opener and "operator" not in before:
            return None
        if _ends_head(head, text, closer):
            member = _named(head, before, params=text[opener : closer + 1])
            if member is not None:
                return replace(member, place=start + begin)
        place = closer + 1
        begin = _next_line(text, place, begin=begin)
    return None


def _next_line(text: str, place: int, *, begin: int) -> int:
    """Return where a declaration begins behind a macro call that is alone on its line."""
    rest = _LINE_END.match(text, place)
    return rest.end() if rest else begin


def is_namespace(head: CHead, start: int) -> bool:
    """Return whether a brace opens a namespace or a block of linkage."""
    return _NAMESPACE.search(head.masked, start, head.end) is not None


def _named(head: CHead, before: str, *, params: str) -> Member | None:
    """Return the function whose name ends a text, None if that names none."""
    found = _NAME.search(before)
    if found is None:
        return None
    written, before = found[1], before[: found.start()]
    owner, name = split_qualified(written.replace(".", "::") if head.dialect == "csharp" else written)
    if name in _NOT_FUNCTIONS or name[:1].isdigit():
        return None
    if head.dialect == "cpp":
        test = read_test_name(name, params)
        return Member("function", test[1], test[0]) if test else Member("function", name, owner)
    if name.startswith("operator"):
        return Member("function", "operator " + name.removeprefix("operator").strip())
    words = before.split()
    last = words[-1] if words else ""
    if last in _NO_TYPES or "delegate" in words:
        return None
    typed = before.rstrip()[-1:]
    if name.removeprefix("~") == head.owner or (
        typed and (typed in ">]?*)" or typed.isalnum() or typed == "_")
    ):
        return Member("function", name)
    return None


def _ends_head(head: CHead, text: str, closer: int) -> bool:
    """Return whether what follows the parameters is what may follow them."""
    if closer < 0 or closer >= len(text):
        return False
    rest = text[closer + 1 :].strip()
    if not rest:
        return True
    qualifiers = _QUALIFIERS.match(rest) if head.dialect != "csharp" else None
    return _TAIL[head.dialect].match(rest, qualifiers.end() if qualifiers else 0) is not None


def _angle_end(masked: str, place: int, end: int) -> int:
    """Return the offset behind `<...>`."""
    depth = parens = 0
    for at in range(place, min(end, place + MAX_ARGUMENTS)):
        char = masked[at]
        parens += {"(": 1, ")": -1}.get(char, 0)
        if parens or (char == ">" and masked[at - 1] == "-"):
            continue
        depth += {"<": 1, ">": -1}.get(char, 0)
        if not depth:
            return at + 1
    return place
