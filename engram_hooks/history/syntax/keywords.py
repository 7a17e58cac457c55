"""Declarations of languages where a keyword opens each: Rust, PHP, Kotlin, Scala, Swift."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram_hooks.history.syntax.assembly import Declaration
from engram_hooks.history.syntax.source import (
    Body,
    Source,
    declaration_start,
    find_body,
    line_indent,
    name_at,
    skip_spaces,
)

_WORD = re.compile(r"\w+")
_GENERIC = re.compile(r"<[^<>]*>")
_RUST = re.compile(
    r"\b(?:(fn|struct|enum|union|trait|mod)\s+(?:r#)?(\w+)|(impl)\b(?=[\s<])|(macro_rules)!\s*(\w+)\s*[({\[])"
)
_PHP = re.compile(r"(?<![\w$>:\\])(function\b\s*&?|(?:class|interface|trait|enum)(?=[\s(]))\s*(\w*)")
_KOTLIN = re.compile(
    r"(?<![\w.:@])(?:(fun)\s+(?!interface\b)(?=[\w`<(@])|(class|interface|object)\b\s*(`[^`\n]*`|\w*)|(constructor)\s*\()"
)
_KOTLIN_FUN = re.compile(r"(?:[\w.?@`<>, *:]|\n\s*)*?(`[^`\n]*`|\w+)\s*\(")
_KOTLIN_PRIMARY = re.compile(r"\s*(?:(?:@[\w.:]+(?:\([^()]*\))?|\w+)\s+){0,8}?constructor\s*\(")
_SCALA = re.compile(
    r"(?<![\w.$`])(?:(def)\s+(`[^`\n]*`|\w*_[^\w\s(\[:]+|\w+|[^\w\s(\[{;,.`\"']+)"
    r"|(class|trait|object|enum)\s+(`[^`\n]*`|\w+))"
)
_SWIFT = re.compile(
    r"(?<![\w.`])(?:(func)\s+(`\w+`|\w+|[^\w\s({,;]+?(?=\s*(?:<\w|\()))|(init)[?!]?\s*(?=[(<])|(deinit)\s*(?=\{)|(subscript)\s*(?=[(<])"
    r"|(class|struct|enum|protocol|extension|actor)\s+(?!(?:func|var|let|override|subscript|final|private|init)\b)"
    r"\[?([\w.]+|`\w+`))"
)
_KINDS = {"union": "struct", "protocol": "interface", "mod": "module", "actor": "class", "def": "function"}


def find_rust(source: Source) -> Iterator[Declaration]:
    """Yield functions, types, traits, modules; `impl` blocks give their type's name to what is inside."""
    masked, macro_end = source.masked, -1
    for found in _RUST.finditer(masked):
        at = found.start()
        if at < macro_end:
            continue
        if found[4]:
            end = source.closers.get(found.end() - 1)
            macro_end = end or macro_end
            if end:
                yield Declaration(declaration_start(masked, at), end, found[5], "macro")
            continue
        start = declaration_start(masked, at)
        if found[3]:
            body = find_body(source, found.end(), indent=-1)
            if body.kind == "block" and _is_impl_start(masked[start:at]):
                yield Declaration(start, body.end, read_impl_name(masked[found.end() : body.start]), "scope")
            continue
        body = _rust_body(source, found.end())
        keyword = found[1]
        if body.kind == "none" and (keyword == "mod" or masked[body.end : body.end + 1] != ";"):
            continue
        kind = "function" if keyword == "fn" else _KINDS.get(keyword, keyword)
        yield Declaration(start, body.end, found[2], kind)


def _is_impl_start(before: str) -> bool:
    return not before or not set(before.split()) - {"unsafe", "default", "const"}


def _rust_body(source: Source, place: int) -> Body:
    """Return the block or the semicolon that ends an item, whatever lines it spans."""
    return find_body(source, place, indent=-1)


def read_impl_name(head: str) -> str:
    """Return the name of the type of an `impl` head: `<T> Show for a::Pair<T> where ...` is Pair."""
    head = head.replace("->", "  ").replace("=>", "  ")[:2_000]
    for _ in range(12):
        head, changes = _GENERIC.subn(" ", head)
        if not changes:
            break
    head = re.split(r"\bwhere\b", head, maxsplit=1)[0]
    head = re.split(r"\bfor\b(?!\s*<)", head)[-1]
    words = [word for word in _WORD.findall(head) if word not in {"mut", "dyn", "const"}]
    return words[-1] if words else ""


