"""One step on from what a question names: records that speak of the same rare thing, or of what it stands to."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from sqlite3 import Connection

from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.record import Hit, short_id
from engram_hooks.curate.relations.deriving import derive_relations
from engram_hooks.curate.relations.reading import read_record
from engram_hooks.curate.relations.words import normalise_name
from engram_hooks.errors import StoreBusy, StoreReadOnly
from engram_hooks.recall.fields import AT, BRANCH, DETAIL, ID, KIND, SCOPE, SUMMARY
from engram_hooks.store import record_search, relations

# what more records than this speak of stands for the project, not for a matter in it
MAX_DEGREE = 8
# a hit by a relation is no answer: it scores below all that the words of a question find
SCORE = 0.05
_DERIVE_S = 2.0
_MAX_LED = 3  # hits that lead on
_MAX_NAMED = 6
_MAX_WORDS = 3  # of a name that is written without any mark


def recall_related(db: Connection, question: Question, hits: Sequence[Hit]) -> list[Hit]:
    """At most `k` records that hold (at the date asked for) and lie one step beside `hits` or what the question names.

    None of `hits` is among them; `why` names what leads to each as `via`.
    """
    with suppress(StoreReadOnly, StoreBusy):
        derive_relations(db, now_ms=question.now_ms, until=time.monotonic() + _DERIVE_S)
    own = [hit.number for hit in hits if hit.source == "record"]
    led = find_related(db, question.text, project_ids=question.project_ids, hits=own[:_MAX_LED], without=own)
    rows = record_search.read_records(
        db, list(led), project_ids=question.project_ids, as_of_ms=question.as_of_ms
    )
    here = {row[ID]: row for row in rows if row[SCOPE] != "branch" or row[BRANCH] == question.branch}
    return [_make_hit(here[number], led[number]) for number in led if number in here][: question.k]


def find_related(
    db: Connection,
    text: str,
    *,
    project_ids: Sequence[int],
    hits: Sequence[int] = (),
    without: Collection[int] = (),
    max_degree: int = MAX_DEGREE,
) -> dict[int, str]:
    """The records one step away from a question, nearest first, each with the name that leads there.

    First those that speak of a thing that the question names; then those of what stands to it by a relation; then
    those that share a thing with `hits`; none of `without`. Things that more than `max_degree` records speak of lead
    nowhere.
    """
    named = name_things(db, text)
    beside = relations.find_beside(db, named, project_ids=project_ids)
    shared = relations.find_mentioned(db, hits)
    order = list(dict.fromkeys([*named, *beside, *shared]))
    sharers = relations.find_sharers(db, order, project_ids=project_ids, max_records=max_degree)
    return spread(order, sharers, without={*hits, *without})


def spread(
    order: Sequence[str], sharers: Mapping[str, Sequence[tuple[int, str]]], *, without: Collection[int]
) -> dict[int, str]:
    """Records with the name of the first thing of `order` that leads to them; the newest of each first."""
    found: dict[int, str] = {}
    for norm in order:
        for number, name in sorted(sharers.get(norm, ()), reverse=True):
            if number not in without:
                found.setdefault(number, name)
    return found


def name_things(db: Connection, text: str) -> list[str]:
    """The things that a question names: by their shape, or because they are known by these very words."""
    read = [thing.norm for thing in read_record(text).things]
    parts = [part.strip(".,:;?!()\"'") for part in text.split()]
    runs = [
        normalise_name(" ".join(parts[at : at + size]))
        for size in range(_MAX_WORDS, 0, -1)
        for at in range(len(parts) - size + 1)
    ]
    known = relations.find_known(db, [run for run in dict.fromkeys(runs) if len(run) > 2])
    return list(dict.fromkeys([*read, *known]))[:_MAX_NAMED]


def _make_hit(row: record_search.FoundRecord, name: str) -> Hit:
    return Hit(
        id=row[record_search.EXTERNAL_ID] or short_id(row[KIND], row[ID]),
        score=SCORE,
        status="live",
        kind=row[KIND],
        summary=row[SUMMARY],
        source="record",
        why={"via": name},
        detail=row[DETAIL],
        at=row[AT],
        number=row[ID],
        scope=row[SCOPE],
        branch=row[BRANCH],
    )
