//! Every statement of the engine's tables, as text one can read. The same text is for both databases.

use crate::db::Locking;

macro_rules! locking {
    ($text:literal) => {
        Locking { plain: $text, locking: concat!($text, " FOR UPDATE") }
    };
}

pub(crate) const FENCE: Locking = locking!("SELECT epoch, revision, owner FROM runs WHERE id = $1");
pub(crate) const THREAD_STATE: Locking = locking!("SELECT active, head FROM threads WHERE id = $1");
pub(crate) const EFFECT_EXISTS: &str = "SELECT 1 FROM effects WHERE key = $1";
pub(crate) const THREAD_EXISTS: &str = "SELECT 1 FROM threads WHERE id = $1";
pub(crate) const RUN_EXISTS: &str = "
    SELECT id FROM runs
    WHERE id = $1 OR (key IS NOT NULL AND key = $3 AND thread = (SELECT n FROM threads WHERE id = $2))";

pub(crate) const INSERT_THREAD: &str = "
    INSERT INTO threads (id, tenant, agent, title, metadata, created, updated, head, active, last_run, status, forked_from)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
pub(crate) const TITLE: &str = "UPDATE threads SET title = $2, updated = $3 WHERE id = $1";
pub(crate) const HEAD: &str = "UPDATE threads SET head = $2, updated = $3 WHERE id = $1";
pub(crate) const ACTIVE: &str = "
    UPDATE threads SET active = $2, last_run = $3, status = $4, updated = $5 WHERE id = $1";
pub(crate) const INSERT_RUN: &str = "
    INSERT INTO runs (id, thread, tenant, agent, status, created, updated, steps, step_limit, error, epoch, revision,
                      events, owner, metadata, shape, base, entry, key, input)
    VALUES ($1, (SELECT n FROM threads WHERE id = $2), $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
            $13, $14, $15, $16, $17, $18, $19, $20)";
pub(crate) const RUN_PROGRESS: &str = "
    UPDATE runs SET status = $2, updated = $3, steps = $4, step_limit = $5, error = $6, epoch = $7, revision = $8,
                    events = $9, owner = $10, base = $11
    WHERE id = $1";
pub(crate) const INSERT_CHECKPOINT: &str = "
    INSERT INTO checkpoints (id, thread, run, parent, origin, step, at, source, updates, frontier, snapshot)
    VALUES ($1, (SELECT n FROM threads WHERE id = $2), (SELECT n FROM runs WHERE id = $3),
            (SELECT n FROM checkpoints WHERE id = $4), $5, $6, $7, $8, $9, $10, $11)";
pub(crate) const INSERT_TASK: &str = "
    INSERT INTO tasks (run, task, outcome) VALUES ((SELECT n FROM runs WHERE id = $1), $2, $3)
    ON CONFLICT DO NOTHING";
pub(crate) const CLEAR_TASKS: &str = "DELETE FROM tasks WHERE run = (SELECT n FROM runs WHERE id = $1)";
pub(crate) const INSERT_EVENTS: &str = "
    INSERT INTO events (run, first, last, events) VALUES ((SELECT n FROM runs WHERE id = $1), $2, $3, $4)";
pub(crate) const PUT_EFFECT: &str = "
    INSERT INTO effects (key, run, started, result) VALUES ($1, $2, $3, $4)
    ON CONFLICT (key) DO UPDATE SET run = excluded.run, started = excluded.started, result = excluded.result";
pub(crate) const FORGET_EFFECT: &str = "DELETE FROM effects WHERE key = $1";

pub(crate) const DELETE_THREAD: [&str; 5] = [
    "DELETE FROM tasks WHERE run IN (SELECT n FROM runs WHERE thread = (SELECT n FROM threads WHERE id = $1))",
    "DELETE FROM events WHERE run IN (SELECT n FROM runs WHERE thread = (SELECT n FROM threads WHERE id = $1))",
    "DELETE FROM checkpoints WHERE thread = (SELECT n FROM threads WHERE id = $1)",
    "DELETE FROM runs WHERE thread = (SELECT n FROM threads WHERE id = $1)",
    "DELETE FROM threads WHERE id = $1",
];

macro_rules! thread_columns {
    () => {
        "SELECT id, tenant, agent, title, metadata, created, updated, head, active, last_run, status, forked_from
         FROM threads "
    };
}
pub(crate) const THREAD: &str = concat!(thread_columns!(), "WHERE id = $1");
pub(crate) const THREADS: &str = concat!(
    thread_columns!(),
    "WHERE ($1 IS NULL OR tenant = $1) AND ($2 IS NULL OR agent = $2)
       AND ($3 IS NULL OR (updated, id) < (SELECT updated, id FROM threads WHERE id = $3))
     ORDER BY updated DESC, id DESC LIMIT $4"
);

