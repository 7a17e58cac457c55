"""Taking a memory in: one clean summary, no duplicates, near ones named, the replaced one closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import Any

from engram_hooks.curate.changes.judging import Verdict, find_restatements, judge
from engram_hooks.curate.nearness import find_near
from engram_hooks.curate.promote import settle
from engram_hooks.curate.record import Captured, Record, check_kind, check_scope, from_row
from engram_hooks.curate.worth import weigh
from engram_hooks.errors import UsageError
from engram_hooks.guard.redact import redact
from engram_hooks.jsontext import mend
from engram_hooks.store import lookup, records
from engram_hooks.store.tombstones import raise_content
from engram_hooks.store.transactions import Transaction

MAX_SUMMARY_CHARS = 500
MAX_DETAIL_CHARS = 200_000
_MIN_TITLE_CHARS = 8
# who somebody is, what they want and what must be so does not wait for a merge
UNBOUND_KINDS = "user", "feedback", "constraint"


@dataclass(frozen=True, slots=True)
class Draft:
    """A memory as somebody gave it, not yet checked. `valid_from` is in ms UTC.

    `branch` is the one that is checked out, `feature` the same where it is not the mainline: what is made there
    carries it until the mainline has got the work. `evidence` are things that it rests on, as they were typed.
    """

    summary: str
    kind: str = "decision"
    detail: str = ""
    tags: Sequence[str] = ()
    paths: Sequence[str] = ()
    scope: str = "project"
    project_id: int = 0
    branch: str = ""
    feature: str = ""
    valid_from: int | None = None
    supersedes: str | None = None
    evidence: Sequence[str] = ()


def capture(db: Connection, draft: Draft, *, now_ms: int, actor: str = "person") -> Captured:
    """Store a draft. One that says exactly what an active record says is not added twice.

    What it replaces by its words, or by `supersedes`, is closed, with what says the same as that; what an active
    record says in other words goes into that record. One that reads as an order to an agent is put aside and
    replaces nothing. Raises `UsageError` for an empty summary, an unknown kind or scope, `EngramError` where the
    record to supersede is not there.
    """
    fields = prepare(draft)
    project_ids = list(dict.fromkeys((fields["project_id"], 0)))
    with Transaction(db):
        old = lookup.find(db, draft.supersedes) if draft.supersedes else None
        if old and old["project_id"] not in project_ids:
            raise UsageError(f"{draft.supersedes} belongs to another project", hint="engram list")
        near = find_near(db, fields["summary"], project_ids=project_ids)
        same = _same(fields, [row for share, row in near if share == 1.0])
        if same and (old is None or old["id"] == same["id"]):
            return Captured(_widen(db, same, fields, now_ms=now_ms, actor=actor), is_new=False)
        verdict = _choose(db, fields, old, now_ms=now_ms, actor=actor)
        raise_content(db, fields["summary"], project_id=fields["project_id"])
        record_id = records.insert(db, fields, now_ms=now_ms, actor=actor)
        records.add_evidence(db, record_id, "person", "typed", now_ms=now_ms)
        settle(db, record_id, verdict, actor=actor, now_ms=now_ms)
        return _report(db, record_id, verdict, [row for _, row in near])


def _choose(
    db: Connection, fields: Mapping[str, Any], old: Mapping[str, Any] | None, *, now_ms: int, actor: str
) -> Verdict:
    """What to do with a draft: what the person said it replaces, or what its words say."""
    if old is None:
        return judge(db, {"valid_from": now_ms, **fields}, actor=actor, now_ms=now_ms)
    also = find_restatements(db, old)
    return Verdict("supersede", old["id"], also, reason="said to replace it")


def _report(db: Connection, record_id: int, verdict: Verdict, near: Sequence[Mapping[str, Any]]) -> Captured:
    """What became of a draft, as its author is told."""
    row = records.read(db, record_id)
    if row["status"] == records.QUARANTINED:
        return Captured(from_row(row), is_new=True)
    touched = [from_row(item) for item in lookup.read_many(db, [verdict.target_id or 0, *verdict.also])]
    others = tuple(from_row(item) for item in near if item["id"] not in {one.id for one in touched})
    if verdict.action in ("merge", "update"):
        return Captured(touched[0], is_new=False, merged=from_row(row), reason=verdict.reason)
    if verdict.action != "supersede":
        return Captured(from_row(row), is_new=True, near=others)
    new = Captured(from_row(row), is_new=True, near=others, reason=verdict.reason)
    if verdict.is_late:
        return replace(new, overtaken_by=touched[0], retired=tuple(touched[1:]))
    return replace(new, superseded=touched[0], retired=tuple(touched[1:]))


def prepare(draft: Draft) -> dict[str, Any]:
    """The columns of a checked draft; what does not fit into a summary goes to the detail."""
    summary, detail = split_text(draft.summary, draft.detail)
    if not summary:
        raise UsageError("an empty note says nothing", hint='engram add -s "Postgres over Mongo"')
    scope = check_scope(draft.scope)
    if scope == "branch" and not draft.branch:
        raise UsageError("there is no branch here to keep a note for", hint="leave out --scope branch")
    if scope != "global" and not draft.project_id:
        scope = "global"
    kind = check_kind(draft.kind)
    origin = "" if scope == "global" or kind in UNBOUND_KINDS else draft.feature
    fields: dict[str, Any] = {
        "kind": kind,
        "scope": scope,
        "project_id": 0 if scope == "global" else draft.project_id,
        "branch": draft.branch if scope == "branch" else origin,
        "summary": summary,
        "detail": detail,
        "tags": join_tags(draft.tags),
        "paths": join_paths(draft.paths),
    }
    if draft.valid_from is not None:
        fields["valid_from"] = draft.valid_from
    if (importance := weigh(kind, summary, detail)) is not None:
        fields["importance"] = importance
    return fields


def prepare_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of an edit: summary, detail, kind, tags, paths, valid_from; None leaves one as it is.

    Raises `UsageError` for an empty summary or an unknown kind.
    """
    given = {name: value for name, value in changes.items() if value is not None}
    fields = dict(given)
    if "summary" in given:
        fields["summary"], rest = split_text(given["summary"], given.get("detail") or "")
        if not fields["summary"]:
            raise UsageError("an empty note says nothing", hint="engram forget takes it back")
        if rest:
            fields["detail"] = rest
    if "kind" in given:
        fields["kind"] = check_kind(given["kind"])
    if "tags" in given:
        fields["tags"] = join_tags(given["tags"])
    if "paths" in given:
        fields["paths"] = join_paths(given["paths"])
    return fields


