"""What changes along, and what a repository is like, as commands and the facade ask it."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from engram_hooks.curate.code.repository import find_repository, open_kept, repository_with
from engram_hooks.paths import home_dir

if TYPE_CHECKING:
    from engram_hooks.history.couplings import Couplings
    from engram_hooks.history.inspection import Inspection
    from engram_hooks.memory import Engram


def cochange_here(
    memory: Engram, file: str | os.PathLike[str], k: int = 10, *, symbol: str | None = None
) -> Couplings:
    """The `k` files that change along with a file, best first; with a symbol of it files and symbols.

    The file may be one of another repository. Raises `EngramError` where there is no index, or for what it does
    not know.
    """
    from engram_hooks.history.couplings import tell_couplings
    from engram_hooks.history.places import locate

    here = repository_with(memory, os.fspath(file))
    path = locate(os.fspath(file), cwd=memory.cwd, root=here.root, home=home_dir(here.environ))
    return tell_couplings(open_kept(memory, here), path, symbol, limit=k)


def inspect_here(memory: Engram) -> Inspection:
    """What the index of the repository here holds: couplings, load-bearing files, churn, its size and age.

    Raises `EngramError` where there is none.
    """
    from engram_hooks.history.inspection import inspect
    from engram_hooks.store.index_files import index_path

    here = find_repository(memory.db, memory.data, memory.project_id, memory.root, environ=memory.environ)
    path = index_path(here.data, here.project_uid)
    return inspect(open_kept(memory, here), path, now_ms=time.time_ns() // 1_000_000)
