"""A question to a repository's history: checked, then asked of its index with what meaning there is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engram_hooks.curate.code.repository import Repository, open_kept
from engram_hooks.embed.encode import BUNDLED_PATH, Table
from engram_hooks.embed.nearest import is_off
from engram_hooks.errors import UsageError
from engram_hooks.guard.firewall import strip_hidden
from engram_hooks.history.why import WhyAnswer, answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engram_hooks.memory import Engram

MAX_QUERY_CHARS = 20_000
MAX_ANSWERS = 100
_EXAMPLE = 'engram why "retry sends the order twice"'


def ask(memory: Engram, repository: Repository, query: str, *, k: int) -> WhyAnswer:
    """The answer of a repository's index to a question.

    Raises `UsageError` for a question without a word, or one too long, or a `k` outside 1 to 100; `EngramError`
    where there is no index.
    """
    text = check_query(query)
    if not 1 <= k <= MAX_ANSWERS:
        raise UsageError(f"there is no giving {k} answers", hint=f"-k from 1 to {MAX_ANSWERS}")
    db = open_kept(memory, repository)
    table = _open_table(memory.environ)
    try:
        return answer(db, text, k=k, table=table)
    finally:
        if table is not None:
            table.close()


def check_query(query: str) -> str:
    """A question as it may be searched for: escapes and invisible characters go. Raises `UsageError`."""
    if len(query) > MAX_QUERY_CHARS:
        raise UsageError(
            f"the question is too long: {len(query):,} characters, at most {MAX_QUERY_CHARS:,}",
            hint="give the error message alone",
        )
    text = strip_hidden(query).strip()
    if not any(char.isalnum() for char in text):
        raise UsageError("the question has no word to search for", hint=_EXAMPLE)
    return text


def _open_table(environ: Mapping[str, str]) -> Table | None:
    """What encodes meaning; None where it is switched off or not there."""
    if is_off(environ):
        return None
    try:
        return Table(BUNDLED_PATH)
    except (OSError, ValueError):
        return None
