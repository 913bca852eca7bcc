//! The one binary: the composition root. Here, and only here, a store, a model and a catalogue are chosen and settings are read.

mod args;
mod commands;
mod output;
mod settings;
mod world;

use std::process::ExitCode;

use clap::Parser;
use tracing_subscriber::EnvFilter;

use crate::args::{Cli, Command};
use crate::settings::{Environment, Settings};

/// How a command ended, when it did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    Done,
    /// What was measured did not hold; what and why was told.
    Failed,
    NothingFound,
    RowsSkipped,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Failed => Self::FAILURE,
            Outcome::NothingFound => Self::from(3),
            Outcome::RowsSkipped => Self::from(5),
        }
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let listen = match &cli.command {
        Command::Serve(serve) => serve.listen,
        _ => None,
    };
    let model = match &cli.command {
        Command::Eval(eval) => eval.scenarios.other_model(),
        _ => None,
    };
    let read = |env: Environment| Settings::read(&cli.common, listen, &env.with_model(model));
    let settings = match Environment::read().and_then(read) {
        Ok(settings) => settings,
        Err(error) => {
            output::note(format!(
                "error: {error:#}\nhint: `mercer config --explain` shows each setting and where it comes from"
            ));
            return ExitCode::from(4);
        }
    };
    let filter = EnvFilter::try_new(&settings.log).unwrap_or_else(|_malformed| EnvFilter::new("warn"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
    match run(cli, settings) {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            output::note(format!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli, settings: Settings) -> anyhow::Result<Outcome> {
    let json = cli.common.json;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    match cli.command {
        Command::Serve(serve) => runtime.block_on(commands::serve::run(settings, serve)),
        Command::Import(args::Import::Products(import)) => commands::import::run(&settings, &import, json),
        Command::Search(search) => commands::search::run(&runtime, &settings, &search, json),
        Command::Chat(chat) => runtime.block_on(commands::chat::run(settings, chat, json)),
        Command::Doctor => runtime.block_on(commands::doctor::run(settings, json)),
        Command::Config(config) => commands::config::run(&settings, config.explain, json),
        Command::Runs(runs) => runtime.block_on(commands::runs::run(settings, runs, json)),
        Command::Eval(eval) => match eval.what {
            None => runtime.block_on(commands::eval::scenarios(&settings, &eval.scenarios, json)),
            Some(args::Measure::Search { judgements }) => commands::eval::search(&settings, &judgements, json),
            Some(args::Measure::Injection { file }) => {
                runtime.block_on(commands::eval::injection(&settings, &file, json))
            }
        },
        Command::Patterns(pattern) => runtime.block_on(commands::patterns::run(settings, pattern, json)),
        Command::Gate(args::GateCommand::Check { file }) => commands::gate::check(&file, json),
        Command::Key(key) => commands::key::run(&settings, key, json),
        Command::Torture(torture) => runtime.block_on(commands::torture::run(&torture, json)),
        Command::Openapi => {
            output::line(mercer_server::openapi().to_pretty_json()?);
            Ok(Outcome::Done)
        }
    }
}