macro_rules! run_columns {
    () => {
        "SELECT r.id, t.id, r.tenant, r.agent, r.status, r.created, r.updated, r.steps, r.step_limit, r.error, r.epoch,
                r.revision, r.events, r.owner, r.metadata, r.shape, r.base, r.entry, r.key, r.input
         FROM runs r JOIN threads t ON t.n = r.thread "
    };
}
pub(crate) const RUN: &str = concat!(run_columns!(), "WHERE r.id = $1");
pub(crate) const RUN_OF_KEY: &str = concat!(run_columns!(), "WHERE t.id = $1 AND r.key = $2");
pub(crate) const UNFINISHED: &str = concat!(run_columns!(), "WHERE r.status IN ('queued', 'running') ORDER BY r.id");
pub(crate) const QUEUED: &str = concat!(
    run_columns!(),
    "WHERE r.thread = (SELECT n FROM threads WHERE id = $1) AND r.status = 'queued' ORDER BY r.id LIMIT 1"
);
pub(crate) const RUNS: &str = concat!(
    run_columns!(),
    "WHERE ($1 IS NULL OR r.tenant = $1) AND ($2 IS NULL OR r.agent = $2)
       AND ($3 IS NULL OR r.status = $3) AND ($4 IS NULL OR r.id < $4)
     ORDER BY r.id DESC LIMIT $5"
);
pub(crate) const RUNS_OF_THREAD: &str = concat!(
    run_columns!(),
    "WHERE t.id = $6 AND ($1 IS NULL OR r.tenant = $1) AND ($2 IS NULL OR r.agent = $2)
       AND ($3 IS NULL OR r.status = $3) AND ($4 IS NULL OR r.id < $4)
     ORDER BY r.id DESC LIMIT $5"
);

macro_rules! checkpoint_columns {
    ($snapshot:literal) => {
        concat!(
            "SELECT c.id, t.id, r.id, p.id, c.origin, c.step, c.at, c.source, c.updates, c.frontier, ",
            $snapshot,
            " FROM checkpoints c JOIN threads t ON t.n = c.thread
              LEFT JOIN runs r ON r.n = c.run LEFT JOIN checkpoints p ON p.n = c.parent "
        )
    };
}
pub(crate) const CHECKPOINT: &str = concat!(checkpoint_columns!("c.snapshot"), "WHERE c.id = $1");
pub(crate) const CHECKPOINT_AT: &str =
    concat!(checkpoint_columns!("NULL"), "WHERE c.run = (SELECT n FROM runs WHERE id = $1) AND c.step = $2");
pub(crate) const RUN_CHECKPOINTS: &str = concat!(
    checkpoint_columns!("NULL"),
    "WHERE c.run = (SELECT n FROM runs WHERE id = $1) AND c.step > $2 ORDER BY c.step LIMIT $3"
);
pub(crate) const LINE: &str = concat!(
    "WITH RECURSIVE line (n, depth) AS (
        SELECT n, 0 FROM checkpoints WHERE id = $1
        UNION ALL
        SELECT a.parent, depth + 1 FROM line JOIN checkpoints a ON a.n = line.n
        WHERE a.parent IS NOT NULL AND a.snapshot IS NULL
     ) ",
    checkpoint_columns!("c.snapshot"),
    "JOIN line ON line.n = c.n ORDER BY line.depth"
);
pub(crate) const ANCESTORS: &str = concat!(
    "WITH RECURSIVE line (n, depth) AS (
        SELECT n, 0 FROM checkpoints WHERE id = $1
        UNION ALL
        SELECT a.parent, depth + 1 FROM line JOIN checkpoints a ON a.n = line.n
        WHERE a.parent IS NOT NULL AND depth + 1 < $2
     ) ",
    checkpoint_columns!("NULL"),
    "JOIN line ON line.n = c.n ORDER BY line.depth LIMIT $2"
);

pub(crate) const TASKS: &str = "
    SELECT task, outcome FROM tasks WHERE run = (SELECT n FROM runs WHERE id = $1) ORDER BY task";
pub(crate) const TASK: &str = "
    SELECT task, outcome FROM tasks WHERE run = (SELECT n FROM runs WHERE id = $1) AND task = $2";
pub(crate) const EVENTS: &str = "
    SELECT first, last, events FROM events
    WHERE run = (SELECT n FROM runs WHERE id = $1) AND last > $2 ORDER BY last LIMIT $3";
pub(crate) const EFFECT: &str = "SELECT key, run, started, result FROM effects WHERE key = $1";
pub(crate) const RUN_EFFECTS: &str = "
    SELECT key, run, started, result FROM effects WHERE run = $1 ORDER BY started, key LIMIT $2";

pub(crate) const INSERT_FILE: &str = "
    INSERT INTO files (id, tenant, sha256, media_type, name, bytes, created) VALUES ($1, $2, $3, $4, $5, $6, $7)";
pub(crate) const FILE: &str = "
    SELECT id, tenant, sha256, media_type, name, bytes, created FROM files WHERE id = $1 AND tenant = $2";
pub(crate) const PUT_IMPORT: &str = "
    INSERT INTO imports (id, tenant, state, created, updated, request, report) VALUES ($1, $2, $3, $4, $5, $6, $7)
    ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated = excluded.updated,
        request = excluded.request, report = excluded.report";
pub(crate) const IMPORT: &str = "
    SELECT id, tenant, state, created, updated, request, report FROM imports WHERE id = $1 AND tenant = $2";
pub(crate) const IMPORTS: &str = "
    SELECT id, tenant, state, created, updated, request, report FROM imports
    WHERE tenant = $1 AND ($3 IS NULL OR id < $3) ORDER BY id DESC LIMIT $2";
pub(crate) const IMPORTS_RUNNING: &str = "
    SELECT id, tenant, state, created, updated, request, report FROM imports WHERE state = 'running' ORDER BY id";

/// PostgreSQL only: the bytes of files, by their hash.
pub(crate) const INSERT_BLOB: &str = "INSERT INTO blobs (sha256, bytes) VALUES ($1, $2) ON CONFLICT DO NOTHING";
pub(crate) const BLOB: &str = "SELECT bytes FROM blobs WHERE sha256 = $1";
