"""What the minder finds for a prompt: candidates by words and by meaning, judged. Hooks and commands share it."""

from __future__ import annotations

from engram_hooks.embed.nearest import is_off
from engram_hooks.recall.branches import weigh
from engram_hooks.recall.rank import score
from engram_hooks.recall.route import extract_question, find_folders, find_intent, plan
from engram_hooks.store.boot import matching_records, told_records
from engram_hooks.store.matching import count_documents, count_terms, rarest_terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from sqlite3 import Connection

    from engram_hooks.recall.fields import Row
    from engram_hooks.recall.rank import Scored

MAX_BY_WORDS = 12
# rows that the full text weighs: the rarest words decide, and meaning finds what they miss
MAX_POSTINGS = 1_200
MAX_BY_MEANING = 8
# so many are looked at to know what is usual for this prompt
MAX_NEAREST = 24
# under this probability no record is shown, however eager the minder is and however well the record has done
SPEAKABLE = 0.12


def find(
    db: Connection,
    data: str,
    prompt: str,
    *,
    project_id: int,
    environ: Mapping[str, str],
    branch: str = "",
    also: Sequence[int] = (),
    session_id: int = 0,
    now_ms: int = 0,
) -> list[Scored]:
    """Records of the project and the global layer that a prompt may need, scored, best first.

    `branch` is the one that is checked out; `also` are ids that are judged with them whether or not they are
    found, for explaining. How they were taken before counts as of `now_ms`; the session `session_id` may be one in
    which a record that was ignored has another chance.
    """
    terms, names = plan(prompt)
    asked = list(dict.fromkeys((*names, *terms)))
    counts, total = count_terms(db, "records", asked), count_documents(db, "records")
    chosen = rarest_terms(asked, counts, total, max_postings=MAX_POSTINGS)
    rows = matching_records(db, chosen, project_id=project_id, limit=MAX_BY_WORDS)
    question = extract_question(prompt)
    cosines = find_cosines(db, data, question, project_id=project_id, environ=environ)
    known = {row[0] for row in rows}
    nearest = [one for one in [*list(cosines)[:MAX_BY_MEANING], *also] if one not in known]
    if nearest:
        rows = [*rows, *told_records(db, nearest)]
    if not rows:
        return []
    names += find_folders(names)
    unread = find_unread(db, rows) if cosines else frozenset()
    intent = find_intent(question)
    scored = score(terms, names, rows, df=counts, total=total, cosines=cosines, unread=unread, intent=intent)
    scored = _count_use(db, scored, project_id=project_id, session_id=session_id, now_ms=now_ms)
    return weigh(scored, branch)


def _count_use(
    db: Connection, scored: list[Scored], *, project_id: int, session_id: int, now_ms: int
) -> list[Scored]:
    likely = [row[0] for value, row, _ in scored if value >= SPEAKABLE]
    if not likely:
        return scored
    from engram_hooks.store.shown import read_standings

    use = read_standings(db, project_id, likely)
    if not use:
        return scored
    from engram_hooks.recall.standing import apply_use

    return apply_use(scored, use, now_ms=now_ms, session_id=session_id)


def find_unread(db: Connection, rows: Sequence[Row]) -> frozenset[int]:
    """The records among some rows that wait for a vector."""
    from engram_hooks.store.vectors import waiting_records

    return waiting_records(db, [row[0] for row in rows])


def find_cosines(
    db: Connection,
    data: str,
    question: str,
    *,
    project_id: int,
    environ: Mapping[str, str],
    limit: int = MAX_NEAREST,
) -> dict[int, float]:
    """The records nearest in meaning with their cosines, best first; empty where meaning is off or not ready."""
    if not question or is_off(environ):
        return {}
    from engram_hooks.embed.nearest import find_nearest
    from engram_hooks.store.vectors import open_scan

    scan = open_scan(db, data, (project_id, 0))
    if scan is None:
        return {}
    try:
        return find_nearest(question, scan, data, limit=limit)
    finally:
        scan.close()
