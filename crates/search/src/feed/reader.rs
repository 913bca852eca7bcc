//! Gives out the products of a feed, one after the other.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use indexmap::IndexMap;
use mercer_shop::{Currency, Lang, Product};
use sha2::{Digest, Sha256};

use super::Format;
use super::draft::{self, Draft, Problem};
use super::error::FeedError;
use super::node::Node;
use super::options::Options;
use super::probe::{self, Probe};
use super::progress::{Clock, Phase, Progress};
use super::record::Record;
use super::records::{Records, Step};
use super::report::{ProblemKind, Report, RowProblem, SkippedWriter};
use super::shapes::{Cx, Shape, hash};
use super::source::{self, Part, Source};
use super::text;

/// Rows between two calls of the progress function.
const EVERY: u64 = 1_000;

/// One part and how it is read.
struct Plan {
    part: Part,
    probe: Probe,
    shape: Box<dyn Shape>,
    format: Format,
    currency: Currency,
    /// Nobody stated the currency.
    assumed: bool,
}

/// The part that is being read.
struct Current {
    plan: Plan,
    records: Records,
    /// Grouping: the product of each row, and the last row of each product.
    keys: Vec<u64>,
    last: HashMap<u64, usize>,
    open: IndexMap<u64, Draft>,
    ordinal: usize,
}

/// A feed that is being read: an iterator over its products.
///
/// An `Err` ends it: what was given out before must not replace a catalogue. Rows that cannot be used are not errors; see
/// [`Feed::report`].
pub struct Feed {
    options: Options,
    plans: VecDeque<Plan>,
    current: Option<Current>,
    ready: VecDeque<Product>,
    /// Ids that were given out, with their lines.
    seen: HashMap<u64, u64>,
    notes: Vec<Problem>,
    report: Report,
    skipped: Option<SkippedWriter>,
    read: Arc<AtomicU64>,
    total: u64,
    phase: Phase,
    clock: Clock,
    failed: bool,
    plain_price: bool,
    made_id: bool,
}

impl std::fmt::Debug for Feed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Feed").field("phase", &self.phase).field("report", &self.report).finish_non_exhaustive()
    }
}

/// Opens a feed: reads it once to know its encoding and hash, and tells its format. Blocking; an address is fetched first.
///
/// # Errors
/// When the source cannot be read, is no feed, or holds no products.
pub fn open(source: &Source, options: Options) -> Result<Feed, FeedError> {
    probe::check(&options)?;
    let parts = source::parts(source, &options)?;
    Feed::new(parts, options, matches!(source, Source::Dir(_)))
}

