//! How fast a feed is read: `cargo run --release -p mercer-search --example feed_rate -- FILE`.

use std::io::Write as _;

use mercer_search::feed::{FeedError, Options, Source, open};
use tokio::time::Instant;

fn main() -> Result<(), FeedError> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "feed.csv".to_owned());
    let started = Instant::now();
    let mut feed = open(&Source::parse(&path), Options::default())?;
    let opened = started.elapsed();
    let mut variants = 0_usize;
    for product in feed.by_ref() {
        variants += product?.variants.len();
    }
    let seconds = (started.elapsed() - opened).as_secs_f64();
    let report = feed.into_report();
    let rate = f64::from(u32::try_from(report.rows).unwrap_or(u32::MAX)) / seconds;
    let line = format!(
        "{} rows, {} products, {variants} variants: surveyed in {:.2} s, read in {seconds:.2} s, {rate:.0} rows/s; {} skipped\n",
        report.rows,
        report.products,
        opened.as_secs_f64(),
        report.skipped
    );
    // Nobody is there to hear of a closed terminal.
    let _written = std::io::stdout().write_all(line.as_bytes());
    Ok(())
}
