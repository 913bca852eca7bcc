//! The command line.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// 掌柜: one program that gives an online shop its agents.
#[derive(Debug, Parser)]
#[command(name = "mercer", version, propagate_version = true, after_help = EXIT_CODES, max_term_width = 110)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 failed; 2 the command line is wrong; 3 nothing was found; 4 the settings are wrong; \
5 done, but rows were skipped.

Examples:
  mercer serve --demo
  mercer import products styles.csv --images images.zip
  mercer search \"红色连衣裙 300元以下\"
  mercer chat";

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// The data folder [default: ./mercer-data, or MERCER_DATA]
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// The shop [default: default, or MERCER_TENANT]
    #[arg(long, global = true, value_name = "NAME")]
    pub(crate) tenant: Option<String>,
    /// The settings file [default: mercer.toml in the data folder, or MERCER_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Print JSON for programs
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Open the shop: web page, API and agents on one port
    #[command(
        after_help = "Examples:\n  mercer serve --demo\n  mercer serve --listen 0.0.0.0:8787   (needs a key: mercer key create)"
    )]
    Serve(Serve),
    /// Bring products in
    #[command(subcommand)]
    Import(Import),
    /// Search the catalogue
    #[command(
        after_help = "Examples:\n  mercer search \"winter coats for women\"\n  mercer search \"红色连衣裙 300元以下\" --explain"
    )]
    Search(Search),
    /// Talk to the shopping assistant
    #[command(
        after_help = "Examples:\n  mercer chat\n  mercer chat \"show me red dresses\"\n  mercer chat --thread thr_… \"make them formal\""
    )]
    Chat(Chat),
    /// Check settings, model, catalogue, database and disk, and say what to do
    Doctor,
    /// Show the settings
    Config(Config),
    /// See what the agents did
    #[command(subcommand)]
    Runs(Runs),
    /// Measure: agents on scenarios, search on judged queries, attacks
    #[command(
        args_conflicts_with_subcommands = true,
        after_help = "Examples:\n  mercer eval data/scenarios\n  mercer eval data/scenarios/shopping --model configured --trials 4 --junit report.xml\n  mercer eval injection cases.jsonl"
    )]
    Eval(Eval),
    /// The fact gate
    #[command(subcommand)]
    Gate(GateCommand),
    /// Run an agent loop on a question, with the shop's tools, and see each step
    #[command(
        subcommand,
        after_help = "Examples:\n  mercer patterns react \"a red dress under 500\"\n  mercer patterns react-json --short \"双肩包\"\n  mercer patterns plan \"which backpack is the best value?\"\n  mercer patterns reflect --preset paper abstract.md"
    )]
    Patterns(Patterns),
    /// Keys of the API
    #[command(subcommand)]
    Key(KeyCommand),
    /// Print the OpenAPI document of the server
    Openapi,
    /// Kill this program at random moments while it works, and count what was lost or done twice
    #[command(after_help = "Examples:\n  mercer torture --kills 1000\n  mercer torture --kills 100 --seed 7 --keep")]
    Torture(Torture),
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Address and port [default: 127.0.0.1:8787, or MERCER_LISTEN]; beyond this machine keys are needed
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) listen: Option<SocketAddr>,
    /// Load the sample shop when the catalogue is empty
    #[arg(long)]
    pub(crate) demo: bool,
    /// Where the sample shop lies
    #[arg(long, value_name = "DIR", requires = "demo")]
    pub(crate) demo_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Import {
    /// Import products from a file, a folder or an address; the format is guessed and shown
    #[command(after_help = "Examples:
  mercer import products styles.csv --images images.zip
  mercer import products feed.xml --format google
  mercer import products export.csv --mapping mapping.toml --currency CNY
  mercer import products styles.csv --preview")]
    Products(Box<ImportProducts>),
}

