"""The structural parser: symbols of a source by its literals, brackets and words alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import cast

from engram_hooks.history.syntax.assembly import Declaration, Symbol, build_symbols
from engram_hooks.history.syntax.masking import mask
from engram_hooks.history.syntax.source import Source, read_source

Finder = Callable[[Source], Iterator[Declaration]]
Masker = Callable[[str], str]

# language: (module, function); the patterns of all languages take longer to compile than a file to read
_MASKERS = {
    "javascript": ("javascript_mask", "mask_javascript"),
    "typescript": ("javascript_mask", "mask_javascript"),
    "tsx": ("javascript_mask", "mask_javascript"),
    "ruby": ("ruby_mask", "mask_ruby"),
    "shell": ("shell", "mask_shell"),
}
_FINDERS = {
    "ruby": ("ruby", "find_ruby"),
    "shell": ("shell", "find_shell"),
    "c": ("cfamily", "find_c"),
    "cpp": ("cfamily", "find_c"),
    "java": ("cfamily", "find_java"),
    "csharp": ("cfamily", "find_csharp"),
    "javascript": ("javascript", "find_javascript"),
    "typescript": ("javascript", "find_typescript"),
    "tsx": ("javascript", "find_typescript"),
    "go": ("golang", "find_go"),
    "rust": ("keywords", "find_rust"),
    "php": ("keywords", "find_php"),
    "kotlin": ("keywords", "find_kotlin"),
    "scala": ("keywords", "find_scala"),
    "swift": ("keywords", "find_swift"),
}
_PREPROCESSED = {"c", "cpp", "csharp"}
PARSED = frozenset(_FINDERS)


def parse_structure(language: str, text: str) -> list[Symbol]:
    """Return the symbols of a source, [] for a language that has no finder; time is linear in the text."""
    if language not in _FINDERS:
        return []
    finder = cast("Finder", _load(*_FINDERS[language]))
    masked = mask_source(language, text)
    return build_symbols(text, masked, finder(read_source(text, _blank_directives(language, masked))))


def mask_source(language: str, text: str) -> str:
    """Return a text of the same length with blanks for the comments and the insides of literals."""
    if language in _MASKERS:
        return cast("Masker", _load(*_MASKERS[language]))(text)
    from engram_hooks.history.syntax.literals import RULES

    return mask(text, RULES[language])


def _blank_directives(language: str, masked: str) -> str:
    if language not in _PREPROCESSED:
        return masked
    from engram_hooks.history.syntax.preprocessor import blank_directives

    return blank_directives(masked)


def _load(module: str, function: str) -> object:
    return getattr(import_module(f"engram_hooks.history.syntax.{module}"), function)
