"""Statements and functions of made-up programs, and how they are written in six languages."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

NONE, NOT = "NONE", "NOT "
_SNAKE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)+")


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """How a language writes what we need; in templates {0}, {1} are the words of a statement."""

    name: str
    suffix: str
    is_camel: bool
    comment: str
    indent: str
    none: str
    negation: str
    head: str
    let: str
    end: str
    condition: str
    loop: str
    has_braces: bool = True
    opening: tuple[str, ...] = ()
    closing: tuple[str, ...] = ()


PYTHON = Language(
    *("python", ".py", False, "#", "    ", "None", "not ", "def {0}({1}, limit):"),
    *("{0} = {1}", "", "if {0}:", "for {0} in {1}:"),
    has_braces=False,
)
TYPESCRIPT = Language(
    *("typescript", ".ts", True, "//", "  ", "null", "!"),
    "export function {0}({1}: {2}, limit: number): Outcome {{",
    *("const {0} = {1};", ";", "if ({0}) {{", "for (const {0} of {1}) {{"),
)
GO = Language(
    *("go", ".go", True, "//", "\t", "nil", "!", "func {0}({1} *{2}, limit int) *Outcome {{"),
    *("{0} := {1}", "", "if {0} {{", "for _, {0} := range {1} {{"),
    opening=("package {pkg}", ""),
)
RUST = Language(
    *("rust", ".rs", False, "//", "    ", "None", "!", "pub fn {0}({1}: &{2}, limit: usize) -> Outcome {{"),
    *("let {0} = {1};", ";", "if {0} {{", "for {0} in {1} {{"),
)
JAVA = Language(
    *("java", ".java", True, "//", "    ", "null", "!", "public Outcome {0}({2} {1}, int limit) {{"),
    *("var {0} = {1};", ";", "if ({0}) {{", "for (var {0} : {1}) {{"),
    opening=("package com.example.{pkg};", "", "public class {cls} {{", ""),
    closing=("}",),
)
C = Language(
    *("c", ".c", False, "//", "    ", "NULL", "!", "outcome_t *{0}(struct {1} *{1}, int limit)\n{{"),
    *("long {0} = {1};", ";", "if ({0}) {{", "FOR_EACH({0}, {1}) {{"),
    opening=("#include <stddef.h>", '#include "runtime.h"', ""),
)
LANGUAGES = PYTHON, TYPESCRIPT, GO, RUST, JAVA, C


@dataclass(eq=False, slots=True)
class Statement:
    """One statement: let, do, if (leaves early), each (with a body), note, return; `origin` is a commit's mark."""

    kind: str
    words: tuple[str, ...]
    origin: int
    body: list[Statement] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Routine:
    """A function: `purpose` says what may happen to it (work, sibling, plain, cosmetic, grown, tried)."""

    name: str
    subject: str
    body: list[Statement]
    origin: int
    purpose: str = "work"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, the mark of the commit that wrote it, and the function it is in."""

    text: str
    origin: int
    routine: Routine | None = None


def symbol_of(language: Language, routine: Routine, class_name: str) -> str:
    """The name of a function as people (and the index) write it in its language."""
    name = spell(language, routine.name)
    if language is GO:
        return name[0].upper() + name[1:]
    return f"{class_name}.{name}" if language is JAVA else name


@lru_cache(maxsize=1 << 16)
def spell(language: Language, text: str) -> str:
    """An expression in the conventions of a language."""
    text = text.replace(NOT, language.negation).replace(NONE, language.none)
    if language is C:
        return re.sub(r"\b([a-z_]+)\.([a-z_]+)", r"\1->\2", text)
    return _SNAKE.sub(lambda found: to_camel(found[0]), text) if language.is_camel else text


def to_camel(name: str) -> str:
    """`retry_order` as `retryOrder`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def write_routine(language: Language, routine: Routine, *, indent: str) -> list[Line]:
    """The lines of a function, with `indent` for each level."""
    depth = 1 if language is JAVA else 0
    name = symbol_of(language, routine, "").removeprefix(".")
    typed = "".join(word.capitalize() for word in routine.subject.split("_"))
    head = language.head.format(name, routine.subject, typed)
    lines = [Line(indent * depth + text, routine.origin, routine) for text in head.split("\n")]
    for statement in routine.body:
        lines += _write(language, statement, routine, indent=indent, depth=depth + 1)
    if language.has_braces:
        lines.append(Line(indent * depth + "}", routine.origin, routine))
    return lines


def _write(
    language: Language, statement: Statement, routine: Routine, *, indent: str, depth: int
) -> list[Line]:
    words = [spell(language, word) for word in statement.words]
    pad, origin = indent * depth, statement.origin
    if statement.kind in ("if", "each"):
        head = (language.condition if statement.kind == "if" else language.loop).format(*words)
        lines = [Line(pad + head, origin, routine)]
        if statement.kind == "if":
            lines.append(Line(f"{pad}{indent}return {words[1]}{language.end}", origin, routine))
        for inner in statement.body:
            lines += _write(language, inner, routine, indent=indent, depth=depth + 1)
        return [*lines, Line(pad + "}", origin, routine)] if language.has_braces else lines
    text = {
        "let": language.let,
        "do": "{0}" + language.end,
        "note": language.comment + " {0}",
        "return": "return {0}" + language.end,
    }[statement.kind].format(*words)
    return [Line(pad + text, origin, routine)]
