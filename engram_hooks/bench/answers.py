"""What the facade answers, as plain lists of commits and paths."""

from __future__ import annotations

from engram_hooks.bench.scores import Partners
from engram_hooks.memory import Engram

DEPTH = 10
MAX_SPOKEN = 5


def ask_why(memory: Engram, question: str) -> tuple[list[str], list[str]]:
    """(hashes of commits, paths), best first."""
    answer = memory.why(question, k=DEPTH)
    return [one.hash for one in answer.commits], [one.path for one in answer.files]


def ask_preflight(memory: Engram, path: str, symbol: str) -> list[str]:
    """The hashes of the commits that a warning about a function names, most important first."""
    return [flag.commit for flag in memory.preflight(path, symbol).findings.flags]


def ask_cochange(memory: Engram, path: str) -> Partners:
    """What is told of a file's partners."""
    rows = memory.cochange(path, k=DEPTH).files
    spoken = [row.path for row in rows if row.speaks]
    hidden = frozenset(row.path for row in rows if row.is_hidden)
    return Partners([row.path for row in rows], spoken[:MAX_SPOKEN], hidden)
