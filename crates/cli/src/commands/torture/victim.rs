//! What is killed: an engine over the real store that works through one chain after another.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use mercer_graph::{
    Agent, ApplyError, Ctx, EffectFault, EffectKey, Engine, EngineError, EngineOptions, Graph, NewThread, OnUnknown,
    RunOptions, RunStatus, State, Step, ThreadFilter, ThreadId,
};
use mercer_store::Store;
use serde::{Deserialize, Serialize};

use crate::args::Torture;
use crate::output;

/// What a victim prints when it has begun to work.
pub(super) const READY: &str = "ready";
/// The file that each request and each result of an effect is added to.
pub(super) const DIARY: &str = "effects.log";
/// How many threads are worked on at once.
const TOGETHER: u32 = 3;

/// What the nodes said.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct Said(Vec<String>);

impl State for Said {
    type Update = String;

    fn apply(&mut self, line: String) -> Result<(), ApplyError> {
        self.0.push(line);
        Ok(())
    }
}

/// The diary. One line is one write at the end of the file, so a kill leaves whole lines.
#[derive(Debug, Clone)]
struct Diary(Arc<File>);

impl Diary {
    fn open(folder: &Path) -> anyhow::Result<Self> {
        let path = super::diary(folder);
        let file = OpenOptions::new().create(true).append(true).open(&path);
        Ok(Self(Arc::new(file.with_context(|| format!("opening {}", path.display()))?)))
    }

    fn line(&self, line: &str) -> std::io::Result<()> {
        (&*self.0).write_all(format!("{line}\n").as_bytes())
    }
}

fn chain(engine: &Engine, nodes: u32, diary: &Diary) -> anyhow::Result<Agent<Said>> {
    let mut graph = Graph::named("torture").entry("n0");
    for number in 0..nodes {
        let node = move |ctx: Ctx<Diary>, _: Arc<Said>| async move {
            let (diary, key) = (ctx.deps().clone(), format!("{}/{number}", ctx.thread_id()));
            let done = ctx.effect("torture", EffectKey::of([&key]), OnUnknown::Repeat, async {
                diary.line(&format!("ask {key}")).map_err(|error| EffectFault::Unknown(error.to_string()))?;
                Ok(format!("done {number}"))
            });
            let done: String = done.await?;
            diary.line(&format!("got {key}"))?;
            Ok(Step::update(done))
        };
        graph = graph.node(&format!("n{number}"), node);
        graph = match number + 1 == nodes {
            true => graph.end(&format!("n{number}")),
            false => graph.edge(&format!("n{number}"), &format!("n{}", number + 1)),
        };
    }
    Ok(engine.register(graph.build()?, diary.clone()))
}

/// Takes on what a former life left, and begins new chains until it is killed; or, to finish, ends what was begun.
pub(super) async fn live(folder: &Path, torture: &Torture) -> anyhow::Result<()> {
    let (nodes, finish) = (torture.nodes, torture.finish);
    let store = match &torture.postgres {
        Some(url) => Store::connect(url).await,
        None => Store::open(folder).await,
    };
    let store = store.context("opening the database")?;
    let engine = Engine::new(store, EngineOptions { step_limit: nodes + 1, ..EngineOptions::default() });
    let diary = Diary::open(folder)?;
    let agent = chain(&engine, nodes, &diary)?;
    engine.recover().await?;
    output::line(READY);
    // A shared database may hold the threads of others: those of this folder have its name.
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or("torture");
    let filter = ThreadFilter { tenant: Some(name.to_owned()), limit: 1_000_000, ..ThreadFilter::default() };
    let begun = engine.threads(&filter).await?;
    let rests = |status: Option<RunStatus>| status == Some(RunStatus::Done);
    for thread in begun.iter().filter(|thread| finish || !rests(thread.status)) {
        one(&agent, &thread.id, nodes, &diary).await?;
    }
    if finish {
        engine.drain().await;
        return Ok(());
    }
    let mut next = u32::try_from(begun.len())?;
    loop {
        let threads: Vec<ThreadId> =
            (next..next + TOGETHER).map(|number| format!("{name}-{number}").parse()).collect::<Result<_, _>>()?;
        futures::future::try_join_all(threads.iter().map(|thread| one(&agent, thread, nodes, &diary))).await?;
        next += TOGETHER;
    }
}

/// Sees one thread to its end, whatever a former life did of it, and looks at what it holds.
async fn one(agent: &Agent<Said>, thread: &ThreadId, nodes: u32, diary: &Diary) -> anyhow::Result<()> {
    let engine = agent.engine();
    let tenant = thread.as_str().rsplit_once('-').map_or("torture", |(name, _)| name).to_owned();
    let new = NewThread { tenant, agent: "torture".to_owned(), ..NewThread::default() };
    engine.ensure_thread(thread.clone(), new).await?;
    let options = RunOptions { idempotency_key: Some("once".to_owned()), ..RunOptions::default() };
    let run = agent.start(thread, Vec::new(), options).await?;
    let row = engine.wait(&run).await?;
    ensure!(row.status == RunStatus::Done, "{thread}: {run} is {}: {:?}", row.status, row.error);
    let state = agent.state(thread).await?.ok_or_else(|| EngineError::ThreadNotFound(thread.clone()))?.state;
    let expected: Vec<String> = (0..nodes).map(|number| format!("done {number}")).collect();
    ensure!(state.0 == expected, "{thread} holds {:?}", state.0);
    diary.line(&format!("end {thread}"))?;
    Ok(())
}
