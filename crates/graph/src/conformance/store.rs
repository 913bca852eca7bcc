//! The suite for a store: rows, batches, guards, lines of checkpoints, lists, and what two writers do to each other.

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::store::{
    Batch, CheckpointRecord, Checkpointer, EffectRecord, EventChunk, Guard, RunFilter, RunRow, RunStatus, StoreError,
    TaskRecord, ThreadFilter, ThreadRow, Write,
};
use crate::{CheckpointId, RunError, RunId, TaskId, ThreadId};

/// Runs every test of the suite, each on a store of its own.
///
/// # Panics
/// When the store does not do what it has to.
pub async fn all<C: Checkpointer + Clone>(fresh: impl AsyncFn() -> C) {
    what_was_put_can_be_got(&fresh().await).await;
    a_line_leads_back_to_the_nearest_snapshot_at_every_distance(&fresh().await).await;
    lists_are_filtered_paged_and_in_order(&fresh().await).await;
    finished_tasks_stay_as_they_were_first_written(&fresh().await).await;
    events_are_read_from_any_number(&fresh().await).await;
    a_batch_is_written_as_a_whole_or_not_at_all(&fresh().await).await;
    a_stale_writer_is_refused_with_the_owners_name(&fresh().await).await;
    of_two_writers_with_the_same_fence_one_wins(&fresh().await).await;
    the_journal_keeps_bytes_and_nothing_apart(&fresh().await).await;
    a_deleted_thread_takes_its_own_and_leaves_its_forks(&fresh().await).await;
}

fn at(second: i64) -> Timestamp {
    Timestamp::new(1_700_000_000 + second, 123_456_789).expect("a time")
}

fn thread(id: &str, second: i64) -> ThreadRow {
    ThreadRow {
        id: id.parse().expect("a thread id"),
        tenant: "default".to_owned(),
        agent: "shopping".to_owned(),
        title: None,
        metadata: json!({"null": null, "text": "鞋 \u{0}"}),
        created: at(second),
        updated: at(second),
        head: None,
        active: None,
        last_run: None,
        status: None,
        forked_from: None,
    }
}

fn run(thread: &ThreadId, status: RunStatus) -> RunRow {
    RunRow {
        id: RunId::fresh(),
        thread: thread.clone(),
        tenant: "default".to_owned(),
        agent: "shopping".to_owned(),
        status,
        created: at(1),
        updated: at(2),
        steps: 3,
        step_limit: 64,
        error: Some(RunError {
            code: "node_failed".to_owned(),
            node: Some("agent".to_owned()),
            message: "\"x\"".to_owned(),
        }),
        epoch: 1,
        revision: 7,
        events: 9,
        owner: "one".to_owned(),
        metadata: Value::Null,
        shape: "abc".to_owned(),
        base: None,
        entry: Some("agent".to_owned()),
        key: None,
        input: Some(vec![0, 255, 128]),
    }
}

fn checkpoint(thread: &ThreadId, parent: Option<&CheckpointRecord>, snapshot: bool) -> CheckpointRecord {
    let step = parent.map_or(0, |parent| parent.step + 1);
    CheckpointRecord {
        id: CheckpointId::fresh(),
        thread: thread.clone(),
        run: None,
        parent: parent.map(|parent| parent.id.clone()),
        origin: None,
        step,
        at: at(3),
        source: "step".to_owned(),
        updates: vec![0, 1, 255, u8::try_from(step % 256).unwrap_or_default()],
        frontier: Vec::new(),
        snapshot: snapshot.then(|| b"null".to_vec()),
    }
}

async fn put(store: &impl Checkpointer, writes: Vec<Write>) {
    store.commit(Batch { guards: Vec::new(), writes }).await.expect("the batch is written");
}

