//! `mercer import`: products into the catalogue, with a bar, and a report of what was left out and why.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use mercer_search::feed::{self, Mapping, Preview, Progress, Source};
use mercer_search::import::{self, Import, ImportError, ImportReport};
use mercer_search::{Catalog, Catalogs, Committed};
use mercer_shop::Currency;

use crate::args::ImportProducts;
use crate::settings::Settings;
use crate::{Outcome, output};

/// Kinds of problem whose samples are shown, and samples of each.
const SHOWN_SAMPLES: usize = 3;

pub(crate) fn run(settings: &Settings, import: &ImportProducts, json: bool) -> anyhow::Result<Outcome> {
    let source = Source::parse(&import.source);
    let options = options(settings, import)?;
    if import.preview {
        let preview = feed::preview(&source, &options, 5)?;
        if json {
            output::json(&preview)?;
        } else {
            print_preview(&preview);
        }
        return Ok(Outcome::Done);
    }
    let catalog = open(settings)?;
    if !json {
        print_guess(&feed::preview(&source, &options, 0)?);
    }
    let skipped = options.skipped.clone();
    let clock = tokio::time::Instant::now();
    let report = with_bar(&catalog, Import { source, options, pictures: import.images.clone() }, json);
    let took = clock.elapsed();
    match report {
        Ok(report) => {
            if json {
                output::json(&report)?;
            } else {
                print_report(&report, took, skipped.as_deref());
            }
            Ok(if report.feed.skipped > 0 { Outcome::RowsSkipped } else { Outcome::Done })
        }
        Err(error) => {
            if let Some(report) = error.report() {
                print_problems(report);
            }
            Err(error).context("nothing was changed")
        }
    }
}

/// Fills an empty catalogue with the sample shop, and says so.
pub(crate) fn sample(settings: &Settings, dir: &Path) -> anyhow::Result<()> {
    let catalog = open(settings)?;
    if !catalog.is_empty()? {
        return Ok(());
    }
    output::note("Loading the sample shop …");
    let import = Import {
        source: Source::path(dir.join("products.jsonl")),
        options: feed::Options::default(),
        pictures: Some(dir.join("images")),
    };
    let report = with_bar(&catalog, import, true).context("loading the sample shop")?;
    let (from, to) = (dir.join("shop.toml"), settings.data.join("shop.toml"));
    if !to.exists() {
        std::fs::copy(&from, &to).with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    }
    output::note(format!("{} products, {} pictures.", report.feed.products, report.pictures));
    Ok(())
}

fn open(settings: &Settings) -> anyhow::Result<Arc<Catalog>> {
    std::fs::create_dir_all(&settings.data)
        .with_context(|| format!("making the data folder {}", settings.data.display()))?;
    Catalogs::new(settings.data.join("tenants")).tenant(&settings.tenant).context("opening the catalogue")
}

fn options(settings: &Settings, import: &ImportProducts) -> anyhow::Result<feed::Options> {
    let mapping = import.mapping.as_deref().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        Mapping::parse(&text).with_context(|| format!("reading {}", path.display()))
    });
    let currency = import.currency.as_deref().map(Currency::new).transpose().context("--currency")?;
    Ok(feed::Options {
        format: import.format.as_deref().map(str::parse).transpose().context("--format")?,
        encoding: import.encoding.clone(),
        currency: currency.or(settings.currency),
        mapping: mapping.transpose()?,
        strict: import.strict,
        skipped: import.skipped.clone(),
        ..feed::Options::default()
    })
}

/// Runs the import under a progress bar. Ctrl-C stops it with the catalogue as it was.
fn with_bar(catalog: &Catalog, import: Import, hidden: bool) -> Result<ImportReport, ImportError> {
    let bar = if hidden { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let style = "{bar:30} {percent:>3} %  {msg}  {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    let cancel = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&cancel);
    // A second handler cannot be set in one process, which only tests do; then Ctrl-C ends the process, which is safe too.
    if !hidden {
        drop(ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed)));
    }
    let report = import::run(catalog, import, &cancel, |progress: &Progress| {
        bar.set_length(progress.total_bytes);
        bar.set_position(progress.bytes);
        bar.set_message(format!(
            "{} rows, {} products, {:.0} rows/s",
            progress.rows, progress.products, progress.rows_per_second
        ));
    });
    bar.finish_and_clear();
    report
}

fn print_guess(preview: &Preview) {
    output::line(format!("{} ({:.0} % sure), {}", preview.format, preview.confidence * 100.0, preview.encoding.name));
    for warning in &preview.warnings {
        output::line(format!("note: {warning}"));
    }
}

fn print_preview(preview: &Preview) {
    print_guess(preview);
    for column in &preview.columns {
        output::line(format!("  {} → {}", column.name, column.maps_to.as_deref().unwrap_or("(not read)")));
    }
    for row in &preview.rows {
        output::line(format!("  {}", row.join(" | ")));
    }
    output::line("Nothing was changed. Leave --preview out to import.");
}

fn print_report(report: &ImportReport, took: std::time::Duration, skipped: Option<&Path>) {
    let feed = &report.feed;
    for warning in &feed.warnings {
        output::line(format!("note: {warning}"));
    }
    output::line(format!(
        "{} rows → {} products in {}.{} s: {}",
        feed.rows,
        feed.products,
        took.as_secs(),
        took.subsec_millis() / 100,
        changes(&report.catalogue)
    ));
    if report.pictures + report.pictures_missing > 0 {
        output::line(format!("pictures: {} kept, {} not found", report.pictures, report.pictures_missing));
    }
    print_problems(feed);
    if feed.skipped > 0 {
        match skipped {
            Some(path) => output::line(format!(
                "{} of {} rows were skipped; {} lists them",
                feed.skipped,
                feed.rows,
                path.display()
            )),
            None => output::line(format!(
                "{} of {} rows were skipped\nhint: --skipped FILE lists them; --strict stops at the first",
                feed.skipped, feed.rows
            )),
        }
    }
}

fn changes(done: &Committed) -> String {
    if !done.swapped {
        return "nothing changed".to_owned();
    }
    format!("{} new, {} changed, {} gone, {} as before", done.added, done.changed, done.removed, done.unchanged)
}

fn print_problems(report: &feed::Report) {
    for (kind, problems) in &report.by_kind {
        output::line(format!("{kind}: {} skipped, {} kept without the value", problems.skipped, problems.noted));
        for sample in problems.samples.iter().take(SHOWN_SAMPLES) {
            output::line(format!("  {sample}"));
        }
    }
}
