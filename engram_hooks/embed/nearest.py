"""The records nearest in meaning to a text, as hooks find them: open the table, encode, scan."""

from __future__ import annotations

import os

from engram_hooks.embed.encode import BUNDLED_PATH, Table, normalise
from engram_hooks.embed.planes import search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from engram_hooks.embed.planes import Keep, Segment, TailRow

    class Scan(Protocol):
        """What `store.vectors.open_scan` gives."""

        @property
        def model(self) -> tuple[int, str, str, int, bool, bool]:
            """(id, name, fingerprint, dims, whether hooks can encode with it, whether it answers)."""

        @property
        def segments(self) -> Sequence[Segment]:
            """What is sealed."""

        @property
        def tail(self) -> Sequence[TailRow]:
            """What is not."""

        @property
        def keep(self) -> Keep:
            """Which of the records found may be told."""


BUNDLED = "bundled"
# start of the SHA-256 of the table in this package, and how texts of records are put together for it: another
# one is another model, whose vectors are made anew
BUNDLED_FINGERPRINT = "8137141f290080f5-1"
FOLDER = "models"
MAX_QUERY_TOKENS = 128
SWITCH = "ENGRAM_EMBED"


def is_off(environ: Mapping[str, str]) -> bool:
    """Whether meaning is switched off: `ENGRAM_EMBED=off`."""
    return environ.get(SWITCH, "").strip().lower() in ("off", "0", "no", "false")


def find_table(name: str, fingerprint: str, data: str) -> str:
    """The file of a model that hooks can encode with; '' where this package does not bring it."""
    if name != BUNDLED:
        return os.path.join(data, FOLDER, f"{fingerprint}.bin")
    return BUNDLED_PATH if fingerprint == BUNDLED_FINGERPRINT else ""


def find_nearest(text: str, scan: Scan, data: str, *, limit: int) -> dict[int, float]:
    """At most `limit` records by id with their cosines, best first.

    Empty where the model that answers is not for hooks, its table is gone, or no word of the text is known.
    """
    if not scan.segments and not scan.tail:
        return {}
    _, name, fingerprint, dims, is_hot, _ = scan.model
    path = find_table(name, fingerprint, data) if is_hot else ""
    if not path:
        return {}
    try:
        table = Table(path)
    except (OSError, ValueError):
        return {}
    query = normalise(table.encode(text, max_tokens=MAX_QUERY_TOKENS)) if table.dims == dims else []
    table.close()
    if not query:
        return {}
    return dict(search(query, scan.segments, scan.tail, limit=limit, keep=scan.keep))