async fn what_was_put_can_be_got(store: &impl Checkpointer) {
    let row = ThreadRow { title: Some("红色连衣裙".to_owned()), ..thread("thr_a", 0) };
    let mut queued = run(&row.id, RunStatus::Queued);
    queued.key = Some("k".to_owned());
    let first = CheckpointRecord { run: Some(queued.id.clone()), ..checkpoint(&row.id, None, true) };
    let second = checkpoint(&row.id, Some(&first), false);
    let writes = vec![
        Write::InsertThread(row.clone()),
        Write::InsertRun(queued.clone()),
        Write::Checkpoint(first.clone()),
        Write::Checkpoint(second.clone()),
    ];
    put(store, writes).await;
    assert_eq!(store.thread(&row.id).await.expect("read"), Some(row.clone()));
    assert_eq!(store.run(&queued.id).await.expect("read"), Some(queued.clone()));
    assert_eq!(store.run_of_key(&row.id, "k").await.expect("read"), Some(queued.clone()));
    assert_eq!(store.run_of_key(&row.id, "other").await.expect("read"), None);
    assert_eq!(store.checkpoint(&first.id).await.expect("read"), Some(first.clone()));
    assert_eq!(store.checkpoint(&second.id).await.expect("read"), Some(second));
    let found = store.checkpoint_at(&queued.id, 0).await.expect("read");
    assert_eq!(found, Some(CheckpointRecord { snapshot: None, ..first.clone() }));
    let (title, time) = (Some("连衣裙".to_owned()), at(9));
    put(
        store,
        vec![
            Write::Title { thread: row.id.clone(), title: title.clone(), at: time },
            Write::Head { thread: row.id.clone(), head: Some(first.id.clone()), at: time },
            Write::Active {
                thread: row.id.clone(),
                active: Some(queued.id.clone()),
                last: queued.id.clone(),
                status: RunStatus::Running,
                at: time,
            },
        ],
    )
    .await;
    let now = store.thread(&row.id).await.expect("read").expect("there");
    assert_eq!((now.title, now.head, now.updated), (title, Some(first.id), time));
    assert_eq!((now.active, now.last_run), (Some(queued.id.clone()), Some(queued.id)));
    assert_eq!(store.thread(&"thr_none".parse().expect("id")).await.expect("read"), None);
}

async fn a_line_leads_back_to_the_nearest_snapshot_at_every_distance(store: &impl Checkpointer) {
    let row = thread("thr_line", 0);
    put(store, vec![Write::InsertThread(row.clone())]).await;
    let mut made: Vec<CheckpointRecord> = Vec::new();
    for number in 0..24 {
        let next = checkpoint(&row.id, made.last(), number == 3 || number == 17);
        put(store, vec![Write::Checkpoint(next.clone())]).await;
        made.push(next);
    }
    for (number, record) in made.iter().enumerate() {
        let from = match number {
            0..3 => 0,
            3..17 => 3,
            _ => 17,
        };
        let expected: Vec<_> = made.iter().take(number + 1).skip(from).rev().cloned().collect();
        assert_eq!(store.line(&record.id).await.expect("read"), expected);
        let bare = |record: &CheckpointRecord| CheckpointRecord { snapshot: None, ..record.clone() };
        let back: Vec<_> = made.iter().take(number + 1).rev().take(5).map(bare).collect();
        assert_eq!(store.ancestors(&record.id, 5).await.expect("read"), back);
    }
    assert_eq!(store.line(&CheckpointId::fresh()).await.expect("read"), []);
}

