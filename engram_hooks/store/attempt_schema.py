"""The step that adds what was tried: edits, the checks that ran behind them, and approaches that failed."""

STEP_4 = """
-- what tools changed in files, as the lines that went and came; kept until the approach they belong to is decided
CREATE TABLE edits (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL,
    agent TEXT NOT NULL DEFAULT '',
    root TEXT NOT NULL,             -- the checkout
    branch TEXT NOT NULL DEFAULT '',
    path TEXT NOT NULL,             -- from the checkout's top, with slashes; of files outside it the whole path
    removed TEXT NOT NULL DEFAULT '',   -- lines, packed (store.packing)
    added TEXT NOT NULL DEFAULT '',     -- lines, packed
    use_id TEXT NOT NULL,           -- the client's id of the call
    created_at INTEGER NOT NULL,
    UNIQUE (use_id, path)
);
CREATE INDEX edits_by_project ON edits (project_id, id);

-- checks that ran and came to judge
CREATE TABLE check_runs (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL,
    agent TEXT NOT NULL DEFAULT '',
    root TEXT NOT NULL,
    branch TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL,             -- test | types | lint | build
    tool TEXT NOT NULL,
    targets TEXT NOT NULL DEFAULT '[]',     -- JSON: what it was pointed at
    outcome TEXT NOT NULL,          -- passed | failed
    faults TEXT NOT NULL DEFAULT '[]',      -- JSON: (place, error, message, frame) of each, packed
    fingerprint TEXT NOT NULL DEFAULT '',
    last_edit INTEGER NOT NULL,     -- the last edit of the checkout before it
    use_id TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
);
CREATE INDEX check_runs_by_project ON check_runs (project_id, id);

-- approaches that a check turned down
CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL,
    session_id INTEGER NOT NULL,
    root TEXT NOT NULL DEFAULT '',
    branch TEXT NOT NULL DEFAULT '',
    outcome TEXT NOT NULL,          -- open | abandoned | resolved | dropped
    intent TEXT NOT NULL DEFAULT '',        -- what was asked for
    tool TEXT NOT NULL DEFAULT '',  -- the check that failed
    kind TEXT NOT NULL DEFAULT '',
    targets TEXT NOT NULL DEFAULT '[]',
    faults TEXT NOT NULL DEFAULT '[]',
    fingerprint TEXT NOT NULL DEFAULT '',   -- of how it failed
    change_key TEXT NOT NULL,       -- of what was changed: equal approaches are one
    cure TEXT NOT NULL DEFAULT '',  -- of a resolved one: the lines that made the check pass, packed
    note TEXT NOT NULL DEFAULT '',
    decided_at INTEGER,             -- when a person decided its outcome, which then stays
    terms TEXT NOT NULL DEFAULT '',         -- its words in the full text, packed
    last_edit INTEGER NOT NULL DEFAULT 0,
    last_run INTEGER NOT NULL DEFAULT 0,
    repeat_count INTEGER NOT NULL DEFAULT 1,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (project_id, change_key, fingerprint)
);
CREATE INDEX attempts_by_outcome ON attempts (project_id, outcome, updated_at);
CREATE INDEX attempts_by_fingerprint ON attempts (project_id, fingerprint);

-- what an approach changed, file by file
CREATE TABLE attempt_files (
    attempt_id INTEGER NOT NULL,
    path TEXT NOT NULL,
    symbols TEXT NOT NULL DEFAULT '[]',     -- JSON: names of what the lines belong to
    removed TEXT NOT NULL DEFAULT '',       -- lines, packed
    added TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (attempt_id, path)
) WITHOUT ROWID;
CREATE INDEX attempt_files_by_path ON attempt_files (path, attempt_id);
CREATE VIRTUAL TABLE attempts_fts USING fts5 (text, content='', tokenize="ascii tokenchars '_-./:@+#'");
"""
