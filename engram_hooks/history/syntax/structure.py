"""The structural parser: symbols of a source by its literals, brackets and words alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engram_hooks.history.syntax.assembly import Declaration, Symbol, build_symbols
from engram_hooks.history.syntax.cfamily import find_c, find_csharp, find_java
from engram_hooks.history.syntax.golang import find_go
from engram_hooks.history.syntax.javascript import find_javascript, find_typescript
from engram_hooks.history.syntax.javascript_mask import mask_javascript
from engram_hooks.history.syntax.keywords import find_kotlin, find_php, find_rust, find_scala, find_swift
from engram_hooks.history.syntax.literals import RULES
from engram_hooks.history.syntax.masking import mask
from engram_hooks.history.syntax.preprocessor import blank_directives
from engram_hooks.history.syntax.ruby import find_ruby
from engram_hooks.history.syntax.ruby_mask import mask_ruby
from engram_hooks.history.syntax.shell import find_shell, mask_shell
from engram_hooks.history.syntax.source import Source, read_source

Finder = Callable[[Source], Iterator[Declaration]]
Masker = Callable[[str], str]

_MASKERS: dict[str, Masker] = {
    "javascript": mask_javascript,
    "typescript": mask_javascript,
    "tsx": mask_javascript,
    "ruby": mask_ruby,
    "shell": mask_shell,
}
_FINDERS: dict[str, Finder] = {
    "ruby": find_ruby,
    "shell": find_shell,
    "c": find_c,
    "cpp": find_c,
    "java": find_java,
    "csharp": find_csharp,
    "javascript": find_javascript,
    "typescript": find_typescript,
    "tsx": find_typescript,
    "go": find_go,
    "rust": find_rust,
    "php": find_php,
    "kotlin": find_kotlin,
    "scala": find_scala,
    "swift": find_swift,
}
_PREPROCESSED = {"c", "cpp", "csharp"}
PARSED = frozenset(_FINDERS)


def parse_structure(language: str, text: str) -> list[Symbol]:
    """Return the symbols of a source, [] for a language that has no finder; time is linear in the text."""
    finder = _FINDERS.get(language)
    if finder is None:
        return []
    masked = mask_source(language, text)
    code = blank_directives(masked) if language in _PREPROCESSED else masked
    return build_symbols(text, masked, finder(read_source(text, code)))


def mask_source(language: str, text: str) -> str:
    """Return a text of the same length with blanks for the comments and the insides of literals."""
    masker = _MASKERS.get(language)
    return masker(text) if masker else mask(text, RULES[language])
