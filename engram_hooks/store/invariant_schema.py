"""The step that adds rules which always hold: those of a repository's file, compiled, and private ones."""

STEP_5 = """
CREATE TABLE invariants (
    id INTEGER PRIMARY KEY,
    project_id INTEGER NOT NULL,
    file TEXT NOT NULL,             -- the .engram/invariants.toml that it stands in; '' is a private one
    name TEXT NOT NULL,
    line INTEGER NOT NULL DEFAULT 0,
    text TEXT NOT NULL,
    why TEXT NOT NULL DEFAULT '',
    since TEXT NOT NULL DEFAULT '',
    severity TEXT NOT NULL,         -- info | warning | critical
    enforcement TEXT NOT NULL DEFAULT '',   -- advise | confirm | ask; '' goes by the severity
    symbol TEXT NOT NULL DEFAULT '',        -- a pattern of names that a change must touch; '' for any
    globs TEXT NOT NULL,            -- JSON, without braces
    created_at INTEGER NOT NULL,
    UNIQUE (project_id, file, name)
);

-- what a path must have for a glob of a rule to match (recall.globs.key_of)
CREATE TABLE invariant_keys (
    project_id INTEGER NOT NULL,
    key TEXT NOT NULL,
    invariant_id INTEGER NOT NULL,
    PRIMARY KEY (project_id, key, invariant_id)
) WITHOUT ROWID;
CREATE INDEX invariant_keys_by_rule ON invariant_keys (invariant_id);
"""