def find_php(source: Source) -> Iterator[Declaration]:
    """Yield functions, methods and types; what is in an anonymous class belongs to what is around it."""
    masked = source.masked
    for found in _PHP.finditer(masked):
        keyword = "function" if found[1].startswith("function") else found[1]
        name = found[2]
        if not name and keyword != "class":
            continue
        if keyword != "function" and name in {"extends", "implements"}:
            name = ""
        start = declaration_start(masked, found.start())
        body = find_body(source, found.end(), indent=-1)
        if keyword == "function":
            if masked.startswith("(", skip_spaces(masked, found.end())):
                yield Declaration(start, body.end, name, "function")
        elif body.kind == "block":
            yield Declaration(start, body.end, name, keyword if name else "pass")


def find_kotlin(source: Source) -> Iterator[Declaration]:
    """Yield functions, constructors and types; companions and anonymous objects give no name."""
    masked, text, primary = source.masked, source.text, -1
    for found in _KOTLIN.finditer(masked):
        start = declaration_start(masked, found.start())
        indent = line_indent(masked, found.start())
        if found[1]:
            head = _KOTLIN_FUN.match(masked, _skip_generics(masked, found.end()))
            if head is None:
                continue
            body = find_body(source, head.end() - 1, indent=indent, expressions=True)
            yield Declaration(start, body.end, name_at(text, head.span(1)), "function")
        elif found[4]:
            if found.end() == primary:
                continue
            body = find_body(source, found.end() - 1, indent=indent)
            yield Declaration(start, body.end, "constructor", "function")
        else:
            name = name_at(text, found.span(3))
            if not name and masked.startswith((",", ")"), skip_spaces(masked, found.end())):
                continue
            head = _KOTLIN_PRIMARY.match(masked, _skip_generics(masked, skip_spaces(masked, found.end())))
            primary = head.end() if head else -1
            body = find_body(source, head.end() - 1 if head else found.end(), indent=indent)
            anonymous = found[2] == "object" and (not name or "companion" in masked[start : found.start()])
            kind = "enum" if "enum" in masked[start : found.start()].split() else found[2]
            yield Declaration(start, body.end, name, "pass" if anonymous else kind)


def _skip_generics(masked: str, place: int) -> int:
    """Return the offset behind `<...>` and blanks at an offset."""
    if masked[place : place + 1] != "<":
        return place
    depth = 0
    for at in range(place, min(len(masked), place + 1_000)):
        depth += {"<": 1, ">": -1}.get(masked[at], 0) if masked[at - 1 : at + 1] != "->" else 0
        if not depth:
            return skip_spaces(masked, at + 1)
    return place


def find_scala(source: Source) -> Iterator[Declaration]:
    """Yield functions and types, in braces or by indent."""
    masked, text = source.masked, source.text
    for found in _SCALA.finditer(masked):
        start = declaration_start(masked, found.start())
        indent = line_indent(masked, found.start())
        name = name_at(text, found.span(2) if found[1] else found.span(4))
        body = find_body(source, found.end(), indent=indent, expressions=bool(found[1]))
        yield Declaration(start, body.end, name, "function" if found[1] else found[3])


def find_swift(source: Source) -> Iterator[Declaration]:
    """Yield functions, initialisers, subscripts and types; extensions give their type's name."""
    masked, text = source.masked, source.text
    for found in _SWIFT.finditer(masked):
        start = declaration_start(masked, found.start())
        indent = line_indent(masked, found.start())
        keyword = found[6] or ""
        body = find_body(source, found.end(), indent=indent)
        if keyword:
            if body.kind == "block":
                name = found[7].rsplit(".", 1)[-1].strip("`")
                kind = "scope" if keyword == "extension" else _KINDS.get(keyword, keyword)
                yield Declaration(start, body.end, name, kind)
            continue
        name = name_at(text, found.span(2)) if found[1] else (found[3] or found[4] or found[5])
        yield Declaration(start, body.end, name, "function")
