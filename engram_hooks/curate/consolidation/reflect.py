"""What a pattern teaches: files that are reworked again and again, corrections that had to be repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engram_hooks.curate.consolidation import brain
from engram_hooks.curate.consolidation.work import ACTOR, Change, StepReport
from engram_hooks.recall.fields import format_day
from engram_hooks.store import lookup, meta, records, upkeep
from engram_hooks.store.transactions import Transaction

if TYPE_CHECKING:
    from engram_hooks.curate.consolidation.work import Work

NAME = "reflect"
DAY_MS = 86_400_000
WINDOW_DAYS = 30
MIN_SESSIONS, MIN_FAILED = 3, 2
MIN_REPEATED = 2
CORRECTED_KINDS = "feedback", "constraint", "procedure"
MAX_INSIGHTS = 5
MIN_FACTS = 5
ASKED_FACT = "consolidate:reflected_at"


def run(work: Work) -> StepReport:
    """Propose insights as candidates, at most a few a run, each once: they are told once a person accepts them."""
    found = [*_find_reworked(work), *_find_repeated(work), *_ask_brain(work)]
    new = [item for item in found if not _is_known(work, item)][:MAX_INSIGHTS]
    plan = [Change(0, "insight", f"{item['external_id']}") for item in new]
    by_key = {item["external_id"]: item for item in new}
    done, is_complete = work.write(plan, lambda change: _add(work, by_key[change.reason]))
    return StepReport(NAME, {"insights": len(done)}, done, is_complete=is_complete)


def _find_reworked(work: Work) -> list[dict[str, Any]]:
    since = work.now_ms - WINDOW_DAYS * DAY_MS
    out = []
    told: list[set[int]] = []
    for project_id, path, ids, first, last in upkeep.reworked_files(
        work.db, since_ms=since, min_sessions=MIN_SESSIONS
    ):
        if work.project_id not in (None, project_id):
            continue
        sessions = sorted(int(part) for part in ids.split(","))
        failed = upkeep.sessions_with_failures(work.db, sessions)
        # files that the same sessions edited along with a more reworked one tell nothing new
        if len(failed) < MIN_FAILED or any(failed <= others for others in told):
            continue
        told.append(failed)
        summary = (
            f"{path} was reworked in {len(sessions)} sessions ({format_day(first, 0)} to {format_day(last, 0)}),"
            f" with failing checks in {len(failed)} of them: find the cause before the next change"
        )
        evidence = [("session", f"e{number}") for number in sessions]
        out.append(_draft(project_id, f"reworked:{path}", summary, paths=path, evidence=evidence))
    return out


def _find_repeated(work: Work) -> list[dict[str, Any]]:
    """Rules of the user that had to be said again although they were told to every session."""
    rows = [
        row
        for row in upkeep.list_rows(work.db, records.TOLD, project_id=work.project_id)
        if row["kind"] in CORRECTED_KINDS and row["evidence_count"] > MIN_REPEATED
    ]
    spoken = upkeep.sessions_of_evidence(work.db, [row["id"] for row in rows])
    out = []
    for row in rows:
        sessions = spoken.get(row["id"], set())
        if len(sessions) > MIN_REPEATED:
            summary = f"Had to be said again in {len(sessions)} sessions: {row['summary']}"
            evidence = [("session", f"e{number}") for number in sorted(sessions)]
            out.append(_draft(row["project_id"], f"repeated:{row['id']}", summary, evidence=evidence))
    return out


def _ask_brain(work: Work) -> list[dict[str, Any]]:
    """Patterns that the user's own model sees in what was kept since it was asked last; none without one."""
    since = int(meta.get_fact(work.db, ASKED_FACT) or work.now_ms - WINDOW_DAYS * DAY_MS)
    rows = upkeep.list_rows(work.db, records.TOLD, project_id=work.project_id)
    new = [row for row in rows if row["created_at"] > since and row["project_id"]]
    out = []
    for project_id in dict.fromkeys(row["project_id"] for row in new):
        facts = [row for row in new if row["project_id"] == project_id]
        if len(facts) < MIN_FACTS:
            continue
        for insight in brain.reflect_on(work, lookup.read_many(work.db, [row["id"] for row in facts])):
            evidence = [("record", str(number)) for number in insight.record_ids]
            key = "brain:" + "-".join(str(number) for number in sorted(insight.record_ids))
            out.append({**_draft(project_id, key, insight.text, evidence=evidence), "source": "brain"})
        if not work.is_dry:
            with Transaction(work.db):
                meta.set_fact(work.db, ASKED_FACT, str(work.now_ms))
    return out


def _draft(
    project_id: int, key: str, summary: str, *, paths: str = "", evidence: list[tuple[str, str]]
) -> dict[str, Any]:
    return {
        "kind": "insight",
        "project_id": project_id,
        "external_id": f"reflect:{key}",
        "summary": summary,
        "paths": paths,
        "source": ACTOR,
        "evidence": evidence,
    }


def _is_known(work: Work, item: dict[str, Any]) -> bool:
    return lookup.find_external(work.db, item["project_id"], item["external_id"]) is not None


def _add(work: Work, item: dict[str, Any]) -> bool:
    if _is_known(work, item):
        return False
    fields = {name: value for name, value in item.items() if name != "evidence"}
    fields |= {"status": "candidate", "confidence": 0.6, "trust": 0.5}
    with Transaction(work.db):
        record_id = records.insert(work.db, fields, now_ms=work.now_ms, actor=ACTOR)
        for kind, ref in item["evidence"]:
            records.add_evidence(work.db, record_id, kind, ref, now_ms=work.now_ms)
    return True
