"""What a brace or an arrow of JavaScript begins, by the text before it."""

from __future__ import annotations

import re
from dataclasses import dataclass

_IDENTIFIER = r"[\w$\u0080-\U0010ffff]+"
_FUNCTION = re.compile(rf"(?<![\w$.])function\b\s*\*?\s*({_IDENTIFIER})?\s*$")
_CONTROL = re.compile(r"(?<![\w$.#])(?:if|for|while|switch|catch|with|await|return|typeof|case)\s*$")
_METHOD = re.compile(rf"(?:(#?{_IDENTIFIER})|([\"'][^\"'\n]*[\"'])|(\[[^\[\]\n]*\]))[?!]?\s*$")
_RETURN_TYPE = re.compile(r"\s*:(?![:=])[^;]*$")
_ASYNC = re.compile(r"(?<![\w$.])async\s*$")
_PARAMETER = re.compile(rf"({_IDENTIFIER})\s*$")
# A name that takes a value: dotted, or the key of an object, maybe with a type.
_TARGET = re.compile(
    rf"((?:{_IDENTIFIER}\.)*)(#?{_IDENTIFIER}|[\"'][^\"'\n]*[\"'])\s*[?!]?"
    r"(?P<type>:(?!:)(?:[^;={}\n]|=>)*?|:(?!:)[^;]*?[}>\])]\s*)?(?<![=!<>+*/%&|^?-])=\s*$"
)
_KEY = re.compile(rf"({_IDENTIFIER}|[\"'][^\"'\n]*[\"'])\s*:\s*$")
_CLASS = re.compile(rf"(?<![\w$.])class\b\s*(?!extends\b|implements\b)({_IDENTIFIER})?[^;]*$")
_TYPE = re.compile(
    rf"(?<![\w$.])(interface|enum|namespace|module)\s+((?:{_IDENTIFIER}\.)*{_IDENTIFIER}|[\"'][^\"'\n]*[\"'])[^;]*$"
)
_TYPE_WORDS = ("interface", "enum", "namespace", "module")
_ALIAS = re.compile(rf"\btype\s+{_IDENTIFIER}\s*(?:<[^;]*>\s*)?=[^;]*$")
_CASE = re.compile(r"(?<![\w$.])(?:case\b[^:\n]*|default\s*):\s*$")
_EXPRESSION_WORD = re.compile(r"(?<![\w$.])(?:return|default|yield|typeof|in|of|await|case|throw|new|as)\s*$")
_TYPE_WORD = re.compile(r"(?<![\w$.])(?:extends|keyof|infer|is|satisfies|implements|readonly)\s*$")
_STATEMENT = re.compile(r"\n[ \t]*(?:const|let|var|export|import|return|throw|if|for|async|await|function)\b")
_NO_BODY_AFTER = tuple("<|&:,([?=")
_TYPE_LITERAL = re.compile(r"\{[^{}]*\}")
MAX_TRIES = 8
MAX_TAIL = 200
MAX_GENERICS = 400


@dataclass(frozen=True, slots=True)
class Head:
    """The text before a brace or behind an arrow: from `begin` to `end`, and where that stands."""

    masked: str
    openers: dict[int, int]
    begin: int
    end: int
    around: str
    in_parens: bool

    def before(self, end: int) -> str:
        """Return the head up to an offset."""
        return self.masked[self.begin : end]

    def last(self) -> str:
        """Return the last two characters that aren't blank."""
        tail = self.masked[max(self.begin, self.end - 40) : self.end].rstrip()
        return tail[-2:] if tail else self.before(self.end).rstrip()[-2:]


@dataclass(frozen=True, slots=True)
class Told:
    """What was told: what the brace holds, and the declaration it belongs to (kind "" for none)."""

    holds: str
    kind: str = ""
    name: tuple[int, int] | None = None
    owner: str = ""
    place: int = -1
    inline: bool = False
    is_type: bool = False


def read_function(head: Head) -> Told | None:
    """Return the function or method whose body begins at the end of a head."""
    if head.last()[-1:] in _NO_BODY_AFTER:
        return None
    for opener in _parameter_lists(head, head.end):
        before = _without_generics(head.before(opener))
        function = _search_end(_FUNCTION, before)
        if function is not None:
            return _named_function(head, function)
        if _search_end(_CONTROL, before):
            return Told("block")
        method = _search_end(_METHOD, before)
        if method is not None and head.around in {"class", "object"} and not head.in_parens:
            name = next(number for number in (1, 2, 3) if method[number])
            span = _shift(method.span(name), head.begin)
            return Told("function", "method", span, place=span[0])
    return None


def read_arrow(head: Head) -> Told | None:
    """Return the arrow function whose arrow ends a head; without a name, it has no kind."""
    if head.last() != "=>":
        return None
    arrow = head.masked.rindex("=>", head.begin, head.end)
    parameter = _search_end(_PARAMETER, head.before(arrow))
    starts = [*_parameter_lists(head, arrow)]
    if parameter is not None:
        starts.append(head.begin + parameter.start())
    for start in starts:
        prefix = _without_async(_without_generics(head.before(start)))
        target = _target(head, prefix)
        if target is not None:
            is_type = _in_alias(prefix)
            return Told("function", "function", target[0], target[1], target[2], is_type=is_type)
    return Told("function")