async fn lists_are_filtered_paged_and_in_order(store: &impl Checkpointer) {
    let mut rows: Vec<ThreadRow> = (0..6).map(|n| thread(&format!("thr_{n}"), n / 2)).collect();
    for (n, row) in rows.iter_mut().enumerate() {
        row.tenant = if n == 5 { "other".to_owned() } else { row.tenant.clone() };
        row.agent = if n == 4 { "refund".to_owned() } else { row.agent.clone() };
        put(store, vec![Write::InsertThread(row.clone())]).await;
    }
    let ids = |rows: Vec<ThreadRow>| rows.into_iter().map(|row| row.id.to_string()).collect::<Vec<_>>();
    let list = async |filter: ThreadFilter| ids(store.threads(&filter).await.expect("list"));
    assert_eq!(list(ThreadFilter::default()).await, ["thr_5", "thr_4", "thr_3", "thr_2", "thr_1", "thr_0"]);
    let mine = ThreadFilter { tenant: Some("default".to_owned()), limit: 2, ..ThreadFilter::default() };
    assert_eq!(list(mine.clone()).await, ["thr_4", "thr_3"]);
    assert_eq!(list(ThreadFilter { before: "thr_3".parse().ok(), ..mine.clone() }).await, ["thr_2", "thr_1"]);
    let shopping = ThreadFilter { agent: Some("shopping".to_owned()), limit: 9, ..mine };
    assert_eq!(list(shopping).await, ["thr_3", "thr_2", "thr_1", "thr_0"]);

    let thread = rows.first().expect("a row").id.clone();
    let other = rows.last().expect("a row").id.clone();
    let mut runs = Vec::new();
    for (n, status) in RunStatus::ALL.into_iter().enumerate() {
        let mut row = run(if n == 6 { &other } else { &thread }, status);
        row.agent = if n == 1 { "refund".to_owned() } else { row.agent };
        put(store, vec![Write::InsertRun(row.clone())]).await;
        runs.push(row);
    }
    let newest: Vec<RunRow> = runs.iter().rev().cloned().collect();
    assert_eq!(store.runs(&RunFilter::default()).await.expect("list"), newest);
    let of_thread = RunFilter { thread: Some(thread.clone()), limit: 2, ..RunFilter::default() };
    let page = store.runs(&of_thread).await.expect("list");
    assert_eq!(page, newest.get(1..3).expect("runs"));
    let before = page.last().map(|run| run.id.clone());
    let next = store.runs(&RunFilter { before, ..of_thread }).await.expect("list");
    assert_eq!(next, newest.get(3..5).expect("runs"));
    let failed = RunFilter { status: Some(RunStatus::Failed), ..RunFilter::default() };
    assert_eq!(store.runs(&failed).await.expect("list").len(), 1);
    let refund =
        RunFilter { agent: Some("refund".to_owned()), tenant: Some("default".to_owned()), ..RunFilter::default() };
    assert_eq!(store.runs(&refund).await.expect("list").len(), 1);
    put(store, vec![Write::InsertRun(run(&thread, RunStatus::Queued))]).await;
    assert_eq!(store.queued(&thread).await.expect("read").as_ref(), runs.first(), "the oldest");
    assert_eq!(store.queued(&other).await.expect("read"), None);
    let unfinished = store.unfinished().await.expect("list");
    assert_eq!(unfinished.get(..2), runs.get(..2), "queued and running, the oldest first");
    assert_eq!(unfinished.len(), 3);
}

async fn finished_tasks_stay_as_they_were_first_written(store: &impl Checkpointer) {
    let row = thread("thr_t", 0);
    let (one, two) = (run(&row.id, RunStatus::Running), run(&row.id, RunStatus::Running));
    put(store, vec![Write::InsertThread(row), Write::InsertRun(one.clone()), Write::InsertRun(two.clone())]).await;
    let task = |run: &RunRow, index, outcome: &[u8]| {
        Write::Task(TaskRecord { run: run.id.clone(), task: TaskId::at(4, index), outcome: outcome.to_vec() })
    };
    put(store, vec![task(&one, 1, b"b"), task(&one, 0, &[0, 255]), task(&two, 0, b"c")]).await;
    put(store, vec![task(&one, 1, b"later")]).await;
    let found = store.tasks(&one.id).await.expect("read");
    let outcomes: Vec<&[u8]> = found.iter().map(|record| record.outcome.as_slice()).collect();
    assert_eq!(outcomes, [&[0, 255][..], b"b"]);
    assert_eq!(store.task(&one.id, &TaskId::at(4, 1)).await.expect("read").as_ref(), found.get(1));
    put(store, vec![Write::ClearTasks(one.id.clone())]).await;
    assert_eq!(store.tasks(&one.id).await.expect("read"), []);
    assert_eq!(store.tasks(&two.id).await.expect("read").len(), 1);
}

