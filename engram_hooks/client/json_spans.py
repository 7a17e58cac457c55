"""Where each value of a JSON text stands: a strict scanner that keeps source positions."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from engram_hooks.errors import EngramError

MAX_DEPTH = 200
BOM = "\ufeff"

_SPACE = re.compile(r"[ \t\n\r]*")
_STRING = re.compile(r'"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORD = re.compile(r"(?:true|false|null)(?![A-Za-z0-9_])")


class JsonTextError(EngramError):
    """The text is not what is needed; `line` and `column` (both from 1) say where."""

    def __init__(self, text: str, offset: int, reason: str) -> None:
        self.reason = reason
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - text.rfind("\n", 0, offset)
        super().__init__(f"line {self.line}, column {self.column}: {reason}")


@dataclass(frozen=True, slots=True)
class Node:
    """One value: `text[start:end]` is its source.

    kind is object, array, string, number or word. `value` is the decoded text of a string and the
    source of a number or word. `children` of an object carry their `key` and start at it.
    """

    kind: str
    start: int
    end: int
    value: str = ""
    children: tuple[Child, ...] = ()

    def get(self, key: str) -> Node | None:
        """The value under `key` of an object (the last one, as the client reads it), else None."""
        for child in reversed(self.children):
            if child.key == key:
                return child.node
        return None


@dataclass(frozen=True, slots=True)
class Child:
    """A member of an object or an item of an array: its source is `text[start:node.end]`."""

    start: int
    node: Node
    key: str | None = None
    key_end: int = 0


def is_blank(text: str) -> bool:
    """Is there nothing but white space (and a byte order mark)?"""
    return not text.strip(" \t\r\n" + BOM)


def scan(text: str) -> Node:
    """The root value of a JSON text. Raises `JsonTextError` for anything the standard does not allow."""
    start = _skip(text, 1 if text.startswith(BOM) else 0)
    root = _scan_value(text, start, 0)
    end = _skip(text, root.end)
    if end < len(text):
        raise JsonTextError(text, end, _explain(text, end, "text after the end of the value"))
    return root


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _scan_value(text: str, at: int, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise JsonTextError(text, at, f"nested more than {MAX_DEPTH} levels deep")
    first = text[at : at + 1]
    if first == "{":
        return _scan_container(text, at, depth, closing="}")
    if first == "[":
        return _scan_container(text, at, depth, closing="]")
    if first == '"':
        end = _scan_string(text, at)
        return Node("string", at, end, json.loads(text[at:end]))
    for kind, pattern in (("number", _NUMBER), ("word", _WORD)):
        found = pattern.match(text, at)
        if found:
            return Node(kind, at, found.end(), found.group())
    raise JsonTextError(text, at, _explain(text, at, "expected a value"))


def _scan_container(text: str, at: int, depth: int, *, closing: str) -> Node:
    children: list[Child] = []
    kind = "object" if closing == "}" else "array"
    here = _skip(text, at + 1)
    while text[here : here + 1] != closing or children:
        child = _scan_member(text, here, depth) if kind == "object" else _scan_item(text, here, depth)
        children.append(child)
        here = _skip(text, child.node.end)
        mark = text[here : here + 1]
        if mark == closing:
            break
        if mark != ",":
            raise JsonTextError(text, here, _explain(text, here, f"expected ',' or '{closing}'"))
        comma = here
        here = _skip(text, here + 1)
        if text[here : here + 1] == closing:
            raise JsonTextError(text, comma, f"a comma before '{closing}' (trailing comma)")
    return Node(kind, at, here + 1, children=tuple(children))


def _scan_item(text: str, at: int, depth: int) -> Child:
    return Child(at, _scan_value(text, at, depth + 1))


def _scan_member(text: str, at: int, depth: int) -> Child:
    if text[at : at + 1] != '"':
        raise JsonTextError(text, at, _explain(text, at, "expected a key in double quotes"))
    key_end = _scan_string(text, at)
    colon = _skip(text, key_end)
    if text[colon : colon + 1] != ":":
        raise JsonTextError(text, colon, _explain(text, colon, "expected ':' after the key"))
    node = _scan_value(text, _skip(text, colon + 1), depth + 1)
    return Child(at, node, json.loads(text[at:key_end]), key_end)


def _scan_string(text: str, at: int) -> int:
    found = _STRING.match(text, at)
    if not found:
        raise JsonTextError(
            text, at, "a string that is not closed, or has a bad escape or a line break in it"
        )
    return found.end()


def _explain(text: str, at: int, otherwise: str) -> str:
    if text.startswith(("//", "/*", "#"), at):
        return "a comment (the client does not accept comments here)"
    return "the text ends too early" if at >= len(text) else otherwise
