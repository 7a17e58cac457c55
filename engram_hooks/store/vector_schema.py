"""The step of the schema that brings vectors. A released step is frozen."""

from __future__ import annotations

STEP_2 = """
-- which tables and models give records their vectors; one answers, another may be on its way
CREATE TABLE vector_models (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,             -- 'bundled', a folder, or a name on the hub
    fingerprint TEXT NOT NULL UNIQUE,
    dims INTEGER NOT NULL,
    is_hot INTEGER NOT NULL,        -- hooks can encode a prompt with it
    is_serving INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
);

-- vectors that are not in a segment yet
CREATE TABLE vectors (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    record_id INTEGER NOT NULL,
    model_id INTEGER NOT NULL,
    project_id INTEGER NOT NULL,
    signs BLOB NOT NULL,            -- a bit a component, little-endian: above the middle
    stored BLOB NOT NULL,           -- a byte a component: 128 + the unit vector, scaled
    UNIQUE (record_id, model_id)
);
CREATE INDEX vectors_by_project ON vectors (model_id, project_id);

-- vectors that lie together in a file of the folder `vectors`, by which hooks find them
CREATE TABLE vector_segments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    uid TEXT NOT NULL,              -- the name of the file
    model_id INTEGER NOT NULL,
    project_id INTEGER NOT NULL,
    row_count INTEGER NOT NULL DEFAULT 0,
    is_ready INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
);
CREATE INDEX vector_segments_by_project ON vector_segments (project_id, model_id);

-- what a record's vector said is not true any more, in all segments up to this one
CREATE TABLE vector_gone (
    id INTEGER PRIMARY KEY,
    record_id INTEGER NOT NULL,
    project_id INTEGER NOT NULL,
    segment_id INTEGER NOT NULL
);
CREATE INDEX vector_gone_by_record ON vector_gone (record_id);
CREATE INDEX vector_gone_by_project ON vector_gone (project_id);

-- records that wait for a vector; an entry that was renewed has another id
CREATE TABLE vector_todo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    model_id INTEGER NOT NULL,
    record_id INTEGER NOT NULL,
    UNIQUE (model_id, record_id)
);

CREATE TRIGGER records_vector_added AFTER INSERT ON records WHEN NEW.status IN ('active', 'compacted')
BEGIN
    INSERT INTO vector_todo (model_id, record_id) SELECT id, NEW.id FROM vector_models;
END;
CREATE TRIGGER records_vector_changed AFTER UPDATE OF summary, detail, tags, status, project_id ON records
WHEN OLD.summary <> NEW.summary OR OLD.detail <> NEW.detail OR OLD.tags <> NEW.tags
    OR OLD.project_id <> NEW.project_id
    OR (OLD.status IN ('active', 'compacted')) <> (NEW.status IN ('active', 'compacted'))
BEGIN
    DELETE FROM vectors WHERE record_id = OLD.id;
    DELETE FROM vector_todo WHERE record_id = OLD.id AND model_id IN (SELECT id FROM vector_models);
    INSERT INTO vector_gone (record_id, project_id, segment_id)
        SELECT OLD.id, OLD.project_id, newest.id
        FROM (SELECT max(id) AS id FROM vector_segments WHERE project_id = OLD.project_id) AS newest
        WHERE newest.id IS NOT NULL AND OLD.status IN ('active', 'compacted');
    INSERT INTO vector_todo (model_id, record_id) SELECT id, NEW.id FROM vector_models
        WHERE NEW.status IN ('active', 'compacted');
END;
CREATE TRIGGER records_vector_deleted AFTER DELETE ON records
BEGIN
    DELETE FROM vectors WHERE record_id = OLD.id;
    DELETE FROM vector_todo WHERE record_id = OLD.id AND model_id IN (SELECT id FROM vector_models);
    INSERT INTO vector_gone (record_id, project_id, segment_id)
        SELECT OLD.id, OLD.project_id, newest.id
        FROM (SELECT max(id) AS id FROM vector_segments WHERE project_id = OLD.project_id) AS newest
        WHERE newest.id IS NOT NULL AND OLD.status IN ('active', 'compacted');
END;
"""