async fn events_are_read_from_any_number(store: &impl Checkpointer) {
    let row = thread("thr_e", 0);
    let run = run(&row.id, RunStatus::Running);
    put(store, vec![Write::InsertThread(row), Write::InsertRun(run.clone())]).await;
    for (first, last) in [(1, 1), (2, 9), (10, 12)] {
        let chunk = EventChunk { run: run.id.clone(), first, last, events: vec![0, 7] };
        put(store, vec![Write::Events(chunk)]).await;
    }
    let firsts = async |after, limit| {
        let chunks = store.events(&run.id, after, limit).await.expect("read");
        chunks.into_iter().map(|chunk| chunk.first).collect::<Vec<_>>()
    };
    assert_eq!(firsts(0, 9).await, [1, 2, 10]);
    assert_eq!(firsts(0, 2).await, [1, 2]);
    assert_eq!(firsts(1, 9).await, [2, 10]);
    assert_eq!(firsts(8, 9).await, [2, 10], "the chunk that holds number 9");
    assert_eq!(firsts(9, 9).await, [10]);
    assert!(firsts(12, 9).await.is_empty() && firsts(u64::MAX, 9).await.is_empty());
}

async fn a_batch_is_written_as_a_whole_or_not_at_all(store: &impl Checkpointer) {
    let row = thread("thr_w", 0);
    put(store, vec![Write::InsertThread(row.clone())]).await;
    let mut keyed = run(&row.id, RunStatus::Running);
    keyed.key = Some("once".to_owned());
    put(store, vec![Write::InsertRun(keyed.clone())]).await;
    let again = RunRow { id: RunId::fresh(), ..keyed.clone() };
    let title = Write::Title { thread: row.id.clone(), title: Some("half".to_owned()), at: at(5) };
    for refused in [Write::InsertRun(again), Write::InsertThread(row.clone())] {
        let batch = Batch::new().write(title.clone()).write(refused);
        assert!(matches!(store.commit(batch).await, Err(StoreError::Exists(_))));
    }
    let none: ThreadId = "thr_none".parse().expect("id");
    let missing = Batch::new().write(title.clone()).write(Write::Title { thread: none, title: None, at: at(5) });
    assert!(matches!(store.commit(missing).await, Err(StoreError::Missing(_))));
    let guarded = Batch::new()
        .guard(Guard::Thread { thread: row.id.clone(), active: Some(keyed.id.clone()), head: None })
        .write(title);
    assert!(matches!(store.commit(guarded).await, Err(StoreError::Busy { run: None, .. })));
    assert_eq!(store.thread(&row.id).await.expect("read"), Some(row));
}

async fn a_stale_writer_is_refused_with_the_owners_name(store: &impl Checkpointer) {
    let row = thread("thr_f", 0);
    let mut held = run(&row.id, RunStatus::Running);
    put(store, vec![Write::InsertThread(row.clone()), Write::InsertRun(held.clone())]).await;
    let (id, thread) = (held.id.clone(), row.id.clone());
    put(
        store,
        vec![Write::Active {
            thread: thread.clone(),
            active: Some(id.clone()),
            last: id.clone(),
            status: RunStatus::Running,
            at: at(1),
        }],
    )
    .await;
    let fence = |epoch, revision| Guard::Run { run: id.clone(), epoch, revision };
    let commit = async |guard: Guard| store.commit(Batch::new().guard(guard)).await;
    assert!(commit(fence(1, 7)).await.is_ok());
    (held.epoch, held.revision, held.owner) = (2, 8, "two".to_owned());
    put(store, vec![Write::Run(held.progress())]).await;
    let epoch = |epoch| Guard::Epoch { run: id.clone(), epoch };
    for stale in [fence(1, 7), fence(2, 7), fence(1, 8), epoch(1)] {
        match commit(stale).await {
            Err(StoreError::Superseded { run, owner }) => assert_eq!((run, owner.as_str()), (id.clone(), "two")),
            other => assert!(other.is_err(), "a stale write was accepted"),
        }
    }
    assert!(commit(fence(2, 8)).await.is_ok() && commit(epoch(2)).await.is_ok());
    match commit(Guard::Thread { thread, active: None, head: None }).await {
        Err(StoreError::Busy { run, owner, .. }) => assert_eq!((run, owner.as_str()), (Some(id), "two")),
        other => assert!(other.is_err(), "a busy thread was given away"),
    }
}

