-- What curating records stands on: who did what to which record in one go and why, what else says the same, how far a
-- session was read for candidates, and stories of threads that a model told.

-- A dead end's command and its outcome, or whatever else shows that a record is so.
ALTER TABLE record ADD COLUMN evidence TEXT NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN commits_json TEXT NOT NULL DEFAULT '[]';
-- The memory file that a rule stands in; NULL for what stands in none.
ALTER TABLE record ADD COLUMN source_path TEXT;
-- The model that worded title and body; empty where nobody but people, agents and extraction did.
ALTER TABLE record ADD COLUMN written_by TEXT NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN served_count INTEGER NOT NULL DEFAULT 0;
CREATE INDEX record_source_path ON record (source_path) WHERE source_path IS NOT NULL;
CREATE INDEX record_session ON record (session) WHERE state = 'pending';

-- What changed besides the state, as it was before: a JSON object of columns.
ALTER TABLE record_history ADD COLUMN before_json TEXT NOT NULL DEFAULT '{}';
ALTER TABLE record_history ADD COLUMN reason TEXT NOT NULL DEFAULT '';
ALTER TABLE record_history ADD COLUMN batch_id TEXT;
CREATE INDEX record_history_batch ON record_history (batch_id) WHERE batch_id IS NOT NULL;

-- Verdicts that were given together, and can be taken back together.
CREATE TABLE batch (
    id             TEXT PRIMARY KEY,
    author         TEXT    NOT NULL,
    at_unix_ms     INTEGER NOT NULL,
    undone_unix_ms INTEGER,
    -- When the operator looked through what an agent had judged.
    seen_unix_ms   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX batch_at ON batch (at_unix_ms);

-- Another turn that says what a record says.
CREATE TABLE sighting (
    record_id  TEXT    NOT NULL REFERENCES record (id) ON DELETE CASCADE,
    turn       TEXT    NOT NULL,
    session    TEXT,
    origin     TEXT    NOT NULL,
    quote      TEXT    NOT NULL,
    at_unix_ms INTEGER NOT NULL,
    batch_id   TEXT,
    PRIMARY KEY (record_id, turn)
) STRICT, WITHOUT ROWID;

ALTER TABLE thread ADD COLUMN merged_into TEXT;
ALTER TABLE thread ADD COLUMN batch_id TEXT;

-- How far a session was read for candidates: the last entry that was, and the version of the rules that read it.
CREATE TABLE extraction (
    session_id       INTEGER PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    through_entry_id INTEGER NOT NULL,
    version          INTEGER NOT NULL,
    at_unix_ms       INTEGER NOT NULL
) STRICT;

-- What is read for candidates, session by session.
CREATE INDEX entry_message ON entry (session_id) WHERE kind IN ('prompt', 'answer');

-- Sentences that looked like a candidate and are none, by reason.
CREATE TABLE extraction_drop (
    session_id INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    reason     TEXT    NOT NULL,
    count      INTEGER NOT NULL,
    PRIMARY KEY (session_id, reason)
) STRICT, WITHOUT ROWID;

-- A thread's story as a model told it. The key covers every record of the thread with its state: another key, another story.
CREATE TABLE lineage (
    thread_id  TEXT PRIMARY KEY REFERENCES thread (id) ON DELETE CASCADE,
    key        TEXT    NOT NULL,
    prose      TEXT    NOT NULL,
    model      TEXT    NOT NULL,
    at_unix_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Memory files are read again: those that state a rule give a record from now on.
UPDATE source_file SET content_hash = '', mtime_ns = 0 WHERE source = 'memory';