#[derive(Debug, Args)]
pub(crate) struct ImportProducts {
    /// A file, a folder or an http(s) address
    pub(crate) source: String,
    /// The format, when the guess is wrong
    #[arg(long)]
    pub(crate) format: Option<String>,
    /// The character encoding, when the guess is wrong
    #[arg(long)]
    pub(crate) encoding: Option<String>,
    /// Which column is what, for a feed of your own (TOML or JSON)
    #[arg(long, value_name = "FILE")]
    pub(crate) mapping: Option<PathBuf>,
    /// The currency of prices that state none
    #[arg(long, value_name = "CODE")]
    pub(crate) currency: Option<String>,
    /// A folder or a zip with the pictures
    #[arg(long, value_name = "DIR|ZIP")]
    pub(crate) images: Option<PathBuf>,
    /// Stop at the first bad row and change nothing
    #[arg(long)]
    pub(crate) strict: bool,
    /// Show the guessed format and columns and the first rows, and change nothing
    #[arg(long)]
    pub(crate) preview: bool,
    /// Write the skipped rows here
    #[arg(long, value_name = "FILE")]
    pub(crate) skipped: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum SortBy {
    Relevance,
    PriceAsc,
    PriceDesc,
    Newest,
    Popular,
    Rating,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to look for, in plain words
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// How many
    #[arg(long, default_value_t = 10)]
    pub(crate) limit: usize,
    /// How many to skip
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// The order
    #[arg(long, value_enum, default_value_t = SortBy::Relevance)]
    pub(crate) sort: SortBy,
    /// Count facets
    #[arg(long)]
    pub(crate) facets: bool,
    /// Say why each product matched
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Chat {
    /// What to say; a conversation when left out
    pub(crate) message: Vec<String>,
    /// Go on with this conversation
    #[arg(long, value_name = "ID")]
    pub(crate) thread: Option<String>,
    /// A picture to talk about
    #[arg(long, value_name = "FILE")]
    pub(crate) image: Vec<PathBuf>,
    /// The language when the message does not tell [default: LANG]
    #[arg(long, value_name = "zh|en")]
    pub(crate) locale: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Config {
    /// Say where each setting comes from and what it does
    #[arg(long)]
    pub(crate) explain: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Runs {
    /// Runs, newest first
    List {
        /// How many
        #[arg(long, default_value_t = 20)]
        limit: usize,
        /// Only of this agent
        #[arg(long)]
        agent: Option<String>,
        /// Only on this thread
        #[arg(long, value_name = "ID")]
        thread: Option<String>,
        /// Only in this state: queued, running, interrupted, done, failed, cancelled or step_limit
        #[arg(long)]
        status: Option<String>,
    },
    /// One run: its steps, what it waits for, its effects
    #[command(
        after_help = "Examples:\n  mercer runs show run_…\n  mercer runs show run_… --step chk_…   (the state, and what the step changed)"
    )]
    Show {
        /// The run
        run: String,
        /// Every event too
        #[arg(long)]
        events: bool,
        /// The state after this step, and what the step changed
        #[arg(long, value_name = "CHECKPOINT", conflicts_with = "events")]
        step: Option<String>,
    },
    /// Answer what a run waits for, or go on with one that failed, was stopped or reached its step limit
    #[command(
        after_help = "Examples:\n  mercer runs resume run_… --answer '{\"approve\": true}'\n  mercer runs resume run_… --answer first=yes --answer 'second={\"amount\": 12}'\n  mercer runs resume run_… --step-limit 128"
    )]
    Resume {
        /// The run
        run: String,
        /// An answer: JSON or plain text; ID=ANSWER when several questions are open
        #[arg(long, value_name = "[ID=]ANSWER")]
        answer: Vec<String>,
        /// A higher step limit
        #[arg(long, value_name = "STEPS", conflicts_with = "answer")]
        step_limit: Option<u32>,
    },
    /// A new thread that holds the state of a step of a run
    Fork {
        /// The run
        run: String,
        /// The step; the newest when left out
        #[arg(long, value_name = "CHECKPOINT")]
        step: Option<String>,
        /// Go on from there at once
        #[arg(long)]
        go_on: bool,
        /// An answer to what was open there, to go on with
        #[arg(long, value_name = "[ID=]ANSWER", requires = "go_on")]
        answer: Vec<String>,
    },
    /// Stop a run; what it did is kept
    Cancel {
        /// The run
        run: String,
    },
    /// Say whether an effect happened whose outcome is not known; then resume its run
    #[command(
        after_help = "Examples:\n  mercer runs settle '[\"default\",\"refund\",\"ORD-1\"]' --happened '\"paid by hand\"'\n  mercer runs settle '[\"default\",\"refund\",\"ORD-1\"]' --did-not-happen"
    )]
    Settle {
        /// The effect's key, as `mercer runs show` prints it
        key: String,
        /// It happened, with this result (JSON)
        #[arg(long, value_name = "RESULT", required_unless_present = "did_not_happen")]
        happened: Option<String>,
        /// It did not happen and may be done again
        #[arg(long, conflicts_with = "happened")]
        did_not_happen: bool,
    },
    /// The graph of a run with the way it took, or of an agent, in Mermaid's language
    Graph {
        /// The run, or the name of an agent
        what: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Eval {
    #[command(subcommand)]
    pub(crate) what: Option<Measure>,
    #[command(flatten)]
    pub(crate) scenarios: Scenarios,
}

#[derive(Debug, Args)]
pub(crate) struct Scenarios {
    /// A scenario file, or a folder of them
    #[arg(value_name = "DIR", required = true)]
    pub(crate) dir: Option<PathBuf>,
    /// Who leads the agents: `floor` for the rules, `configured` for the model of the settings, or the name of another model there
    #[arg(long, default_value = "floor")]
    pub(crate) model: String,
    /// How often each scenario is played
    #[arg(long, default_value_t = 1)]
    pub(crate) trials: u32,
    /// Write a JUnit report here
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,
}

impl Scenarios {
    /// The model's name, when it is not one of the words.
    pub(crate) fn other_model(&self) -> Option<&str> {
        use crate::commands::eval::{CONFIGURED, FLOOR};
        Some(self.model.as_str()).filter(|model| *model != FLOOR && *model != CONFIGURED)
    }
}

#[derive(Debug, Args)]
pub(crate) struct Ask {
    /// The question
    #[arg(required = true)]
    pub(crate) question: Vec<String>,
    /// The most calls of the model for one question or step
    #[arg(long, default_value_t = 8)]
    pub(crate) steps: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Torture {
    /// How many times
    #[arg(long, default_value_t = 100)]
    pub(crate) kills: u32,
    /// Nodes in the chain, each with one effect
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) nodes: u32,
    /// The moments of the kills; another number gives others
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Keep the folder with the database and the diary of the effects, and say where it is
    #[arg(long)]
    pub(crate) keep: bool,
    /// A PostgreSQL database to work in, instead of SQLite in a folder; its threads stay there
    #[arg(long, value_name = "URL")]
    pub(crate) postgres: Option<String>,
    /// What a killed process runs
    #[arg(long, hide = true, value_name = "DIR")]
    pub(crate) victim: Option<PathBuf>,
    /// The victim ends when every thread that was begun is over
    #[arg(long, hide = true, requires = "victim")]
    pub(crate) finish: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Patterns {
    /// Think, call tools, think again, answer: by the provider's tool calls
    React(Ask),
    /// The same for models without tool calls: one JSON object a turn
    ReactJson {
        #[command(flatten)]
        ask: Ask,
        /// The short shape {thought, tool, arg, reply}
        #[arg(long)]
        short: bool,
    },
    /// Make a plan, carry out each step, plan again when one fails, compose
    Plan(Ask),
    /// Draft, criticise, revise, and keep the best
    Reflect {
        /// What is criticised
        #[arg(long, value_enum, default_value_t = PresetName::Answer)]
        preset: PresetName,
        /// The most revisions
        #[arg(long)]
        rounds: Option<u32>,
        /// A file with the draft, or a question whose answer is the draft
        #[arg(required = true, value_name = "FILE|QUESTION")]
        what: Vec<String>,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum PresetName {
    /// An academic paper: novelty, rigour, clarity, evidence, structure
    Paper,
    /// An answer to a customer: support, use, brevity, tone
    Answer,
}

#[derive(Debug, Subcommand)]
pub(crate) enum GateCommand {
    /// Hold answers against their evidence and print what was caught, what was disturbed, and each miss
    #[command(
        after_help = "FILE is JSON lines of {id, lang, user, evidence: [{tool, result}], answer, false_claims: [text…]}; a true answer has no false_claims."
    )]
    Check {
        /// The set
        file: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Measure {
    /// Play attacks written into texts, and say for each whether what must hold holds
    Injection {
        /// JSON lines of {id, carrier, style, payload, attacker_goal, must_hold}
        file: PathBuf,
    },
    /// Measure search against judged queries (CSV: query, docid, rating): nDCG@10 for each query, and the mean
    Search {
        /// The judgements
        #[arg(long, value_name = "FILE")]
        judgements: PathBuf,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum KeyCommand {
    /// Make a key and print it once
    Create {
        /// What it is for
        #[arg(long)]
        name: String,
        /// What it may do
        #[arg(long, value_enum, default_value_t = ScopeArg::Storefront)]
        scope: ScopeArg,
        /// For a storefront key: an origin it may be used from, such as `https://shop.example`
        #[arg(long)]
        origin: Vec<String>,
    },
    /// The keys, without their secrets
    List,
    /// Take a key back
    Revoke {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ScopeArg {
    Storefront,
    Staff,
    Admin,
}