async fn of_two_writers_with_the_same_fence_one_wins<C: Checkpointer + Clone>(store: &C) {
    let row = thread("thr_two", 0);
    let mut held = run(&row.id, RunStatus::Running);
    put(store, vec![Write::InsertThread(row), Write::InsertRun(held.clone())]).await;
    for round in 0..50 {
        let attempt = |owner: &str| {
            let guard = Guard::Run { run: held.id.clone(), epoch: held.epoch, revision: held.revision };
            let mut next = held.progress();
            (next.revision, next.owner) = (held.revision + 1, owner.to_owned());
            let (store, batch) = (store.clone(), Batch::new().guard(guard).write(Write::Run(next)));
            tokio::spawn(async move { store.commit(batch).await })
        };
        let (one, two) = (attempt("one"), attempt("two"));
        let results = [one.await.expect("joined"), two.await.expect("joined")];
        let won = results.iter().filter(|result| result.is_ok()).count();
        assert_eq!(won, 1, "round {round}: {results:?}");
        held.revision += 1;
    }
    let stored = store.run(&held.id).await.expect("read").expect("there");
    assert_eq!(stored.revision, held.revision);
}

async fn the_journal_keeps_bytes_and_nothing_apart(store: &impl Checkpointer) {
    let record = |result: Option<&[u8]>| EffectRecord {
        key: "[\"default\",\"pay\",\"1\"]".to_owned(),
        run: "run_1".parse().expect("id"),
        started: at(4),
        result: result.map(<[u8]>::to_vec),
    };
    let key = record(None).key;
    let begin = Batch::new().guard(Guard::NoEffect(key.clone())).write(Write::Effect(record(None)));
    store.commit(begin.clone()).await.expect("written");
    assert!(matches!(store.commit(begin.clone()).await, Err(StoreError::Exists(_))));
    assert_eq!(store.effect(&key).await.expect("read"), Some(record(None)));
    for result in [&b""[..], b"null", &[0, 255, 0]] {
        put(store, vec![Write::Effect(record(Some(result)))]).await;
        assert_eq!(store.effect(&key).await.expect("read"), Some(record(Some(result))));
    }
    put(store, vec![Write::ForgetEffect(key.clone())]).await;
    assert_eq!(store.effect(&key).await.expect("read"), None);
    assert!(store.commit(begin).await.is_ok());
}

async fn a_deleted_thread_takes_its_own_and_leaves_its_forks(store: &impl Checkpointer) {
    let (old, kept) = (thread("thr_old", 0), thread("thr_kept", 0));
    let fork = ThreadRow { forked_from: Some(old.id.clone()), ..kept };
    let run = run(&old.id, RunStatus::Running);
    let first = CheckpointRecord { run: Some(run.id.clone()), ..checkpoint(&old.id, None, false) };
    let copy = CheckpointRecord { origin: Some(first.id.clone()), ..checkpoint(&fork.id, None, true) };
    put(
        store,
        vec![
            Write::InsertThread(old.clone()),
            Write::InsertThread(fork.clone()),
            Write::InsertRun(run.clone()),
            Write::Checkpoint(first.clone()),
            Write::Checkpoint(copy.clone()),
            Write::Task(TaskRecord { run: run.id.clone(), task: TaskId::at(0, 0), outcome: Vec::new() }),
            Write::Events(EventChunk { run: run.id.clone(), first: 1, last: 1, events: Vec::new() }),
        ],
    )
    .await;
    put(store, vec![Write::DeleteThread(old.id.clone())]).await;
    assert_eq!(store.thread(&old.id).await.expect("read"), None);
    assert_eq!(store.run(&run.id).await.expect("read"), None);
    assert_eq!(store.checkpoint(&first.id).await.expect("read"), None);
    assert_eq!(store.tasks(&run.id).await.expect("read"), []);
    assert_eq!(store.events(&run.id, 0, 9).await.expect("read"), []);
    assert_eq!(store.thread(&fork.id).await.expect("read"), Some(fork));
    assert_eq!(store.line(&copy.id).await.expect("read"), [copy]);
    put(store, vec![Write::InsertThread(old.clone())]).await;
    assert_eq!(store.thread(&old.id).await.expect("read"), Some(old), "its name is free again");
}
