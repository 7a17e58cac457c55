"""Where words of people, agents and tools stand in the store: every column that a hard forget looks through.

A column that is in none of these lists makes a test fail: a new table says here what becomes of its texts.
"""

from __future__ import annotations

# rows that go where they hold the text: table, its key, columns, the table of which `key` names a row
ROWS = (
    ("log", "id", ("text",), "log"),
    ("prompts", "id", ("text",), "prompts"),
    ("tool_events", "id", ("target", "command", "error"), "tool_events"),
    ("records", "id", ("summary", "detail", "tags", "paths"), "records"),
    ("edits", "id", ("path", "removed", "added"), "edits"),
    ("check_runs", "id", ("tool", "targets", "faults"), "check_runs"),
    ("attempts", "id", ("intent", "tool", "targets", "faults", "cure", "note"), "attempts"),
    ("attempt_files", "attempt_id", ("path", "symbols", "removed", "added"), "attempts"),
    ("invariants", "id", ("name", "text", "why", "since", "symbol", "globs"), "invariants"),
    ("session_summaries", "session_id", ("text",), "session_summaries"),
)
# made out of other rows: a sentence of the text is enough
DERIVED = frozenset(("session_summaries", "records"))
# rows that stay while the text is cut out of them: table, its key, columns
PARTS = (
    ("audit", "id", ("before", "after", "reason")),
    ("core", "block", ("text",)),
    ("core_history", "id", ("text", "reason")),
    ("records", "id", ("status_reason",)),
    ("evidence", "id", ("ref", "detail")),
    ("shown", "id", ("reason",)),
    ("verdicts", "shown_id", ("reason",)),
    ("feedback", "id", ("reason",)),
    ("anchors", "id", ("reason",)),
    ("brain_calls", "id", ("reason",)),
    ("runs", "id", ("report",)),
    ("jobs", "id", ("payload", "last_error")),
)
# what is derived from a record and goes with it: rows by `record_id`, entities with their last mention
WITH_RECORD = {
    "anchors": ("ref", "place", "content"),
    "mentions": ("name",),
    "entities": ("norm",),
}
# goes with the row of an attempt or a rule
WITH_OWNER = {"attempts": ("terms",), "invariant_keys": ("key",)}
# hold no sentence of anybody: words of our own, names of files, branches and programs, keys, hashes, numbers
HARMLESS = {
    "anchors": ("kind", "source", "blob", "state"),
    "attempts": ("root", "branch", "outcome", "kind", "fingerprint", "change_key"),
    "audit": ("actor", "action"),
    "brain_calls": ("purpose", "outcome"),
    "branches": ("name", "tip", "state", "merged_as", "merged_how"),
    "check_runs": ("agent", "root", "branch", "kind", "outcome", "fingerprint", "use_id"),
    "confirmations": ("key", "agent"),
    "core": ("block", "mirror_hash"),
    "core_history": ("block", "actor"),
    "edits": ("agent", "root", "branch", "use_id"),
    "evidence": ("kind",),
    "feedback": ("verdict", "actor"),
    "invariants": ("file", "severity", "enforcement"),
    "jobs": ("kind", "key", "lease_owner"),
    "log": ("role", "agent"),
    "mentions": ("kind",),
    "meta": ("key", "value"),
    "places": ("key", "kind", "root"),
    "project_keys": ("kind", "value"),
    "projects": ("uid", "name"),
    "prompts": ("prompt_id",),
    "records": ("uid", "external_id", "kind", "scope", "branch", "status", "source"),
    "relations": ("kind",),
    "runs": ("kind",),
    "session_summaries": ("source",),
    "sessions": ("client_id", "root", "branch", "transcript_path", "source", "end_reason"),
    "settings": ("key", "value", "source"),
    "settings_files": ("path",),
    "shown": ("surface", "prompt_id"),
    "told": ("agent", "surface", "subject"),
    "tombstones": ("kind",),
    "tool_events": ("tool", "outcome", "repeat_key", "agent"),
    "tool_uses": ("tool_use_id",),
    "transcripts": ("path", "agent", "cursor"),
    "vector_models": ("name", "fingerprint"),
    "vector_segments": ("uid",),
    "verdicts": ("verdict",),
}
# tables with a column `record_id` whose rows stay when a record goes: cut above, or kept up by triggers
KEPT_BY_RECORD = frozenset(("audit", "vector_gone", "vector_todo", "vectors"))
