-- Health that remembers: how long a fault lasted, and whether what a session start showed lives and arrives.

-- A fault of a check, from the first row that shows it until it is gone. One at a time is open of a check and a fault.
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

-- What the corpus was when the block was made: a block that stays the same while that moves is frozen.
ALTER TABLE render ADD COLUMN corpus TEXT NOT NULL DEFAULT '';
-- The first section that was longer than it may be, with its length; empty where none was.
ALTER TABLE render ADD COLUMN over TEXT NOT NULL DEFAULT '';
-- What the transcript shows of the session's start: 0 nothing, 1 what hooks said, 2 our block in it.
ALTER TABLE session ADD COLUMN start_trace INTEGER NOT NULL DEFAULT 0;

-- How long an invocation took by a clock that nobody sets; NULL where only the times tell.
ALTER TABLE heartbeat ADD COLUMN took_us INTEGER;

-- Calls of tools by their time, so that health asks only for those since a boundary.
CREATE INDEX entry_tool_at ON entry (at_unix_ms) WHERE kind = 'tool' AND origin = 'agent';
-- When a session called a hook first and last, without a look at each of its rows.
DROP INDEX heartbeat_session;
CREATE INDEX heartbeat_session ON heartbeat (session, hook, started_unix_ms);

-- Sessions by the time when they began: health asks for those since a boundary, a machine may have run thousands.
CREATE INDEX session_first ON session (first_unix_ms);
-- The few that tell which clients write down what hooks say at a start.
CREATE INDEX session_block ON session (client, entrypoint) WHERE start_trace = 2;
