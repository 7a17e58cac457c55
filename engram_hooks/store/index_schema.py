"""The tables of what a repository's history says, as numbered steps: derived, so an index may be deleted any time.

One file a project. Moments are integer milliseconds, UTC. A path is TEXT, or a BLOB of its bytes where they
are not UTF-8. Object names of commits are their bytes, those of blobs the first eight. All text is redacted.
"""

from __future__ import annotations

_FTS = "content='', detail=column, tokenize=\"ascii tokenchars '_-./:@+#'\""

STEP_1 = f"""
-- what the index stands at: head, boundary, symbols_head, indexed_at ...
CREATE TABLE facts (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- every commit that was ever indexed; a branch that was left or rewritten stays, out of sight
CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE,
    parents BLOB NOT NULL,          -- their names one after another
    authored_at INTEGER NOT NULL,
    committed_at INTEGER NOT NULL,
    author TEXT NOT NULL,           -- the name alone
    subject TEXT NOT NULL,
    body TEXT NOT NULL,             -- its start, packed (store.packing)
    excerpt TEXT NOT NULL,          -- a few changed lines, packed
    intent TEXT NOT NULL,           -- bugfix | security | revert | perf | feature | refactor | docs | test |
                                    -- build | chore
    is_bulk INTEGER NOT NULL,       -- vendoring, reformatting, headers, generated files: no conclusions from it
    is_boundary INTEGER NOT NULL,   -- where a shallow clone ends: its changes are unknown
    is_in_head INTEGER NOT NULL,    -- an ancestor of the head that was indexed last
    file_count INTEGER NOT NULL,
    added_count INTEGER NOT NULL,
    removed_count INTEGER NOT NULL,
    undoes TEXT NOT NULL,           -- of a revert or re-land: what its message names, as JSON, until resolved
    reverts INTEGER,                -- the commit that this one undid
    restores INTEGER,               -- the commit that this one brought back
    reverted_by INTEGER,
    restored_by INTEGER
);
CREATE INDEX commits_out_of_head ON commits (id) WHERE NOT is_in_head;
CREATE INDEX commits_of_boundary ON commits (hash) WHERE is_boundary;
CREATE INDEX commits_to_resolve ON commits (id) WHERE undoes <> '';
CREATE VIRTUAL TABLE commits_fts USING fts5 (subject, body, names, code, {_FTS});
CREATE VIRTUAL TABLE commits_terms USING fts5vocab (commits_fts, row);

CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL,             -- source | test | docs | build | lock | generated | vendored | other
    blob BLOB,                      -- its content in the head; NULL where the head has no such file
    parsed_blob BLOB,               -- the content its symbols were read from
    is_stale INTEGER NOT NULL DEFAULT 0     -- its symbols' histories are not complete
);
CREATE INDEX files_to_read ON files (id) WHERE is_stale OR blob IS NOT parsed_blob;

-- what a commit did to a file; hunks: for each (lines since the last, lines gone, lines new) as LEB128 numbers
CREATE TABLE file_changes (
    file_id INTEGER NOT NULL,
    commit_id INTEGER NOT NULL,
    old_file_id INTEGER,            -- where it was renamed from
    status TEXT NOT NULL,           -- A | M | D | R | T
    old_blob BLOB,
    blob BLOB,
    added_count INTEGER NOT NULL,
    removed_count INTEGER NOT NULL,
    hunks BLOB,                     -- NULL where there are no lines
    PRIMARY KEY (file_id, commit_id)
) WITHOUT ROWID;
CREATE INDEX file_changes_by_commit ON file_changes (commit_id);

-- files that a merge made different from all its parents; sides: for each parent its blob and hunks
CREATE TABLE merged_files (
    file_id INTEGER NOT NULL,
    commit_id INTEGER NOT NULL,
    blob BLOB,
    sides BLOB NOT NULL,
    PRIMARY KEY (file_id, commit_id)
) WITHOUT ROWID;

-- the symbols of the head's files, and the commits that touched them from the line of their declaration on;
-- lines from 1, both ends inside, start_line with what stands directly above (comments, decorators)
CREATE TABLE symbols (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    qualified TEXT NOT NULL,
    kind TEXT NOT NULL,
    start_line INTEGER NOT NULL,
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL
);
CREATE INDEX symbols_by_file ON symbols (file_id);
CREATE INDEX symbols_by_name ON symbols (name);
CREATE TABLE symbol_changes (
    symbol_id INTEGER NOT NULL,
    commit_id INTEGER NOT NULL,
    added_count INTEGER NOT NULL,
    removed_count INTEGER NOT NULL,
    PRIMARY KEY (symbol_id, commit_id)
) WITHOUT ROWID;
CREATE INDEX symbol_changes_by_commit ON symbol_changes (commit_id);
"""

