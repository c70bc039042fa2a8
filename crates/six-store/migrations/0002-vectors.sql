-- What a body means: one vector per distinct text, of one model.

CREATE TABLE model (
    id    INTEGER PRIMARY KEY,
    name  TEXT    NOT NULL,
    width INTEGER NOT NULL,
    UNIQUE (name, width)
) STRICT;

-- `value_i8`: a byte for each value, two's complement, one scale for all. `signs`: a bit for each, set where it is above 0.
CREATE TABLE vector (
    body_id  INTEGER PRIMARY KEY REFERENCES body (id),
    model_id INTEGER NOT NULL REFERENCES model (id),
    signs    BLOB    NOT NULL,
    value_i8 BLOB    NOT NULL
) STRICT;
-- All that the first pass of a search reads.
CREATE INDEX vector_signs ON vector (model_id, signs);

-- `embeds`: how much of a body gets a vector: 0 nothing, 1 a turn, where turns do, 2 its first line, 3 all of it.
-- `model_id`: whose vector it has. `newest_unix_ms`: of its newest reference,
-- 0 where none has a date.
ALTER TABLE body ADD COLUMN embeds INTEGER NOT NULL DEFAULT 0;
ALTER TABLE body ADD COLUMN newest_unix_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE body ADD COLUMN model_id INTEGER;
UPDATE body SET
    embeds = CASE
        WHEN weight > 15 THEN 3
        WHEN weight = 15 THEN 2 * EXISTS (SELECT 1 FROM chunk c WHERE c.body_id = body.id AND c.start_bytes = 0)
        WHEN weight IN (5, 10) THEN 1
        ELSE 0
    END,
    newest_unix_ms = ifnull((
        SELECT max(e.at_unix_ms) FROM chunk c JOIN entry e ON e.id = c.entry_id WHERE c.body_id = body.id
    ), 0);
-- What always gets a vector, in the order in which it does; covers the counts of a session start.
CREATE INDEX body_embed ON body (weight, newest_unix_ms, model_id, embeds) WHERE embeds > 1;
CREATE INDEX body_model ON body (model_id) WHERE model_id IS NOT NULL;
