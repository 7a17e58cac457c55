"""From the name of a file as people type it to its path inside the repository."""

from __future__ import annotations

import os
from unicodedata import normalize

from engram_hooks.errors import EngramError


def locate(file: str, *, cwd: str, root: str, home: str = "") -> str:
    """The path of a file relative to `root`, with `/` between its parts.

    `file` may be relative to `cwd`, absolute or begin with `~`; it need not exist. A link is itself, what leads
    to its folder is followed. Raises `EngramError` where it is outside.
    """
    name = os.path.join(home, file[2:]) if file.startswith("~/") and home else file
    folder, last = os.path.split(os.path.normpath(os.path.join(cwd, name)))
    whole = os.path.join(os.path.realpath(folder), last)
    if whole.startswith(f"{root}{os.sep}"):  # then the root is without links, too
        return whole[len(root) + 1 :].replace(os.sep, "/")
    path = os.path.relpath(whole, os.path.realpath(root))
    if path == os.pardir or path.startswith(os.pardir + os.sep) or os.path.isabs(path):
        raise EngramError(f"{file} is outside the repository at {root}")
    return path.replace(os.sep, "/")


def spellings(path: str) -> tuple[str, ...]:
    """A path, then the other ways to write its accents."""
    if path.isascii():
        return (path,)
    try:
        return tuple(dict.fromkeys((path, normalize("NFC", path), normalize("NFD", path))))
    except UnicodeError:
        return (path,)
