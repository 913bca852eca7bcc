//! `mercer torture`: this program killed at random moments, over and over, while it runs chains with one effect a node; then the
//! effects are counted, outside.
//!
//! The outside keeps a diary to which each request of an effect is added, and each result that a node got. It knows the effects by
//! their keys, as a payment provider does: a request that comes again with the same key, because its answer was cut off by a kill,
//! is answered and not done again. A request that comes although its result had been had is a duplicate; an effect that never came
//! although its thread is over is lost.

mod victim;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, ensure};
use serde::Serialize;
use tokio::time::Instant;

use crate::args::Torture;
use crate::{Outcome, output};

/// What the diary came to.
#[derive(Debug, Default, Serialize)]
struct Tally {
    kills: u32,
    threads: usize,
    effects: usize,
    /// Asked for again with the same key, since a kill came between the request and its result in the journal.
    repeated: usize,
    lost: usize,
    doubled: usize,
}

pub(crate) async fn run(torture: &Torture, json: bool) -> anyhow::Result<Outcome> {
    if let Some(folder) = &torture.victim {
        victim::live(folder, torture).await?;
        return Ok(Outcome::Done);
    }
    let folder = std::env::temp_dir().join(format!("mercer-torture-{}", std::process::id()));
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    let tally = kill_again_and_again(&folder, torture, json).await;
    let clean = tally.as_ref().is_ok_and(|tally| tally.lost == 0 && tally.doubled == 0);
    if torture.keep || !clean {
        output::note(format!("kept: {}", folder.display()));
    } else {
        std::fs::remove_dir_all(&folder).with_context(|| format!("removing {}", folder.display()))?;
    }
    let tally = tally?;
    if json {
        output::json(&tally)?;
    } else {
        let Tally { kills, threads, effects, repeated, lost, doubled } = &tally;
        output::line(format!(
            "{threads} threads of {} nodes, {effects} effects; {repeated} asked for again with their key after a kill cut the answer off",
            torture.nodes
        ));
        output::line(format!("kills {kills}, lost {lost}, doubled {doubled}"));
    }
    ensure!(clean, "the promise does not hold: {} lost, {} doubled", tally.lost, tally.doubled);
    Ok(Outcome::Done)
}

async fn kill_again_and_again(folder: &Path, torture: &Torture, json: bool) -> anyhow::Result<Tally> {
    let mut chance = Chance(torture.seed);
    let begun = Instant::now();
    // The first life tells how long a start takes here; the later ones are killed before, in and after it.
    let start = first_life(folder, torture)?;
    let window = start * 2 + Duration::from_millis(60);
    let mut kills = 1;
    while kills < torture.kills {
        let mut victim = spawn(folder, torture, false)?;
        tokio::time::sleep(window.mul_f64(chance.next())).await;
        ensure!(victim.try_wait()?.is_none(), "the program ended by itself before it was killed; see above");
        // On Unix this is SIGKILL: nothing of the program runs after it.
        victim.kill()?;
        victim.wait()?;
        kills += 1;
        if kills.is_multiple_of(100) && !json {
            output::note(format!("{kills} kills in {} s", begun.elapsed().as_secs()));
        }
    }
    let ended = spawn(folder, torture, true)?.wait()?;
    ensure!(ended.success(), "after the kills the program could not finish what was begun: {ended}");
    count(folder, torture.nodes, kills)
}

/// How long the program takes to be ready. It is killed after it.
fn first_life(folder: &Path, torture: &Torture) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    let mut victim = spawn(folder, torture, false)?;
    let out = victim.stdout.take().context("the program has no output")?;
    let ready = BufReader::new(out).lines().map_while(Result::ok).any(|line| line == victim::READY);
    let took = begun.elapsed();
    victim.kill()?;
    victim.wait()?;
    ensure!(ready, "the program ended before it was ready; see above");
    Ok(took)
}

fn spawn(folder: &Path, torture: &Torture, finish: bool) -> anyhow::Result<Child> {
    let program = std::env::current_exe().context("finding this program")?;
    let mut command = Command::new(program);
    command.arg("torture").arg("--victim").arg(folder).args(["--nodes", &torture.nodes.to_string()]);
    if let Some(url) = &torture.postgres {
        command.args(["--postgres", url]);
    }
    if finish {
        command.arg("--finish");
    }
    command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().context("starting this program again")
}

/// Reads the diary.
fn count(folder: &Path, nodes: u32, kills: u32) -> anyhow::Result<Tally> {
    let diary = folder.join(victim::DIARY);
    let text = std::fs::read_to_string(&diary).with_context(|| format!("reading {}", diary.display()))?;
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    let mut had: BTreeSet<&str> = BTreeSet::new();
    let mut over: BTreeSet<&str> = BTreeSet::new();
    let mut tally = Tally { kills, ..Tally::default() };
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("ask", key)) => {
                tally.doubled += usize::from(had.contains(key));
                *asked.entry(key).or_default() += 1;
            }
            Some(("got", key)) => {
                had.insert(key);
            }
            Some(("end", thread)) => {
                over.insert(thread);
            }
            _ => anyhow::bail!("the diary has a line that cannot be read: {line:?}"),
        }
    }
    for thread in &over {
        let missing = (0..nodes).filter(|node| !asked.contains_key(format!("{thread}/{node}").as_str())).count();
        tally.lost += missing;
    }
    let begun: BTreeSet<&str> = asked.keys().filter_map(|key| key.split_once('/')).map(|(thread, _)| thread).collect();
    // A thread that began and is not over, although everything was finished, has lost the rest of its effects.
    tally.lost += begun.difference(&over).count();
    tally.threads = over.len();
    tally.effects = asked.len();
    tally.repeated = asked.values().map(|times| times - 1).sum::<usize>() - tally.doubled;
    Ok(tally)
}

/// Numbers that look random and are the same for the same seed (SplitMix64).
struct Chance(u64);

impl Chance {
    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        f64::from(u32::try_from((z ^ (z >> 31)) >> 32).unwrap_or(u32::MAX)) / f64::from(u32::MAX)
    }
}

/// Where a victim writes.
fn diary(folder: &Path) -> PathBuf {
    folder.join(victim::DIARY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_and_what_came_twice_is_counted() {
        let folder = std::env::temp_dir().join(format!("mercer-torture-count-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let lines = "ask a/0\ngot a/0\nask a/1\nask a/1\ngot a/1\nend a\nask b/0\ngot b/0\nask b/0\nend b\nask c/0\n";
        std::fs::write(diary(&folder), lines).unwrap();
        let tally = count(&folder, 2, 3).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!((tally.threads, tally.effects, tally.repeated), (2, 4, 1));
        assert_eq!((tally.lost, tally.doubled), (2, 1), "b/1 never came and c is not over; b/0 came after its result");
    }
}