def read_type(head: Head) -> Told | None:
    """Return the class, interface, enumeration or namespace whose body begins at the end of a head."""
    if head.last()[-1:] in _NO_BODY_AFTER:
        return None
    text = head.before(head.end)
    found = _CLASS.search(text) if "class" in text else None
    if found is not None and not _STATEMENT.search(found[0]):
        if found[1]:
            span = _shift(found.span(1), head.begin)
            return Told("class", "class", span, place=head.begin + found.start())
        target = _target(head, text[: found.start()])
        if target is not None:
            return Told("class", "class", target[0], target[1], target[2])
        return Told("class", "pass")
    found = _TYPE.search(text) if any(word in text for word in _TYPE_WORDS) else None
    if found is not None and not _STATEMENT.search(found[0]):
        kind = "module" if found[1] in {"namespace", "module"} else found[1]
        holds = "block" if kind == "module" else "type"
        return Told(holds, kind, _shift(found.span(2), head.begin), place=head.begin + found.start())
    return None


def read_object(head: Head) -> Told:
    """Return whether a brace is an object, a type or a block; an object gives its name to what is inside."""
    text = head.before(head.end)
    stripped = text.rstrip()
    last = stripped[-1:]
    if head.around == "type" or last == "<" or _search_end(_TYPE_WORD, text) or _in_alias(text):
        return Told("type", inline=True)
    if last == ":":
        if _search_end(_CASE, text):
            return Told("block")
        if head.around != "object" or head.in_parens:
            return Told("type", inline=True)
        key = _search_end(_KEY, text)
        return _object(head, key.span(1) if key else None)
    if last == "=":
        target = _target(head, text) if text[-1:].isspace() else None
        target = None if target and target[1] == "module" else target
        return (
            Told("object", "scope", target[0], target[1], target[2])
            if target
            else Told("object", inline=True)
        )
    if last and last in "|&" and stripped[-2:] not in {"||", "&&"}:
        return Told("type", inline=True)
    if (last and last in "(,[?|&.") or _search_end(_EXPRESSION_WORD, text):
        return Told("object", inline=last == ",")
    return Told("block")


def _object(head: Head, span: tuple[int, int] | None) -> Told:
    if span is None:
        return Told("object")
    name = _shift(span, head.begin)
    return Told("object", "scope", name, place=name[0])


def _named_function(head: Head, function: re.Match[str]) -> Told:
    """Return a function by what it is given to, else by its own name."""
    prefix = _without_async(head.before(head.begin + function.start()))
    target = _target(head, prefix)
    if target is not None:
        return Told("function", "function", target[0], target[1], target[2])
    if function[1] is None:
        return Told("function")
    return Told(
        "function", "function", _shift(function.span(1), head.begin), place=head.begin + function.start()
    )


def _target(head: Head, prefix: str) -> tuple[tuple[int, int], str, int] | None:
    """Return what a value behind `prefix` is given to: the span of its name, its owner, its place."""
    if head.in_parens:
        return None
    found = _search_end(_TARGET, prefix)
    while found is not None and not _is_balanced(found["type"] or ""):
        found = _TARGET.search(prefix, found.end(2))
    if found is not None:
        return _shift(found.span(2), head.begin), _owner(found), head.begin + found.start()
    found = _search_end(_KEY, prefix) if head.around == "object" else None
    if found is None:
        return None
    span = _shift(found.span(1), head.begin)
    return span, "", span[0]


def _owner(found: re.Match[str]) -> str:
    """Return the owner of an assigned name: `this` and `prototype` are none, `module` but of `exports`."""
    if found[1] == "module." and found[2] == "exports":
        return "module"
    parts = [part for part in found[1].split(".") if part not in {"", "this", "prototype", "module"}]
    return ".".join(parts)


def _parameter_lists(head: Head, end: int) -> list[int]:
    """Return where parameter lists may begin that end before `end`, maybe with a type behind them."""
    masked, starts = head.masked, []
    place = end
    for _ in range(MAX_TRIES):
        place = masked.rfind(")", head.begin, place)
        if place < 0:
            break
        between = masked[place + 1 : end]
        if "{" in between:
            between = _TYPE_LITERAL.sub("", _TYPE_LITERAL.sub("", between))
        opener = head.openers.get(place, -1)
        if opener >= head.begin and (not between.strip() or _RETURN_TYPE.match(between)):
            starts.append(opener)
        if not between.strip():
            break
    return starts


def _is_balanced(text: str) -> bool:
    return (
        text.count("(") == text.count(")")
        and text.count("{") == text.count("}")
        and not _STATEMENT.search(text)
    )


def _without_generics(text: str) -> str:
    """Return a text without `<...>` at its end."""
    end = len(text.rstrip())
    if end < 2 or text[end - 1] != ">" or text[end - 2] == "=":
        return text
    depth = 0
    for at in range(end - 1, max(0, end - MAX_GENERICS), -1):
        if text[at] == ">" and text[at - 1] != "=":
            depth += 1
        elif text[at] == "<":
            depth -= 1
            if not depth:
                return text[:at]
    return text


def _without_async(text: str) -> str:
    found = _search_end(_ASYNC, text)
    return text[: found.start()] if found else text


def _in_alias(text: str) -> bool:
    """Return whether a text ends inside the right side of `type X = ...`."""
    found = _ALIAS.match(text, max(0, text.rfind("type ")))
    return found is not None and not _STATEMENT.search(found[0])


def _search_end(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Return the match of a pattern that ends where the text does, if it is short."""
    return pattern.search(text, max(0, len(text) - MAX_TAIL))


def _shift(span: tuple[int, int], by: int) -> tuple[int, int]:
    return span[0] + by, span[1] + by