STEP_2 = """
-- commits that cured or undid something, and what of a head's file still rests on them
CREATE TABLE guards (
    file_id INTEGER NOT NULL,
    commit_id INTEGER NOT NULL,
    weight REAL NOT NULL,           -- 0 to 1, how much a warning of it is worth; the list of a file goes by it
    lines BLOB NOT NULL,            -- lines of the head that it wrote last (store.index_briefs.pack_lines)
    gone BLOB NOT NULL,             -- keys of lines that it took out and that are nowhere in the head's file
    PRIMARY KEY (file_id, commit_id)
) WITHOUT ROWID;

-- files that change together with a file of the head, best first up to a bound
CREATE TABLE partners (
    file_id INTEGER NOT NULL,
    other_id INTEGER NOT NULL,
    score REAL NOT NULL,            -- 0 to 1
    support INTEGER NOT NULL,       -- commits that changed both
    total INTEGER NOT NULL,         -- commits that changed file_id
    is_hidden INTEGER NOT NULL,     -- neither imports the other
    speaks INTEGER NOT NULL,        -- worth telling unasked
    PRIMARY KEY (file_id, other_id)
) WITHOUT ROWID;
"""

STEP_3 = """
-- lines of a changed file that stood before the commit already, there or in another file: moved, re-indented,
-- rewrapped; runs of (first line, first line in the source, how many)
CREATE TABLE moved_lines (
    file_id INTEGER NOT NULL,
    commit_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL,
    source_blob BLOB NOT NULL,      -- what the source was before
    runs BLOB NOT NULL,             -- LEB128: lines since the last run, first line in the source, how many
    PRIMARY KEY (file_id, commit_id, source_id)
) WITHOUT ROWID;

-- what commits that cured or undid something took out of a file
CREATE TABLE removed_lines (
    file_id INTEGER NOT NULL,
    commit_id INTEGER NOT NULL,
    keys BLOB NOT NULL,             -- of the lines (store.index_briefs.pack_keys)
    PRIMARY KEY (file_id, commit_id)
) WITHOUT ROWID;
"""

STEP_4 = """
-- what the head's sources import, as they write it, one name a line; read from this content
CREATE TABLE imports (
    file_id INTEGER PRIMARY KEY,
    blob BLOB NOT NULL,
    names TEXT NOT NULL
);
-- files of the head that a file imports
CREATE TABLE links (
    file_id INTEGER NOT NULL,
    other_id INTEGER NOT NULL,
    PRIMARY KEY (file_id, other_id)
) WITHOUT ROWID;

-- files whose partners are not those of the head; is_reshaped: nor are those of the files that changed with it
CREATE TABLE unpaired (
    file_id INTEGER PRIMARY KEY,
    is_reshaped INTEGER NOT NULL
);
CREATE INDEX file_changes_by_origin ON file_changes (old_file_id) WHERE old_file_id IS NOT NULL;
"""

STEPS = (STEP_1, STEP_2, STEP_3, STEP_4)
