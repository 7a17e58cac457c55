"""Small sources with what misleads a parser, and the symbols that are in them."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).with_name("sources")


def _read(path: Path) -> tuple[str, str]:
    listed = path.with_name(path.name + ".symbols")
    return path.read_text("utf-8"), listed.read_text("utf-8")


# Name of a file -> its text, and "qualified kind line-end" of each symbol, one a line.
FIXTURES: dict[str, tuple[str, str]] = {
    path.name: _read(path) for path in sorted(_FOLDER.iterdir()) if path.suffix != ".symbols"
}
