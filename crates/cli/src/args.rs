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
    /// Measure
    #[command(subcommand)]
    Eval(Eval),
    /// Keys of the API
    #[command(subcommand)]
    Key(KeyCommand),
    /// Print the OpenAPI document of the server
    Openapi,
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

#[derive(Debug, Subcommand)]
pub(crate) enum Eval {
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
