"""Which language a file is written in, by its name or its first line."""

from __future__ import annotations

import re

# A language is named as in `syntax.structure.PARSERS`.
_BY_SUFFIX = {
    suffix: language
    for language, suffixes in {
        "python": "py pyi pyw pyx bzl",
        "javascript": "js jsx mjs cjs es6",
        "typescript": "ts mts cts",
        "tsx": "tsx",
        "go": "go",
        "rust": "rs",
        "java": "java",
        "c": "c h",
        "cpp": "cc cpp cxx c++ hh hpp hxx h++ ipp inl tpp cu cuh mm m",
        "csharp": "cs csx",
        "ruby": "rb rake gemspec ru podspec",
        "php": "php php5 phtml inc",
        "kotlin": "kt kts",
        "swift": "swift",
        "scala": "scala sc sbt",
        "shell": "sh bash zsh ksh bats dash",
    }.items()
    for suffix in suffixes.split()
}
_BY_NAME = {
    "rakefile": "ruby",
    "gemfile": "ruby",
    "vagrantfile": "ruby",
    "podfile": "ruby",
    "fastfile": "ruby",
    "sconstruct": "python",
    "sconscript": "python",
    "wscript": "python",
    ".bashrc": "shell",
    ".zshrc": "shell",
    ".profile": "shell",
    "configure": "shell",
}
_BY_PROGRAM = {
    "python": "python",
    "pypy": "python",
    "node": "javascript",
    "nodejs": "javascript",
    "deno": "typescript",
    "bun": "typescript",
    "ts-node": "typescript",
    "ruby": "ruby",
    "php": "php",
    "scala": "scala",
    "sh": "shell",
    "bash": "shell",
    "zsh": "shell",
    "ksh": "shell",
    "dash": "shell",
    "ash": "shell",
    "bats": "shell",
}
_SHEBANG = re.compile(r"\ufeff?#!\s*(\S+)(.*)")
_VERSION = re.compile(r"[\d.]+$")


def language_of(path: str, first_line: str = "") -> str:
    """Return the name of the language of a file, or "" when unknown.

    path: with `/`; only the last part counts. first_line: read for `#!` when the name tells nothing.
    """
    name = path.rsplit("/", 1)[-1].lower()
    found = _BY_NAME.get(name)
    if found is None and "." in name:
        found = _BY_SUFFIX.get(name.rsplit(".", 1)[1])
    return found or _program_language(first_line)


def _program_language(first_line: str) -> str:
    """Return the language of the program that a `#!` line starts."""
    match = _SHEBANG.match(first_line)
    if match is None:
        return ""
    words = [match[1], *match[2].split()]
    program = words[0].rsplit("/", 1)[-1]
    if program == "env":
        program = next((word for word in words[1:] if not word.startswith("-") and "=" not in word), "")
    return _BY_PROGRAM.get(_VERSION.sub("", program), "")
