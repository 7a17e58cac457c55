"""Why a prompt is given a record, or not: how it is read, what every signal says, what the gate decides."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.asking import search_records
from engram_hooks.curate.asking.question import Question
from engram_hooks.curate.record import Record, short_id
from engram_hooks.recall import gate, route
from engram_hooks.recall.weights import FLOORS
from engram_hooks.sessions import minder
from engram_hooks.store import shown

TOLD = "active", "compacted"
_MAX_NEAREST = 1_000


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of one record for one prompt.

    `filters` is (what is asked of the record, whether it is so); the places in `ranks` count from 1 among what
    was looked at; `signals` add up to the log odds of `score`.
    """

    id: str
    summary: str
    is_shown: bool
    verdict: str
    route: dict[str, Any]
    filters: list[tuple[str, bool]]
    score: float
    floors: tuple[float, float]
    signals: dict[str, float]
    ranks: dict[str, int]
    matched: list[str]
    matters: list[str]
    cosine: float | None
    better: list[tuple[str, float]]

    def as_dict(self) -> dict[str, Any]:
        """The same for JSON."""
        return asdict(self)


def explain_record(db: Connection, question: Question, record: Record) -> Verdict:
    """Why the minder would give `record` beside a prompt with this text, or would not."""
    is_trivial = route.is_trivial(question.text)
    scored, verdicts, eagerness = search_records.judge_prompt(db, question, also=[record.id])
    ranked = search_records.add_ranks(scored)
    item = next((item for item in ranked if item[1][0] == record.id), None)
    filters = _filter(db, question, record, is_trivial=is_trivial)
    floors = FLOORS.get(eagerness, FLOORS["normal"])
    better = [(short_id(row[1], row[0]), value) for value, row, _ in ranked if item and value > item[0]]
    failed = next((name for name, is_so in filters if not is_so), "")
    decision = f"a filter says no: {failed}" if failed else verdicts.get(record.id, gate.UNLIKELY)
    reasons = item[2] if item else {}
    return Verdict(
        id=record.short_id,
        summary=record.summary,
        is_shown=decision == gate.SHOWN,
        verdict=decision,
        route=describe_route(question.text, is_trivial=is_trivial),
        filters=filters,
        score=item[0] if item else 0.0,
        floors=floors,
        signals={name: round(value, 2) for name, value in reasons.get("signals", {}).items()},
        ranks=reasons.get("ranks", {}),
        matched=reasons.get("matched", []),
        matters=reasons.get("matters", []),
        cosine=reasons.get("cosine"),
        better=better[:3],
    )


def describe_route(prompt: str, *, is_trivial: bool) -> dict[str, Any]:
    """How a prompt is read: what it is about, what it is searched by."""
    terms, names = route.plan(prompt)
    return {
        "is_trivial": is_trivial,
        "intent": route.find_intent(route.extract_question(prompt)),
        "terms": terms,
        "identifiers": names,
    }


def list_given(db: Connection, project_id: int, *, session: str = "") -> tuple[str, list[dict[str, Any]]]:
    """(the client's id of the project's last session that begins with `session`, what it was given and why).

    ("", []) where there is none.
    """
    found = shown.latest_session(db, project_id, session)
    return (found[1], shown.list_shown(db, found[0])) if found else ("", [])


def _filter(
    db: Connection, question: Question, record: Record, *, is_trivial: bool
) -> list[tuple[str, bool]]:
    """What a record must pass before it is judged."""
    terms, names = route.plan(question.text)
    nearest = minder.find_cosines(
        db,
        question.data,
        question.text,
        project_id=question.project_id or 0,
        environ=question.environ,
        limit=_MAX_NEAREST,
    )
    return [
        ("the prompt asks for something", not is_trivial and bool(terms or names or nearest)),
        (f"the record is told as true (it is {record.status})", record.status in TOLD),
        ("it belongs to this project or holds everywhere", record.project_id in (0, question.project_id)),
    ]
