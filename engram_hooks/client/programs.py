"""Which program the name `engram` starts: ours, or another of the same name."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

OWN_PACKAGE = b"engram_hooks"


def find_foreign_engram(search_path: str, *, python: str = sys.executable) -> str:
    """The first program called engram on `search_path` where it is another tool; '' where it is ours or none.

    Ours lies beside the interpreter, or is a script that names the package.
    """
    found = shutil.which("engram", path=search_path)
    if found is None:
        return ""
    folders = {os.path.dirname(path) for path in (python, os.path.realpath(python))}
    if os.path.dirname(os.path.abspath(found)) in folders:
        return ""
    try:
        with Path(found).open("rb") as file:
            return "" if OWN_PACKAGE in file.read(1 << 20) else found
    except OSError:
        return found
