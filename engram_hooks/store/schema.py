"""The tables of the user's memory, as numbered steps. A released step is frozen; the version is their number.

Moments are integer milliseconds, UTC. Project 0 is the user's global layer. Full-text tables are
contentless and fed with the terms of `engram_hooks.terms`; the `ascii` tokenizer keeps every
non-ASCII byte and the listed joiners inside a term.
"""

from __future__ import annotations

from engram_hooks.store.attempt_schema import STEP_4
from engram_hooks.store.curation_schema import STEP_6
from engram_hooks.store.invariant_schema import STEP_5
from engram_hooks.store.vector_schema import STEP_2

_FTS = "content='', tokenize=\"ascii tokenchars '_-./:@+#'\""

STEP_1 = f"""
-- versions and facts about the store itself
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- identity: a project is known by keys (root commit, origin, name), a place is a git folder or a directory
CREATE TABLE projects (
    id INTEGER PRIMARY KEY,
    uid TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    is_provisional INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL
);
CREATE TABLE project_keys (
    kind TEXT NOT NULL,             -- root | origin | git_dir | dir | name
    value TEXT NOT NULL,
    project_id INTEGER NOT NULL,
    PRIMARY KEY (kind, value, project_id)
) WITHOUT ROWID;
CREATE INDEX project_keys_by_project ON project_keys (project_id);
CREATE TABLE places (
    key TEXT PRIMARY KEY,           -- git folder shared by all worktrees, or the directory
    project_id INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- git | dir | name
    root TEXT NOT NULL,             -- the checkout it was last seen in
    is_resolved INTEGER NOT NULL DEFAULT 0,
    seen_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX places_by_project ON places (project_id);

-- one memory a row; nothing is physically deleted but by a hard forget
CREATE TABLE records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL UNIQUE,       -- random, 32 hexadecimal digits
    external_id TEXT,               -- the id an import gave it
    kind TEXT NOT NULL,
    scope TEXT NOT NULL,            -- project | global | branch
    project_id INTEGER NOT NULL,    -- 0 = the global layer
    branch TEXT NOT NULL DEFAULT '',
    paths TEXT NOT NULL DEFAULT '', -- globs, one a line
    summary TEXT NOT NULL,
    detail TEXT NOT NULL DEFAULT '',
    tags TEXT NOT NULL DEFAULT '',  -- separated by spaces
    status TEXT NOT NULL,           -- candidate | active | needs_review | stale | superseded | archived |
                                    -- compacted | expired | retracted | quarantined
    importance REAL NOT NULL DEFAULT 0.5,
    confidence REAL NOT NULL DEFAULT 1.0,
    trust REAL NOT NULL DEFAULT 1.0,
    is_pinned INTEGER NOT NULL DEFAULT 0,
    valid_from INTEGER NOT NULL,    -- true in the world from .. to
    valid_to INTEGER,
    created_at INTEGER NOT NULL,    -- known to us from .. to
    updated_at INTEGER NOT NULL,
    expired_at INTEGER,
    superseded_by INTEGER,
    parent_id INTEGER,              -- what this was merged or compacted into
    status_reason TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL,           -- person | import | log | commit | consolidation | brain
    session_id INTEGER,
    evidence_count INTEGER NOT NULL DEFAULT 0,
    use_count INTEGER NOT NULL DEFAULT 0,
    ignored_count INTEGER NOT NULL DEFAULT 0,
    last_used_at INTEGER
);
CREATE INDEX records_told ON records (project_id, kind, is_pinned DESC, importance DESC, valid_from DESC)
    WHERE status IN ('active', 'compacted');
CREATE INDEX records_by_status ON records (project_id, status, created_at);
CREATE INDEX records_by_session ON records (session_id) WHERE status = 'candidate';
CREATE UNIQUE INDEX records_by_external_id ON records (project_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX records_by_successor ON records (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE VIRTUAL TABLE records_fts USING fts5 (summary, detail, tags, {_FTS});
CREATE VIRTUAL TABLE records_terms USING fts5vocab (records_fts, row);
CREATE TABLE evidence (
    id INTEGER PRIMARY KEY,
    record_id INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- log | commit | file | test | document | person
    ref TEXT NOT NULL,              -- uuid of the log line, commit, path:line ...
    detail TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE (record_id, kind, ref)
);

-- the conversation
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    client_id TEXT NOT NULL UNIQUE, -- session_id of the client
    project_id INTEGER NOT NULL,
    root TEXT NOT NULL DEFAULT '',  -- the checkout it started in
    branch TEXT NOT NULL DEFAULT '',
    transcript_path TEXT NOT NULL DEFAULT '',
    source TEXT NOT NULL DEFAULT '',
    is_running INTEGER NOT NULL DEFAULT 0,  -- a turn is under way
    epoch INTEGER NOT NULL DEFAULT 0,       -- raised by a compaction: what was shown is gone from the context
    logged_count INTEGER NOT NULL DEFAULT 0,
    started_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT NOT NULL DEFAULT ''
);
CREATE INDEX sessions_by_project ON sessions (project_id, last_at);
CREATE TABLE transcripts (
    path TEXT PRIMARY KEY,
    session_id INTEGER NOT NULL,
    agent TEXT NOT NULL DEFAULT '',
    cursor TEXT NOT NULL DEFAULT '',        -- where reading goes on, as JSON
    cursor_bytes INTEGER NOT NULL DEFAULT 0,
    mined_log_id INTEGER NOT NULL DEFAULT 0, -- candidates were looked for up to this row
    read_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX transcripts_by_session ON transcripts (session_id);
CREATE TABLE prompts (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    prompt_id TEXT,
    text TEXT NOT NULL,
    shown_count INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    UNIQUE (session_id, prompt_id)
);
CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    uuid BLOB NOT NULL UNIQUE,      -- the client's uuid: 16 bytes, or its text where it is no uuid
    role TEXT NOT NULL,             -- user | assistant | tool | result
    agent TEXT NOT NULL DEFAULT '', -- the subagent that spoke; '' is the main conversation
    text TEXT NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE INDEX log_by_session ON log (session_id, id);
CREATE VIRTUAL TABLE log_fts USING fts5 (text, {_FTS});
CREATE VIRTUAL TABLE log_terms USING fts5vocab (log_fts, row);

-- edits, commands and how they ended; equal failures of a session share a row
CREATE TABLE tool_events (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    tool TEXT NOT NULL,
    target TEXT NOT NULL DEFAULT '',        -- the file, where there is one
    command TEXT NOT NULL DEFAULT '',
    outcome TEXT NOT NULL,                  -- started | ok | failed | interrupted
    error TEXT NOT NULL DEFAULT '',
    repeat_key TEXT,                        -- of failures: hash of command and error
    repeat_count INTEGER NOT NULL DEFAULT 1,
    agent TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (session_id, repeat_key)
);
CREATE INDEX tool_events_by_session ON tool_events (session_id, updated_at);
CREATE TABLE tool_uses (tool_use_id TEXT PRIMARY KEY, event_id INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE tool_events_fts USING fts5 (text, {_FTS});

-- what was put into a context, and whether it was used
CREATE TABLE shown (
    id INTEGER PRIMARY KEY,
    session_id INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    record_id INTEGER NOT NULL,
    surface TEXT NOT NULL,          -- boot | minder
    prompt_id TEXT,
    reason TEXT NOT NULL DEFAULT '',
    token_count INTEGER NOT NULL DEFAULT 0,
    is_used INTEGER,
    created_at INTEGER NOT NULL,
    UNIQUE (session_id, epoch, record_id)
);
CREATE INDEX shown_by_record ON shown (record_id);

-- work for the worker, settings compiled from TOML, and the books
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    project_id INTEGER NOT NULL DEFAULT 0,
    payload TEXT NOT NULL DEFAULT '{{}}',
    attempt_count INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    leased_until INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT NOT NULL DEFAULT '',
    last_error TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE (kind, key)
);
CREATE INDEX jobs_by_due ON jobs (due_at);
CREATE TABLE settings (
    project_id INTEGER NOT NULL,    -- 0 = the user's own file
    key TEXT NOT NULL,
    value TEXT NOT NULL,            -- JSON
    source TEXT NOT NULL,           -- file:line
    PRIMARY KEY (project_id, key)
) WITHOUT ROWID;
CREATE TABLE settings_files (
    path TEXT PRIMARY KEY,
    project_id INTEGER NOT NULL,
    size_bytes INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE audit (
    id INTEGER PRIMARY KEY,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    record_id INTEGER,
    before TEXT NOT NULL DEFAULT '',
    after TEXT NOT NULL DEFAULT '',
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL
);
CREATE INDEX audit_by_record ON audit (record_id);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    report TEXT NOT NULL DEFAULT '{{}}',
    started_at INTEGER NOT NULL,
    ended_at INTEGER
);
CREATE TABLE tombstones (
    kind TEXT NOT NULL,             -- uuid | content
    hash BLOB NOT NULL,             -- of what was forgotten for good
    created_at INTEGER NOT NULL,
    PRIMARY KEY (kind, hash)
) WITHOUT ROWID;
CREATE TABLE confirmations (
    key TEXT NOT NULL,              -- hash of tool, path, old and new text
    session_id INTEGER NOT NULL,
    agent TEXT NOT NULL DEFAULT '',
    epoch INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, agent, epoch, key)
) WITHOUT ROWID;
"""

STEP_3 = """
-- what a context was told of files and changes, so that nothing is said to it twice
CREATE TABLE told (
    session_id INTEGER NOT NULL,
    agent TEXT NOT NULL,            -- the subagent that was told; '' is the main conversation
    epoch INTEGER NOT NULL,
    surface TEXT NOT NULL,          -- brief (a file was read) | advice (a change was made)
    subject TEXT NOT NULL,          -- what it was about: a file, a change, and the commit that was named
    char_count INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, agent, epoch, surface, subject)
) WITHOUT ROWID;
"""

STEPS = STEP_1, STEP_2, STEP_3, STEP_4, STEP_5, STEP_6