/// The content of a product as a hash: equal for equal products, so that an import that changes nothing can be told.
#[must_use]
pub fn fingerprint(product: &Product) -> String {
    let json = serde_json::to_vec(product).unwrap_or_default();
    hex(&Sha256::digest(&json))
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        // Writing to a String cannot fail.
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Whether a feed's texts are Chinese: column names, keys and addresses in Latin letters aside.
fn is_chinese(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(head.get(..head.len().min(20_000)).unwrap_or_default());
    let latin = text.chars().filter(char::is_ascii_alphabetic).count();
    let han = text.chars().filter(|c| matches!(c, '\u{4e00}'..='\u{9fff}')).count();
    han * 15 > latin
}

impl Feed {
    /// Reads parts; with `several`, parts that are no catalogue are left out with a warning.
    pub(crate) fn new(parts: Vec<Part>, options: Options, several: bool) -> Result<Self, FeedError> {
        let total = parts.iter().map(|part| part.size).sum();
        let several = several || parts.len() > 1;
        let skipped = options.skipped.clone().map(SkippedWriter::new);
        let mut feed = Self {
            options,
            plans: VecDeque::new(),
            current: None,
            ready: VecDeque::new(),
            seen: HashMap::new(),
            notes: Vec::new(),
            report: Report::default(),
            skipped,
            read: Arc::default(),
            total,
            phase: Phase::Surveying,
            clock: Clock::start(0),
            failed: false,
            plain_price: false,
            made_id: false,
        };
        let mut digest = Sha256::new();
        let mut left_out = None;
        for part in parts {
            match feed.plan(part) {
                Ok(plan) => {
                    digest.update(plan.probe.hash);
                    feed.describe(&plan);
                    feed.plans.push_back(plan);
                }
                Err(error @ (FeedError::NoProducts { .. } | FeedError::Empty { .. } | FeedError::NotAFeed { .. }))
                    if several =>
                {
                    feed.report.warn(format!("left out: {error}"));
                    left_out = Some(error);
                }
                Err(error) => return Err(error),
            }
            feed.tell();
        }
        if feed.plans.is_empty() {
            return Err(left_out.unwrap_or_else(|| FeedError::Empty { part: "the source".to_owned() }));
        }
        feed.report.source_hash = match feed.plans.front() {
            Some(plan) if feed.plans.len() == 1 => hex(&plan.probe.hash),
            _ => hex(&digest.finalize()),
        };
        feed.enter(Phase::Reading);
        Ok(feed)
    }

    fn plan(&self, part: Part) -> Result<Plan, FeedError> {
        let probe = Probe::new(&part, &self.options, &self.read, false)?;
        let fit = probe.choose(&part.name, &self.options)?;
        let (shape, mapping) = probe.shape(&fit, &self.options)?;
        let stated = self.options.currency.or_else(|| mapping.as_ref().and_then(|m| m.currency));
        let assumed = if is_chinese(&probe.head) { Currency::CNY } else { Currency::USD };
        let (format, currency) = (fit.format, stated.unwrap_or(assumed));
        Ok(Plan { part, probe, shape, format, currency, assumed: stated.is_none() })
    }

    fn describe(&mut self, plan: &Plan) {
        let encoding = &plan.probe.guess;
        let guess = if encoding.is_guess() { ", guessed" } else { "" };
        let container = plan.probe.container.name();
        let line = format!("{}: {} ({container}, {}{guess})", plan.part.name, plan.format, encoding.name);
        self.report.formats.push(line);
        if encoding.is_guess() {
            self.report.warn(format!(
                "{}: the encoding is guessed as {}; when names look wrong, say which it is",
                plan.part.name, encoding.name
            ));
        }
    }

    /// What was read, taken and left out, so far.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The report, when all is read.
    #[must_use]
    pub fn into_report(self) -> Report {
        self.report
    }

    /// SHA-256 of the source, in hexadecimal: the same source need not be imported again.
    #[must_use]
    pub fn source_hash(&self) -> &str {
        &self.report.source_hash
    }

    /// How far it is.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let bytes = self.read.load(Ordering::Relaxed).min(self.total);
        let (rows_per_second, seconds_left) = self.clock.rates(self.report.rows, bytes, self.total);
        Progress {
            phase: self.phase,
            bytes,
            total_bytes: self.total,
            rows: self.report.rows,
            products: self.report.products,
            skipped: self.report.skipped,
            rows_per_second,
            seconds_left,
        }
    }

    fn tell(&self) {
        if let Some(progress) = &self.options.progress {
            progress(&self.progress());
        }
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.clock = Clock::start(self.report.rows);
        self.read.store(0, Ordering::Relaxed);
        self.tell();
    }

    /// Opens the next part; a grouped one is read once to know which rows belong together.
    fn next_part(&mut self) -> Result<bool, FeedError> {
        let Some(mut plan) = self.plans.pop_front() else { return Ok(false) };
        let before = self.read.load(Ordering::Relaxed);
        let (mut keys, mut last) = (Vec::new(), HashMap::new());
        if plan.shape.grouped() {
            self.phase = Phase::Grouping;
            let mut records = plan.probe.records(&plan.part, &self.options, &self.read)?;
            let join = plan.shape.join_tail();
            let mut notes = Vec::new();
            loop {
                notes.clear();
                match records.step(join, &self.options.limits, &mut notes)? {
                    Step::Record { .. } => keys.push(plan.shape.survey(records.record())),
                    Step::Bad { .. } => {}
                    Step::End => break,
                }
                if keys.len() % 20_000 == 19_999 {
                    self.tell();
                }
            }
            for (at, key) in keys.iter_mut().enumerate() {
                *key = plan.shape.resolve(*key);
                last.insert(*key, at);
            }
            plan.shape.rewind();
            self.read.store(before, Ordering::Relaxed);
            self.phase = Phase::Reading;
        }
        let records = plan.probe.records(&plan.part, &self.options, &self.read)?;
        self.current = Some(Current { plan, records, keys, last, open: IndexMap::new(), ordinal: 0 });
        Ok(true)
    }

    /// Reads one row; false at the end of the part.
    fn step(&mut self) -> Result<bool, FeedError> {
        let Some(mut current) = self.current.take() else { return Ok(false) };
        self.notes.clear();
        let step = current.records.step(current.plan.shape.join_tail(), &self.options.limits, &mut self.notes)?;
        match step {
            Step::End => {
                for (_, draft) in std::mem::take(&mut current.open) {
                    self.close(&current.plan.part.name, draft)?;
                }
                self.finish_part(&current);
                return Ok(false);
            }
            Step::Bad { line, problem, raw } => {
                self.report.rows += 1;
                self.problem(&current.plan.part.name, line, problem, false, raw)?;
            }
            Step::Record { line } => {
                self.report.rows += 1;
                self.record(&mut current, line)?;
            }
        }
        if self.report.rows.is_multiple_of(EVERY) {
            self.tell();
        }
        self.current = Some(current);
        Ok(true)
    }

    fn record(&mut self, current: &mut Current, line: u64) -> Result<(), FeedError> {
        let ordinal = current.ordinal;
        current.ordinal += 1;
        let name = current.plan.part.name.clone();
        if current.plan.format == Format::Mercer {
            match current.records.product() {
                Some(Ok(product)) => return self.own(&name, line, product),
                // Ours by its looks: say what is wrong with it. Anything else is read by its names.
                Some(Err(error)) if matches!(current.records.record(), Record::Node(node) if super::format::is_own(node)) =>
                {
                    let raw = current.records.record().raw();
                    let problem =
                        Problem::new(ProblemKind::BadSyntax, None, format!("the item is no product: {error}"));
                    return self.problem(&name, line, problem, false, raw);
                }
                Some(Err(_)) | None => {}
            }
        }
        let record = current.records.record();
        if !current.plan.shape.wants(record) {
            return Ok(());
        }
        let mut cx = Cx {
            currency: current.plan.currency,
            notes: &mut self.notes,
            plain_price: &mut self.plain_price,
            made_id: &mut self.made_id,
        };
        let drafted = current.plan.shape.draft(record, line, &mut cx);
        let raw = if self.notes.is_empty() && drafted.is_ok() { Vec::new() } else { record.raw() };
        self.note_all(&name, line, &raw)?;
        let grouped = current.plan.shape.grouped();
        match drafted {
            Err(problem) => self.problem(&name, line, problem, false, raw)?,
            Ok(draft) if !grouped => return self.close(&name, draft),
            Ok(draft) => {
                let key = current.keys.get(ordinal).copied().unwrap_or_else(|| hash("id", &draft.id));
                match current.open.entry(key) {
                    indexmap::map::Entry::Occupied(mut open) => open.get_mut().merge(draft),
                    indexmap::map::Entry::Vacant(free) => drop(free.insert(draft)),
                }
            }
        }
        if let Some(key) = current.keys.get(ordinal)
            && current.last.get(key) == Some(&ordinal)
            && let Some(draft) = current.open.swap_remove(key)
        {
            self.close(&name, draft)?;
        }
        Ok(())
    }

    /// Passes notes on rows that are kept to the report.
    fn note_all(&mut self, part: &str, line: u64, raw: &[String]) -> Result<(), FeedError> {
        if self.notes.is_empty() {
            return Ok(());
        }
        self.report.kept_with_problem += 1;
        for note in std::mem::take(&mut self.notes) {
            self.problem(part, line, note, true, raw.to_vec())?;
        }
        Ok(())
    }

    /// A product in our own JSON: as it is, without invisible characters.
    fn own(&mut self, part: &str, line: u64, mut product: Product) -> Result<(), FeedError> {
        let clean = |text: &mut Option<String>, most: usize| {
            *text = text.take().map(|t| text::cut(&text::visible(&t), most).to_owned()).filter(|t| !t.is_empty());
        };
        for (localized, most) in [(&mut product.title, draft::TITLE), (&mut product.description, draft::DESCRIPTION)] {
            clean(&mut localized.zh, most);
            clean(&mut localized.en, most);
        }
        if product.title.is_empty() {
            let problem = Problem::new(ProblemKind::MissingTitle, "title", "the product has no name");
            return self.problem(part, line, problem, false, vec![product.id.to_string()]);
        }
        if product.variants.is_empty() {
            let mut draft = Draft::new(product.id.as_str(), line);
            draft.title = product.title.clone();
            if let Ok(made) = draft.finish(1, &mut Vec::new()) {
                product.variants = made.variants;
            }
        }
        self.emit(part, line, product)
    }

    /// A draft to which no row will be added becomes a product.
    fn close(&mut self, part: &str, draft: Draft) -> Result<(), FeedError> {
        let line = draft.line;
        let about = vec![draft.id.clone(), draft.title.get(Lang::En).to_owned()];
        if let Some(reason) = draft.hidden {
            let problem = Problem::new(ProblemKind::NotForSale, None, reason);
            return self.problem(part, line, problem, false, about);
        }
        let mut notes = Vec::new();
        let finished = draft.finish(self.options.limits.variants, &mut notes);
        self.notes = notes;
        self.note_all(part, line, &about)?;
        match finished {
            Ok(product) => self.emit(part, line, product),
            Err(problem) => self.problem(part, line, problem, false, about),
        }
    }

    fn emit(&mut self, part: &str, line: u64, product: Product) -> Result<(), FeedError> {
        let id = hash("product", product.id.as_str());
        if let Some(first) = self.seen.get(&id) {
            let reason = format!("the id {} was already used in line {first}; the first is kept", product.id);
            let about = vec![product.id.to_string(), product.title.get(Lang::En).to_owned()];
            return self.problem(part, line, Problem::new(ProblemKind::DuplicateId, "id", reason), false, about);
        }
        self.seen.insert(id, line);
        self.report.products += 1;
        self.ready.push_back(product);
        Ok(())
    }

    fn problem(
        &mut self,
        part: &str,
        line: u64,
        problem: Problem,
        kept: bool,
        raw: Vec<String>,
    ) -> Result<(), FeedError> {
        let Problem { column, kind, reason } = problem;
        let problem = RowProblem { part: part.to_owned(), line, column, kind, reason, kept, raw };
        self.report.add(&problem);
        if kept {
            return Ok(());
        }
        if let Some(writer) = &mut self.skipped {
            let written = writer.write(&problem);
            written.map_err(|source| FeedError::Skipped { path: writer.path().to_owned(), source })?;
        }
        if self.options.strict && kind != ProblemKind::NotForSale {
            return Err(FeedError::Strict(Box::new(problem)));
        }
        Ok(())
    }

    fn finish_part(&mut self, current: &Current) {
        let plan = &current.plan;
        if self.plain_price && plan.assumed {
            self.report.warn(format!(
                "{}: the feed does not name a currency; {} is assumed, say which it is when that is wrong",
                plan.part.name, plan.currency
            ));
        }
        if self.made_id {
            self.report.warn(format!(
                "{}: products without an id got one made from their name, maker and picture",
                plan.part.name
            ));
        }
        (self.plain_price, self.made_id) = (false, false);
    }

    fn advance(&mut self) -> Result<Option<Product>, FeedError> {
        loop {
            if let Some(product) = self.ready.pop_front() {
                return Ok(Some(product));
            }
            if self.current.is_none() && !self.next_part()? {
                break;
            }
            self.step()?;
        }
        if let Some(writer) = &mut self.skipped {
            let flushed = writer.flush();
            flushed.map_err(|source| FeedError::Skipped { path: writer.path().to_owned(), source })?;
        }
        if self.phase != Phase::Done {
            self.phase = Phase::Done;
            self.tell();
        }
        Ok(None)
    }
}

impl Iterator for Feed {
    type Item = Result<Product, FeedError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let next = self.advance().transpose();
        self.failed = matches!(next, Some(Err(_)));
        if self.failed
            && let Some(writer) = &mut self.skipped
        {
            // The error that ends the feed says more than one about the list would.
            let _flushed = writer.flush();
        }
        next
    }
}

/// Rows of a JSON or XML head as cells, for the preview.
pub(crate) fn item_cells(item: &Node, columns: &[String]) -> Vec<String> {
    let cell = |column: &String| {
        let mut found = Vec::new();
        item.at(column, &mut found);
        let texts: Vec<&str> = found.iter().filter_map(|n| n.text()).take(10).collect();
        text::cut(&texts.join(" | "), 300).to_owned()
    };
    columns.iter().map(cell).collect()
}
