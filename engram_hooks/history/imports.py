"""What a source file names as its imports."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from engram_hooks.history.import_links import PathIndex, link
from engram_hooks.history.languages import language_of
from engram_hooks.history.late import LatePattern
from engram_hooks.history.syntax.python import mask_python
from engram_hooks.history.syntax.structure import mask_source

__all__ = ["PathIndex", "imports_of", "link"]

MAX_IMPORT_CHARS = 2_000_000
_PYTHON = LatePattern(
    r"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]*(\([^)]*|(?:\\\r?\n|[^\n;])+)"
    r"|import[ \t]+((?:\\\r?\n|[^\n;])+))",
    re.M,
)
_WORD = LatePattern(r"[\w.]+")
_SCRIPT = LatePattern(r"(?<![\w$.])(?:from|import|(?:require|import)\s*\()\s*([\"'`])(\s*)\1")
_GO = LatePattern(r"^import[ \t]*(?:(\()|(?:[\w.]+[ \t]+)?[\"`])", re.M)
_QUOTED = LatePattern(r"[\"`]([^\"`\n]+)[\"`]")
_RUST = LatePattern(r"^[ \t]*(?:pub(?:\([^)]*\))?[ \t]+)?(?:use\s+([^;]{1,4000});|mod\s+(\w+)\s*;)", re.M)
_DOTTED = LatePattern(r"^[ \t]*import\s+(?:static\s+)?(\w+(?:\.\w+)*(?:\.\*|\.\{[^}\n]*\})?)", re.M)
_INCLUDE = LatePattern(r"^[ \t]*#[ \t]*(?:include|import)[ \t]*[\"<]([^\">\n]+)[\">]", re.M)
_RUBY = LatePattern(
    r"(?<![\w.])(require|require_relative|load|autoload)\b[ \t(]*(?::\w+,[ \t]*)?[\"']([^\"'#\n]+)[\"']"
)
_PHP_USE = LatePattern(r"^[ \t]*use\s+(?:function\s+|const\s+)?\\?([\w\\]+)(?:\{([^}]*)\})?", re.M)
_PHP_FILE = LatePattern(r"\b(?:require|include)(?:_once)?\b[^;\n]*?[\"']([^\"'\n]+)[\"']")
_SHARP = LatePattern(r"^[ \t]*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;", re.M)
_SHELL = LatePattern(r"^[ \t]*(?:source|\.)[ \t]+[\"']?(?:\$\{?\w+\}?/|\$\([^)\n]*\)/)?([\w./-]+)", re.M)


def imports_of(path: str, text: str) -> set[str]:
    """Return the names of modules and files that a source imports, as its language writes them.

    Relative ones keep their dots (`.a.b` of Python, `./a`), Rust's begin with crate, self or super where they do,
    includes lose their quotes. Never raises; {} for unknown languages. `link` says which files of the
    repository they are.
    """
    language = language_of(path, text[: text.find("\n")] if text.startswith("#!") else "")
    finder = _FINDERS.get(language)
    return set() if finder is None else {name for name in finder(text[:MAX_IMPORT_CHARS]) if name}


def _python(text: str) -> Iterator[str]:
    for found in _PYTHON.finditer(mask_python(text)):
        names = found[2] or found[3]
        for part in names.split(","):
            word = _WORD.search(part)
            if found[1] and (word or "*" in part):
                yield _joined(found[1], word[0] if word else "*")
            elif word:
                yield word[0]


def _joined(module: str, name: str) -> str:
    """Return `module.name`; a star is the module alone."""
    if name == "*":
        return module
    return module + name if module.endswith(".") else f"{module}.{name}"


def _script(text: str) -> Iterator[str]:
    masked = mask_source("typescript", text)
    return (text[found.start(2) : found.end(2)] for found in _SCRIPT.finditer(masked))


def _go(text: str) -> Iterator[str]:
    masked = mask_source("go", text)
    for found in _GO.finditer(masked):
        end = masked.find(")" if found[1] else "\n", found.end())
        end = len(text) if end < 0 else end
        for quoted in _QUOTED.finditer(masked, found.start(), end):
            yield text[quoted.start(1) : quoted.end(1)]


def _rust(text: str) -> Iterator[str]:
    for found in _RUST.finditer(mask_source("rust", text)):
        if found[2]:
            yield f"self::{found[2]}"
        else:
            yield from _expand(
                "".join(found[1].split(" as ")[0].split()) if "{" not in found[1] else found[1]
            )


def _expand(use: str) -> Iterator[str]:
    """Yield the paths of a `use`: `a::{b, c::{d}}` is a::b and a::c::d."""
    prefixes, word = [""], ""
    for part in re.findall(r"[{},]|[^{},]+", use):
        if part == "{":
            prefixes.append(prefixes[-1] + word)
            word = ""
        elif part in {",", "}"}:
            if word:
                yield _rust_path(prefixes[-1] + word)
            word = ""
            if part == "}" and len(prefixes) > 1:
                prefixes.pop()
        else:
            word = re.split(r"\s+as\s+", part.strip())[0]
    if word:
        yield _rust_path(prefixes[-1] + word)


def _rust_path(path: str) -> str:
    return path.removeprefix("::").removesuffix("::*").removesuffix("::self")


def _dotted(language: str) -> Callable[[str], Iterator[str]]:
    def find(text: str) -> Iterator[str]:
        for found in _DOTTED.finditer(mask_source(language, text)):
            module, brace, names = found[1].partition(".{")
            if brace:
                yield from (f"{module}.{name.split('=>')[0].strip()}" for name in names.strip("}").split(","))
            else:
                yield module.removesuffix("._").removesuffix(".*")

    return find


def _include(text: str) -> Iterator[str]:
    return (found[1].strip() for found in _INCLUDE.finditer(text))


def _ruby(text: str) -> Iterator[str]:
    for found in _RUBY.finditer(text):
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
        if "#" not in line:
            relative = found[1] == "require_relative" and not found[2].startswith(".")
            yield f"./{found[2]}" if relative else found[2]


def _php(text: str) -> Iterator[str]:
    masked = mask_source("php", text)
    for found in _PHP_USE.finditer(masked):
        if found[2] is None:
            yield found[1]
        else:
            yield from (
                found[1] + name.split(" as ")[0].strip() for name in found[2].split(",") if name.strip()
            )
    for found in _PHP_FILE.finditer(text):
        if masked[found.start() : found.start() + 3].strip():
            yield f"./{found[1].lstrip('/')}"


def _sharp(text: str) -> Iterator[str]:
    return (found[1] for found in _SHARP.finditer(mask_source("csharp", text)))


def _shell(text: str) -> Iterator[str]:
    return (f"./{found[1].removeprefix('./').lstrip('/')}" for found in _SHELL.finditer(text))


_FINDERS: dict[str, Callable[[str], Iterator[str]]] = {
    "python": _python,
    "javascript": _script,
    "typescript": _script,
    "tsx": _script,
    "go": _go,
    "rust": _rust,
    "java": _dotted("java"),
    "kotlin": _dotted("kotlin"),
    "scala": _dotted("scala"),
    "c": _include,
    "cpp": _include,
    "ruby": _ruby,
    "php": _php,
    "csharp": _sharp,
    "shell": _shell,
}
