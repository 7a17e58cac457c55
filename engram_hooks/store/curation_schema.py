"""The step that keeps memory true over time: core blocks, claims, anchors, relations, use, summaries, the brain."""

_CORE = """
-- the two blocks that every session begins with, and the state of the Markdown file of each
CREATE TABLE core (
    block TEXT PRIMARY KEY,         -- user | agent
    text TEXT NOT NULL,             -- one entry a line
    version INTEGER NOT NULL,
    mirror_version INTEGER NOT NULL DEFAULT 0,  -- the version that the file held when both said the same
    mirror_hash TEXT NOT NULL DEFAULT '',       -- of the file then
    mirror_bytes INTEGER NOT NULL DEFAULT -1,   -- size and time of the file when it was last looked at
    mirror_mtime_ns INTEGER NOT NULL DEFAULT 0,
    updated_at INTEGER NOT NULL
) WITHOUT ROWID;
-- every version of them
CREATE TABLE core_history (
    id INTEGER PRIMARY KEY,
    block TEXT NOT NULL,
    version INTEGER NOT NULL,
    text TEXT NOT NULL,
    restores INTEGER,               -- the version whose text an undo brought back
    actor TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    UNIQUE (block, version)
);
"""

_ANCHORS = """
-- the code that a record speaks of: as it was when that was last found true
CREATE TABLE anchors (
    id INTEGER PRIMARY KEY,
    record_id INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- file | glob | symbol | lines | commit
    ref TEXT NOT NULL,              -- as it was named: path, glob, path#symbol, path:first-last, commit
    place TEXT NOT NULL,            -- the same where it is now: renamed, moved, rewritten
    source TEXT NOT NULL,           -- given (by a person) | paths | summary | detail: where it is named
    blob TEXT NOT NULL DEFAULT '',  -- what the file was then
    content TEXT NOT NULL DEFAULT '',   -- what lines or a commit are known by when they move
    state TEXT NOT NULL DEFAULT 'there',    -- there | gone | waived (gone, a person keeps the record) |
                                    -- new (never seen on the mainline or the record's branch)
    reason TEXT NOT NULL DEFAULT '',
    checked_at INTEGER NOT NULL,
    UNIQUE (record_id, kind, ref)
);
CREATE INDEX anchors_gone ON anchors (record_id) WHERE state = 'gone';

-- records that are still to be read for what they speak of
CREATE TABLE anchor_todo (
    record_id INTEGER PRIMARY KEY,
    is_waiting INTEGER NOT NULL DEFAULT 0   -- it was read, and a file that it names is not there yet
);
INSERT INTO anchor_todo (record_id) SELECT id FROM records WHERE status IN ('active', 'compacted', 'stale');
CREATE TRIGGER records_anchor_added AFTER INSERT ON records WHEN NEW.status IN ('active', 'compacted')
BEGIN
    INSERT OR REPLACE INTO anchor_todo VALUES (NEW.id, 0);
END;
CREATE TRIGGER records_anchor_changed AFTER UPDATE OF summary, detail, paths, status ON records
WHEN NEW.status IN ('active', 'compacted', 'stale') AND (OLD.summary <> NEW.summary OR OLD.detail <> NEW.detail
    OR OLD.paths <> NEW.paths OR OLD.status IN ('candidate', 'needs_review', 'quarantined'))
BEGIN
    INSERT OR REPLACE INTO anchor_todo VALUES (NEW.id, 0);
END;
"""

_BRANCHES = """
-- branches on which records were made, and what became of them
CREATE TABLE branches (
    project_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    tip TEXT NOT NULL DEFAULT '',   -- the commit that it was last seen at
    state TEXT NOT NULL,            -- open | merged | gone
    has_own INTEGER NOT NULL DEFAULT 0,     -- it had commits that the mainline had not
    merged_as TEXT NOT NULL DEFAULT '',     -- the commit by which the mainline got it
    merged_how TEXT NOT NULL DEFAULT '',    -- merge | forward | squash | rebase | message
    merged_at INTEGER,
    is_kept INTEGER NOT NULL DEFAULT 0,     -- a person wants its records to stay on it
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, name)
) WITHOUT ROWID;
CREATE INDEX records_by_branch ON records (project_id, branch) WHERE branch <> '';
"""

