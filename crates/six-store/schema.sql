-- What the migrations add up to; a test compares.

CREATE TABLE anchor (
    record_id  TEXT    NOT NULL REFERENCES record (id) ON DELETE CASCADE,
    ordinal    INTEGER NOT NULL,
    path       TEXT    NOT NULL,
    first_line INTEGER,
    last_line  INTEGER,
    hash       TEXT,
    revision   TEXT,
    branch     TEXT, symbol TEXT, moved_to TEXT, merged INTEGER,
    PRIMARY KEY (record_id, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX anchor_path ON anchor (path);

CREATE TABLE batch (
    id             TEXT PRIMARY KEY,
    author         TEXT    NOT NULL,
    at_unix_ms     INTEGER NOT NULL,
    undone_unix_ms INTEGER,
    -- When the operator looked through what an agent had judged.
    seen_unix_ms   INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX batch_at ON batch (at_unix_ms);

CREATE TABLE body (
    id      INTEGER PRIMARY KEY,
    hash    BLOB    NOT NULL UNIQUE,
    weight  INTEGER NOT NULL,
    scope   TEXT    NOT NULL,
    title   TEXT    NOT NULL,
    handles TEXT    NOT NULL
, embeds INTEGER NOT NULL DEFAULT 0, newest_unix_ms INTEGER NOT NULL DEFAULT 0, model_id INTEGER) STRICT;

CREATE INDEX body_embed ON body (weight, newest_unix_ms, model_id, embeds) WHERE embeds > 1;

CREATE INDEX body_model ON body (model_id) WHERE model_id IS NOT NULL;

CREATE INDEX body_record ON body (model_id) WHERE scope = '=record' AND model_id IS NOT NULL;

CREATE VIRTUAL TABLE body_fts USING fts5 (
    body, identifiers, title, handles, scope,
    content = '', contentless_delete = 1,
    tokenize = 'unicode61 remove_diacritics 0 categories ''L* M* N* P* S* Co'''
);

CREATE TABLE boundary (
    id         INTEGER PRIMARY KEY,
    session    TEXT    NOT NULL,
    edge       TEXT    NOT NULL,
    detail     TEXT    NOT NULL,
    at_unix_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX boundary_at ON boundary (at_unix_ms);

CREATE TABLE chunk (
    id          INTEGER PRIMARY KEY,
    entry_id    INTEGER NOT NULL REFERENCES entry (id),
    body_id     INTEGER NOT NULL REFERENCES body (id),
    start_bytes INTEGER NOT NULL,
    end_bytes   INTEGER NOT NULL,
    first_line  INTEGER,
    last_line   INTEGER,
    title       TEXT    NOT NULL
) STRICT;

CREATE INDEX chunk_body ON chunk (body_id);

CREATE INDEX chunk_entry ON chunk (entry_id);

CREATE TABLE claim (
    call       TEXT    NOT NULL,
    via        TEXT    NOT NULL,
    ordinal    INTEGER NOT NULL,
    at_unix_ms INTEGER NOT NULL,
    PRIMARY KEY (call, via, ordinal)
) STRICT, WITHOUT ROWID;

CREATE INDEX claim_age ON claim (at_unix_ms);

CREATE TABLE delivery (
    session      TEXT    NOT NULL,
    item         TEXT    NOT NULL,
    count        INTEGER NOT NULL,
    last_unix_ms INTEGER NOT NULL,
    PRIMARY KEY (session, item)
) STRICT, WITHOUT ROWID;

CREATE TABLE entry (
    id             INTEGER PRIMARY KEY,
    source         TEXT    NOT NULL,
    key            ANY     NOT NULL,
    kind           TEXT    NOT NULL,
    origin         TEXT    NOT NULL,
    source_file_id INTEGER REFERENCES source_file (id),
    session_id     INTEGER REFERENCES session (id),
    path           TEXT,
    at_unix_ms     INTEGER,
    branch         TEXT,
    abandoned      INTEGER NOT NULL DEFAULT 0,
    title          TEXT    NOT NULL,
    text           TEXT    NOT NULL,
    UNIQUE (source, key)
) STRICT;

CREATE INDEX entry_memory_path ON entry (path) WHERE kind = 'memory';

CREATE INDEX entry_message ON entry (session_id) WHERE kind IN ('prompt', 'answer');

CREATE INDEX entry_prompt_at ON entry (at_unix_ms) WHERE kind = 'prompt';

CREATE INDEX entry_source_file ON entry (source_file_id);

CREATE INDEX entry_tool_at ON entry (at_unix_ms) WHERE kind = 'tool' AND origin = 'agent';

CREATE TABLE entry_holder (
    entry_id       INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
    source_file_id INTEGER NOT NULL REFERENCES source_file (id) ON DELETE CASCADE,
    PRIMARY KEY (entry_id, source_file_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX entry_holder_file ON entry_holder (source_file_id);

CREATE TABLE episode (
    id               INTEGER PRIMARY KEY,
    name             TEXT    NOT NULL,
    fault            TEXT    NOT NULL,
    detail           TEXT    NOT NULL,
    fix              TEXT    NOT NULL,
    -- The first thing that shows the fault, which is as old; NULL where that is not known.
    evidence_unix_ms INTEGER,
    -- When the gate first said it.
    shown_unix_ms    INTEGER NOT NULL,
    -- When a command of its fix was run, or it was first seen gone.
    remedied_unix_ms INTEGER,
    -- `fix` or `gone`.
    remedy           TEXT
) STRICT;

CREATE UNIQUE INDEX episode_open ON episode (name, fault) WHERE remedied_unix_ms IS NULL;

CREATE INDEX episode_shown ON episode (shown_unix_ms);

CREATE TABLE extraction (
    session_id       INTEGER PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    through_entry_id INTEGER NOT NULL,
    version          INTEGER NOT NULL,
    at_unix_ms       INTEGER NOT NULL
) STRICT;

CREATE TABLE extraction_drop (
    session_id INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    reason     TEXT    NOT NULL,
    count      INTEGER NOT NULL,
    PRIMARY KEY (session_id, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE health_observation (
    id         INTEGER PRIMARY KEY,
    at_unix_ms INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    fault      TEXT,
    detail     TEXT    NOT NULL
) STRICT;

CREATE INDEX health_observation_at ON health_observation (name, at_unix_ms);

CREATE TABLE heartbeat (
    id              INTEGER PRIMARY KEY,
    event_id        TEXT    NOT NULL UNIQUE,
    hook            TEXT    NOT NULL,
    event           TEXT    NOT NULL,
    session         TEXT,
    via             TEXT    NOT NULL,
    pid             INTEGER NOT NULL,
    version         TEXT    NOT NULL,
    started_unix_ms INTEGER NOT NULL,
    deadline_ms     INTEGER NOT NULL,
    synthetic       INTEGER NOT NULL,
    ended_unix_ms   INTEGER,
    outcome         TEXT,
    class           TEXT,
    text            TEXT,
    rows_written    INTEGER,
    emitted_bytes   INTEGER,
    applied         INTEGER NOT NULL DEFAULT 0
, took_us INTEGER) STRICT;

CREATE INDEX heartbeat_failed ON heartbeat (hook, started_unix_ms)
    WHERE synthetic = 0 AND outcome IN ('failed', 'timed-out');

CREATE INDEX heartbeat_hook ON heartbeat (hook, synthetic, started_unix_ms);

CREATE INDEX heartbeat_session ON heartbeat (session, hook, started_unix_ms);

CREATE INDEX heartbeat_started ON heartbeat (started_unix_ms) WHERE synthetic = 0;

CREATE TABLE judgement (
    event_id   TEXT    NOT NULL,
    rater      TEXT    NOT NULL,
    verdict    TEXT    NOT NULL,
    note       TEXT    NOT NULL DEFAULT '',
    at_unix_ms INTEGER NOT NULL,
    PRIMARY KEY (event_id, rater)
) STRICT, WITHOUT ROWID;

CREATE TABLE left_behind (
    source_file_id INTEGER NOT NULL REFERENCES source_file (id) ON DELETE CASCADE,
    uuid           BLOB    NOT NULL,
    PRIMARY KEY (source_file_id, uuid)
) STRICT, WITHOUT ROWID;

CREATE TABLE lineage (
    thread_id  TEXT PRIMARY KEY REFERENCES thread (id) ON DELETE CASCADE,
    key        TEXT    NOT NULL,
    prose      TEXT    NOT NULL,
    model      TEXT    NOT NULL,
    at_unix_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE model (
    id    INTEGER PRIMARY KEY,
    name  TEXT    NOT NULL,
    width INTEGER NOT NULL,
    UNIQUE (name, width)
) STRICT;

CREATE TABLE mute (
    session       TEXT PRIMARY KEY,
    since_unix_ms INTEGER NOT NULL,
    until_unix_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE receipt (
    id           INTEGER PRIMARY KEY,
    event_id     TEXT    NOT NULL UNIQUE,
    session      TEXT    NOT NULL,
    prompt_id    TEXT,
    at_unix_ms   INTEGER NOT NULL,
    mode         TEXT    NOT NULL,
    human        INTEGER NOT NULL,
    silenced     TEXT,
    fired        INTEGER NOT NULL,
    took_us      INTEGER NOT NULL,
    receipt_json TEXT    NOT NULL
) STRICT;

CREATE INDEX receipt_session ON receipt (session, at_unix_ms);

CREATE TABLE record (
    id                TEXT PRIMARY KEY,
    kind              TEXT    NOT NULL,
    state             TEXT    NOT NULL,
    origin            TEXT    NOT NULL,
    title             TEXT    NOT NULL,
    body              TEXT    NOT NULL,
    quote             TEXT    NOT NULL,
    rejected_json     TEXT    NOT NULL,
    revive_if         TEXT    NOT NULL,
    scope             TEXT    NOT NULL,
    thread_id         TEXT,
    superseded_by     TEXT,
    session           TEXT,
    turn              TEXT,
    created_unix_ms   INTEGER NOT NULL,
    validated_unix_ms INTEGER NOT NULL,
    served_unix_ms    INTEGER
, evidence TEXT NOT NULL DEFAULT '', commits_json TEXT NOT NULL DEFAULT '[]', source_path TEXT, written_by TEXT NOT NULL DEFAULT '', served_count INTEGER NOT NULL DEFAULT 0) STRICT, WITHOUT ROWID;

CREATE INDEX record_session ON record (session) WHERE state = 'pending';

CREATE INDEX record_source_path ON record (source_path) WHERE source_path IS NOT NULL;

CREATE INDEX record_state ON record (state, kind, created_unix_ms);

CREATE INDEX record_thread ON record (thread_id);

CREATE TABLE record_history (
    id         INTEGER PRIMARY KEY,
    record_id  TEXT    NOT NULL,
    state_from TEXT,
    state_to   TEXT    NOT NULL,
    author     TEXT    NOT NULL,
    at_unix_ms INTEGER NOT NULL
, before_json TEXT NOT NULL DEFAULT '{}', reason TEXT NOT NULL DEFAULT '', batch_id TEXT) STRICT;

CREATE INDEX record_history_batch ON record_history (batch_id) WHERE batch_id IS NOT NULL;

CREATE INDEX record_history_record ON record_history (record_id);

CREATE TABLE render (
    id         INTEGER PRIMARY KEY,
    session    TEXT    NOT NULL,
    at_unix_ms INTEGER NOT NULL,
    hash       TEXT    NOT NULL,
    units      INTEGER NOT NULL,
    line       TEXT    NOT NULL
, corpus TEXT NOT NULL DEFAULT '', over TEXT NOT NULL DEFAULT '') STRICT;

CREATE INDEX render_session ON render (session, at_unix_ms);

CREATE TABLE session (
    id            INTEGER PRIMARY KEY,
    name          TEXT    NOT NULL UNIQUE,
    first_unix_ms INTEGER,
    last_unix_ms  INTEGER,
    client        TEXT    NOT NULL DEFAULT '',
    entrypoint    TEXT    NOT NULL DEFAULT '',
    prompts       INTEGER NOT NULL DEFAULT 0
, start_trace INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE INDEX session_block ON session (client, entrypoint) WHERE start_trace = 2;

CREATE INDEX session_first ON session (first_unix_ms);

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

CREATE TABLE skip (
    source_file_id INTEGER NOT NULL REFERENCES source_file (id) ON DELETE CASCADE,
    reason         TEXT    NOT NULL,
    count          INTEGER NOT NULL,
    PRIMARY KEY (source_file_id, reason)
) STRICT, WITHOUT ROWID;

CREATE TABLE source_file (
    id               INTEGER PRIMARY KEY,
    source           TEXT    NOT NULL,
    path_hash        TEXT    NOT NULL,
    path             TEXT    NOT NULL,
    size_bytes       INTEGER NOT NULL,
    mtime_ns         INTEGER NOT NULL,
    content_hash     TEXT    NOT NULL,
    consumed_bytes   INTEGER NOT NULL,
    consumed_lines   INTEGER NOT NULL,
    fails            INTEGER NOT NULL,
    last_error       TEXT    NOT NULL,
    tried_unix_ms    INTEGER NOT NULL,
    consumed_unix_ms INTEGER,
    UNIQUE (source, path_hash)
) STRICT;

CREATE TABLE subsystem (
    id              TEXT PRIMARY KEY,
    name            TEXT    NOT NULL,
    purpose         TEXT    NOT NULL,
    paths_json      TEXT    NOT NULL,
    state           TEXT    NOT NULL,
    origin          TEXT    NOT NULL,
    created_unix_ms INTEGER NOT NULL
, source_path TEXT, entry_points_json TEXT NOT NULL DEFAULT '[]') STRICT, WITHOUT ROWID;

CREATE TABLE telemetry_day (
    measure      TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    at_unix_days INTEGER NOT NULL,
    detail       TEXT    NOT NULL,
    count        INTEGER NOT NULL,
    PRIMARY KEY (measure, name, at_unix_days, detail)
) STRICT, WITHOUT ROWID;

CREATE TABLE term (
    term TEXT PRIMARY KEY,
    df   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE thread (
    id              TEXT PRIMARY KEY,
    name            TEXT    NOT NULL,
    summary         TEXT    NOT NULL,
    open            INTEGER NOT NULL,
    created_unix_ms INTEGER NOT NULL
, merged_into TEXT, batch_id TEXT) STRICT, WITHOUT ROWID;

CREATE TABLE transcript_leaf (
    source_file_id INTEGER PRIMARY KEY REFERENCES source_file (id) ON DELETE CASCADE,
    uuid           BLOB NOT NULL
) STRICT;

CREATE TABLE transcript_tree (
    id             INTEGER PRIMARY KEY,
    source_file_id INTEGER NOT NULL REFERENCES source_file (id) ON DELETE CASCADE,
    links          BLOB    NOT NULL
) STRICT;

CREATE INDEX transcript_tree_file ON transcript_tree (source_file_id);

CREATE TABLE vector (
    body_id  INTEGER PRIMARY KEY REFERENCES body (id),
    model_id INTEGER NOT NULL REFERENCES model (id),
    signs    BLOB    NOT NULL,
    value_i8 BLOB    NOT NULL
) STRICT;

CREATE INDEX vector_signs ON vector (model_id, signs);

CREATE TABLE work (
    id             INTEGER PRIMARY KEY,
    kind           TEXT    NOT NULL,
    payload_json   TEXT    NOT NULL,
    queued_unix_ms INTEGER NOT NULL,
    done_unix_ms   INTEGER
) STRICT;

CREATE INDEX work_open ON work (id) WHERE done_unix_ms IS NULL;
