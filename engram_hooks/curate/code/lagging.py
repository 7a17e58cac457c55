"""Whether an index stands at the commit that is checked out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.curate.code.repository import open_for_reading, repository_with
from engram_hooks.errors import EngramError
from engram_hooks.paths import head_commit
from engram_hooks.store.index_commits import read_fact

if TYPE_CHECKING:
    from engram_hooks.memory import Engram


def find_lag(memory: Engram, file: str = "") -> str:
    """The commit at which the index here (or that of a file as typed) stands, where another one is checked out.

    '' where they are the same, there is no index, or the files of git do not tell what is checked out.
    """
    try:
        repository = repository_with(memory, file or ".")
        db = open_for_reading(repository)
    except EngramError:
        return ""
    try:
        indexed = read_fact(db, "symbols_head")
    finally:
        db.close()
    return indexed if indexed and head_commit(repository.root) not in ("", indexed) else ""
