//! `kill -9` on a real process over SQLite: a chain of nodes with one effect each, killed again and again until it is done.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use mercer_graph::conformance::graphs::Lines;
use mercer_graph::{
    Agent, Ctx, EffectFault, EffectKey, Engine, EngineOptions, Graph, NewThread, OnUnknown, RunOptions, RunStatus,
    Step, ThreadId,
};
use mercer_store::Store;

const NODES: usize = 20;
const FOLDER: &str = "MERCER_TEST_VICTIM";

/// The outside world: a file for each effect key, and a diary of every request.
#[derive(Debug, Clone)]
struct Outside(PathBuf);

impl Outside {
    fn append(&self, diary: &str, line: &str) -> std::io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(self.0.join(diary))?;
        file.write_all(format!("{line}\n").as_bytes())
    }

    fn read(&self, diary: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.0.join(diary)).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }
}

fn chain(engine: &Engine, outside: &Outside) -> Agent<Lines> {
    let name = |number: usize| format!("n{number}");
    let mut graph = Graph::named("chain").entry("n0");
    for number in 0..NODES {
        let node = move |ctx: Ctx<Outside>, _: Arc<Lines>| async move {
            let (outside, key) = (ctx.deps().clone(), format!("{} {number}", ctx.thread_id()));
            let paid = ctx.effect("pay", EffectKey::of([&key]), OnUnknown::Repeat, async {
                outside.append("asked", &key).map_err(|error| EffectFault::Unknown(error.to_string()))?;
                Ok(format!("paid {number}"))
            });
            let paid: String = paid.await?;
            // Whoever watches may kill now, or at any later instruction.
            std::io::stdout().write_all(b"step\n")?;
            std::io::stdout().flush()?;
            Ok(Step::update(paid))
        };
        graph = graph.node(&name(number), node);
        graph =
            if number + 1 == NODES { graph.end(&name(number)) } else { graph.edge(&name(number), &name(number + 1)) };
    }
    engine.register(graph.build().unwrap(), outside.clone())
}

async fn live(folder: &Path) {
    let engine = Engine::new(Store::open(folder).await.unwrap(), EngineOptions::default());
    let agent = chain(&engine, &Outside(folder.to_owned()));
    engine.recover().await.unwrap();
    for number in 0..3 {
        let thread: ThreadId = format!("thr_{number}").parse().unwrap();
        let new = NewThread { agent: "chain".into(), ..NewThread::default() };
        engine.ensure_thread(thread.clone(), new).await.unwrap();
        let options = RunOptions { idempotency_key: Some("once".into()), ..RunOptions::default() };
        let run = agent.start(&thread, vec![], options).await.unwrap();
        assert_eq!(engine.wait(&run).await.unwrap().status, RunStatus::Done);
        let state = agent.state(&thread).await.unwrap().unwrap().state;
        assert_eq!(state.0, (0..NODES).map(|number| format!("paid {number}")).collect::<Vec<_>>());
    }
    std::io::stdout().write_all(b"finished\n").unwrap();
}

/// What the killed process runs; nothing unless the test below started it.
#[test]
fn the_victim_lives_in_a_process_of_its_own() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(live(Path::new(&folder)));
}

#[test]
fn no_effect_is_lost_or_doubled_when_the_process_is_killed_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let mut kills = 0;
    loop {
        let mut victim = Command::new(std::env::current_exe().unwrap())
            .args(["kill::the_victim_lives_in_a_process_of_its_own", "--exact", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Two to four nodes a life, so that a life that began badly still gets on.
        let mut said = BufReader::new(victim.stdout.take().unwrap()).lines().map_while(Result::ok);
        let seen: Vec<String> = said
            .by_ref()
            .filter(|line| line.ends_with("step") || line.ends_with("finished"))
            .take(2 + kills % 3)
            .collect();
        if seen.iter().any(|line| line.ends_with("finished")) {
            said.for_each(drop);
            assert!(victim.wait().unwrap().success());
            break;
        }
        victim.kill().unwrap();
        victim.wait().unwrap();
        kills += 1;
        assert!(kills < 60, "it does not get on: {seen:?}");
    }
    let asked = Outside(folder.path().to_owned()).read("asked");
    let mut distinct = asked.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 3 * NODES, "no effect was lost");
    let again = asked.len() - distinct.len();
    assert!(again <= kills, "only the effect that a kill cut short is asked for again, with the same key");
    eprintln!("{kills} kills, {} effects, {again} asked for again", distinct.len());
    assert!(kills >= 10, "{kills}");
}