def split_text(summary: str, detail: str = "") -> tuple[str, str]:
    """(summary of one line, detail): a first line of its own is the title, an overlong one is cut at a word.

    Secrets are taken out before anything is cut, so that none is cut in half.
    """
    text = redact(mend(summary)).replace("\r\n", "\n").replace("\r", "\n").strip()
    more = redact(mend(detail)).strip()
    title, _, rest = text.partition("\n")
    title, rest = title.rstrip(), rest.strip()
    if rest and len(title) < _MIN_TITLE_CHARS:
        title, rest = " ".join(text.split()), ""
    if len(title) > MAX_SUMMARY_CHARS:
        cut = title.rfind(" ", MAX_SUMMARY_CHARS // 2, MAX_SUMMARY_CHARS)
        cut = cut if cut > 0 else MAX_SUMMARY_CHARS - 1
        title, rest = title[:cut] + "…", "\n".join(part for part in (title[cut:].strip(), rest) if part)
    whole = "\n\n".join(part for part in (rest, more) if part)
    return title.replace("\t", " "), whole[:MAX_DETAIL_CHARS]


def join_tags(tags: Sequence[str]) -> str:
    """Tags as the column holds them: lower case, separated by spaces, each once."""
    clean = ("-".join(tag.strip().lstrip("#").lower().split()) for tag in tags)
    return " ".join(dict.fromkeys(tag for tag in clean if tag))


def join_paths(paths: Sequence[str]) -> str:
    """Globs as the column holds them: one a line, each once."""
    clean = (" ".join(path.split()) for path in paths)
    return "\n".join(dict.fromkeys(path for path in clean if path))


def _same(fields: Mapping[str, Any], rows: Sequence[dict[str, Any]]) -> dict[str, Any] | None:
    """The record that a draft only repeats: same words, same kind, same place."""
    return next((row for row in rows if _place(row) == _place(fields)), None)


def _widen(
    db: Connection, same: dict[str, Any], fields: Mapping[str, Any], *, now_ms: int, actor: str
) -> Record:
    """A record that is said again; one of a feature branch that is said on the mainline now holds there."""
    if same["branch"] and not fields["branch"]:
        reason = "said on the mainline, too"
        records.update(
            db, same["id"], {"branch": ""}, now_ms=now_ms, actor=actor, reason=reason, action="promote"
        )
    return from_row(records.read(db, same["id"]))


def _place(row: Mapping[str, Any]) -> tuple[str, int, str]:
    """What a record of the same words has to have in common with another to be the same."""
    return row["kind"], row["project_id"], row["branch"] if row["scope"] == "branch" else ""
