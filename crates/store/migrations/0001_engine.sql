-- The engine's rows. Rows refer to each other by the integer `n`, which is a tenth of the text identifier's size.
CREATE TABLE threads (
    n           INTEGER PRIMARY KEY,
    id          TEXT NOT NULL UNIQUE,
    tenant      TEXT NOT NULL,
    agent       TEXT NOT NULL,
    title       TEXT,
    metadata    TEXT NOT NULL,
    created     INTEGER NOT NULL,
    updated     INTEGER NOT NULL,
    head        TEXT,
    active      TEXT,
    last_run    TEXT,
    status      TEXT,
    forked_from TEXT
) STRICT;
CREATE INDEX threads_listed ON threads (updated DESC, id DESC);

CREATE TABLE runs (
    n          INTEGER PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    thread     INTEGER NOT NULL REFERENCES threads (n),
    tenant     TEXT NOT NULL,
    agent      TEXT NOT NULL,
    status     TEXT NOT NULL,
    created    INTEGER NOT NULL,
    updated    INTEGER NOT NULL,
    steps      INTEGER NOT NULL,
    step_limit INTEGER NOT NULL,
    error      TEXT,
    epoch      INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    events     INTEGER NOT NULL,
    owner      TEXT NOT NULL,
    metadata   TEXT NOT NULL,
    shape      TEXT NOT NULL,
    base       TEXT,
    entry      TEXT,
    key        TEXT,
    input      BLOB
) STRICT;
CREATE INDEX runs_of_thread ON runs (thread);
CREATE UNIQUE INDEX runs_by_key ON runs (thread, key) WHERE key IS NOT NULL;
CREATE INDEX runs_queued ON runs (thread, id) WHERE status = 'queued';
-- What an engine has to look at when it starts, whatever else is stored.
CREATE INDEX runs_unfinished ON runs (n) WHERE status IN ('queued', 'running');

CREATE TABLE checkpoints (
    n        INTEGER PRIMARY KEY,
    id       TEXT NOT NULL UNIQUE,
    thread   INTEGER NOT NULL REFERENCES threads (n),
    run      INTEGER REFERENCES runs (n),
    parent   INTEGER,
    origin   TEXT,
    step     INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    source   TEXT NOT NULL,
    updates  BLOB NOT NULL,
    frontier BLOB NOT NULL,
    snapshot BLOB
) STRICT;
CREATE INDEX checkpoints_of_thread ON checkpoints (thread);
CREATE INDEX checkpoints_of_run ON checkpoints (run, step) WHERE run IS NOT NULL;

CREATE TABLE tasks (
    run     INTEGER NOT NULL,
    task    TEXT NOT NULL,
    outcome BLOB NOT NULL,
    PRIMARY KEY (run, task)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    run    INTEGER NOT NULL,
    last   INTEGER NOT NULL,
    first  INTEGER NOT NULL,
    events BLOB NOT NULL,
    PRIMARY KEY (run, last)
) STRICT, WITHOUT ROWID;

CREATE TABLE effects (
    key     TEXT PRIMARY KEY,
    run     TEXT NOT NULL,
    started INTEGER NOT NULL,
    result  BLOB
) STRICT, WITHOUT ROWID;

CREATE TABLE files (
    id         TEXT PRIMARY KEY,
    tenant     TEXT NOT NULL,
    sha256     TEXT NOT NULL,
    media_type TEXT NOT NULL,
    name       TEXT NOT NULL,
    bytes      INTEGER NOT NULL,
    created    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE imports (
    id       TEXT PRIMARY KEY,
    tenant   TEXT NOT NULL,
    state    TEXT NOT NULL,
    created  INTEGER NOT NULL,
    updated  INTEGER NOT NULL,
    request  TEXT NOT NULL,
    report   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 1;
