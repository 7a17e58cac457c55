"""Reading the tables of this folder: lines of fields between bars, `#` for remarks."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def read_table(name: str, columns: int) -> list[list[str]]:
    """The rows of a table, each with `columns` fields, missing ones empty."""
    rows = []
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            fields = [field.strip() for field in line.split("|")]
            rows.append((fields + [""] * columns)[:columns])
    return rows
