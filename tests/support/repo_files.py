"""The files of the repository, as version control sees them."""

from __future__ import annotations

import ast
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "engram_hooks"


def list_files() -> list[Path]:
    """Return every file that a clone holds or that could be added to it."""
    argv = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(argv, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def read_texts() -> dict[str, str]:
    """Return the text of every file by its name in the repository; binary files are left out."""
    texts = {}
    for path in list_files():
        try:
            texts[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    return texts


def parse_modules(folder: str) -> dict[str, ast.Module]:
    """Return the syntax tree of each Python file under a top folder, by its name in the repository."""
    return {
        name: ast.parse(text, name)
        for name, text in read_texts().items()
        if name.startswith(folder) and name.endswith(".py")
    }


def module_name(file_name: str) -> str:
    """Return the import name of a file of the package: `a/b/__init__.py` is `a.b`."""
    return file_name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