_RELATIONS = """
-- what records speak of, and how these things stand to each other; a relation holds as long as its record does
CREATE TABLE entities (
    id INTEGER PRIMARY KEY,
    norm TEXT NOT NULL UNIQUE,      -- as it is compared
    created_at INTEGER NOT NULL
);
CREATE TABLE mentions (
    entity_id INTEGER NOT NULL,
    record_id INTEGER NOT NULL,
    kind TEXT NOT NULL,             -- tool | service | person | file | symbol | concept: what it is in this record
    name TEXT NOT NULL,             -- as this record writes it
    PRIMARY KEY (entity_id, record_id)
) WITHOUT ROWID;
CREATE INDEX mentions_by_record ON mentions (record_id);
CREATE TABLE relations (
    source_id INTEGER NOT NULL,     -- entities
    kind TEXT NOT NULL,             -- uses | replaces | depends_on | ...
    target_id INTEGER NOT NULL,
    record_id INTEGER NOT NULL,
    PRIMARY KEY (source_id, kind, target_id, record_id)
) WITHOUT ROWID;
CREATE INDEX relations_by_record ON relations (record_id);
CREATE INDEX relations_by_target ON relations (target_id);

-- records that are still to be read for entities and relations
CREATE TABLE relation_todo (record_id INTEGER PRIMARY KEY);
INSERT INTO relation_todo SELECT id FROM records WHERE status NOT IN ('candidate', 'needs_review', 'quarantined');
CREATE TRIGGER records_relation_added AFTER INSERT ON records
WHEN NEW.status NOT IN ('candidate', 'needs_review', 'quarantined')
BEGIN
    INSERT OR IGNORE INTO relation_todo VALUES (NEW.id);
END;
CREATE TRIGGER records_relation_changed AFTER UPDATE OF summary, detail, paths, status ON records
WHEN OLD.summary <> NEW.summary OR OLD.detail <> NEW.detail OR OLD.paths <> NEW.paths
    OR (OLD.status IN ('candidate', 'needs_review', 'quarantined'))
        <> (NEW.status IN ('candidate', 'needs_review', 'quarantined'))
BEGIN
    INSERT OR IGNORE INTO relation_todo VALUES (NEW.id);
END;
CREATE TRIGGER records_relation_deleted AFTER DELETE ON records
BEGIN
    DELETE FROM relation_todo WHERE record_id = OLD.id;
    DELETE FROM relations WHERE record_id = OLD.id;
    DELETE FROM mentions WHERE record_id = OLD.id;
END;
CREATE TRIGGER mentions_deleted AFTER DELETE ON mentions
WHEN NOT EXISTS (SELECT 1 FROM mentions WHERE entity_id = OLD.entity_id)
BEGIN
    DELETE FROM entities WHERE id = OLD.entity_id;
END;
"""

_USE = """
-- how a project's sessions took what they were given
CREATE TABLE usage (
    project_id INTEGER NOT NULL,
    record_id INTEGER NOT NULL,
    used REAL NOT NULL DEFAULT 0,   -- decayed counts of turns
    ignored REAL NOT NULL DEFAULT 0,
    standing REAL NOT NULL DEFAULT 0,   -- what this adds to the log odds; above 0 it is credit
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (project_id, record_id)
) WITHOUT ROWID;
CREATE INDEX usage_by_record ON usage (record_id);

-- what became of each thing that was shown
CREATE TABLE verdicts (
    shown_id INTEGER PRIMARY KEY,
    record_id INTEGER NOT NULL,
    verdict TEXT NOT NULL,          -- used | ignored | wrong | unknown
    step REAL NOT NULL,             -- what it adds to the standing
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL
);
CREATE INDEX verdicts_by_record ON verdicts (record_id);

-- up to where a session's turns were judged: the log row that the last one begins with
CREATE TABLE judged (
    session_id INTEGER PRIMARY KEY,
    log_id INTEGER NOT NULL
);

-- what somebody said of a record
CREATE TABLE feedback (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL,
    record_id INTEGER NOT NULL,
    verdict TEXT NOT NULL,          -- useful | wrong
    actor TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL
);
CREATE INDEX feedback_by_record ON feedback (record_id);

-- a user had to say what a record says that was not shown
CREATE TABLE misses (
    log_id INTEGER PRIMARY KEY,     -- the row of the user's words
    session_id INTEGER NOT NULL,
    record_id INTEGER NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE INDEX misses_by_record ON misses (record_id);
"""

_SUMMARIES = """
-- what a session was about, made from its log
CREATE TABLE session_summaries (
    session_id INTEGER PRIMARY KEY,
    text TEXT NOT NULL,
    log_id INTEGER NOT NULL,        -- the last row that it knows
    source TEXT NOT NULL,           -- extract | brain
    created_at INTEGER NOT NULL
);
"""

_BRAIN = """
-- what the user's own model was asked, for the hourly budget: never the words themselves
CREATE TABLE brain_calls (
    id INTEGER PRIMARY KEY,
    purpose TEXT NOT NULL,          -- extract | resolve | summarise | reflect | test
    outcome TEXT NOT NULL,          -- running | ok | timeout | too_long | malformed | failed
    reason TEXT NOT NULL DEFAULT '',
    token_count INTEGER NOT NULL,
    took_ms INTEGER NOT NULL,
    created_at INTEGER NOT NULL
);
CREATE INDEX brain_calls_by_time ON brain_calls (created_at);
-- how far it was given a session's log to find memories in
CREATE TABLE brain_sessions (
    session_id INTEGER PRIMARY KEY,
    log_id INTEGER NOT NULL
);
"""

_RIVALS = """
-- pairs of records that may set one thing to two values: a person says which holds
CREATE TABLE rivals (
    newer_id INTEGER NOT NULL,
    older_id INTEGER NOT NULL,
    cosine REAL NOT NULL,           -- how alike they are in meaning
    is_answered INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (newer_id, older_id)
) WITHOUT ROWID;
"""

_TRIED = """
-- in how many approaches a word stands
CREATE VIRTUAL TABLE attempts_terms USING fts5vocab (attempts_fts, row);
"""

_LOOKED = """
-- under which signs a summary was found plain, so that it is told as it is (guard.firewall.LOOKED; negative: not plain)
ALTER TABLE records ADD COLUMN looked_by INTEGER NOT NULL DEFAULT 0;
"""

STEP_6 = "".join((_CORE, _ANCHORS, _BRANCHES, _RELATIONS, _USE, _SUMMARIES, _BRAIN, _RIVALS, _TRIED, _LOOKED))
