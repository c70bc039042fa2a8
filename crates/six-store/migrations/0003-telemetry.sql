-- Telemetry that is too old to be kept row by row, as counts of a day (UTC). What `name` and `detail` mean depends on
-- `measure`.

CREATE TABLE telemetry_day (
    measure      TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    at_unix_days INTEGER NOT NULL,
    detail       TEXT    NOT NULL,
    count        INTEGER NOT NULL,
    PRIMARY KEY (measure, name, at_unix_days, detail)
) STRICT, WITHOUT ROWID;
