-- What deciding when to interrupt stands on: names that anchors cite and where the cited text went, the inventory's file,
-- silences, claims of hooks that are wired twice, and people's judgements of what was shown.

ALTER TABLE anchor ADD COLUMN symbol TEXT;
-- Where the worker found the cited text after it left its place, as PATH or PATH:FIRST-LAST.
ALTER TABLE anchor ADD COLUMN moved_to TEXT;
-- 1 when the cited revision is part of the history of what is checked out, 0 when it is not; NULL until looked at.
ALTER TABLE anchor ADD COLUMN merged INTEGER;
CREATE INDEX anchor_path ON anchor (path);
CREATE INDEX record_thread ON record (thread_id);

-- The inventory file that an entry comes from; NULL for one that was entered directly.
ALTER TABLE subsystem ADD COLUMN source_path TEXT;
ALTER TABLE subsystem ADD COLUMN entry_points_json TEXT NOT NULL DEFAULT '[]';

-- Silence that somebody asked for: of one session, or of the whole project where `session` is empty.
CREATE TABLE mute (
    session       TEXT PRIMARY KEY,
    since_unix_ms INTEGER NOT NULL,
    until_unix_ms INTEGER
) STRICT, WITHOUT ROWID;

-- A call of a hook that was wired twice: the second of two equal calls finds the row of the first.
CREATE TABLE claim (
    call       TEXT    NOT NULL,
    via        TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL,
    at_unix_ms INTEGER NOT NULL,
    PRIMARY KEY (call, via, ordinal)
) STRICT, WITHOUT ROWID;
CREATE INDEX claim_age ON claim (at_unix_ms);

-- What a person thought of one firing.
CREATE TABLE judgement (
    event_id   TEXT    NOT NULL,
    rater      TEXT    NOT NULL,
    verdict    TEXT    NOT NULL,
    note       TEXT    NOT NULL DEFAULT '',
    at_unix_ms INTEGER NOT NULL,
    PRIMARY KEY (event_id, rater)
) STRICT, WITHOUT ROWID;

CREATE INDEX receipt_session ON receipt (session, at_unix_ms);

-- What was read as a mere document is read again as what it is.
UPDATE source_file SET content_hash = '', mtime_ns = 0
WHERE source = 'doc' AND lower(path) IN ('inventory.md', 'docs/inventory.md');
-- The few bodies that a prompt is compared with by meaning, among all that have a vector.
CREATE INDEX body_record ON body (model_id) WHERE scope = '=record' AND model_id IS NOT NULL;
