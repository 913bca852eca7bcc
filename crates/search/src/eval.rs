//! Measures a catalogue's ranking against judgements: nDCG@10 with gain 2^rating − 1, recall, latency.
//!
//! A document that nobody judged counts as rated 0; the ideal order is that of the judged documents. Queries whose judged documents
//! are all rated 0 have no ideal order and are left out of the means.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use crate::error::SearchError;
use crate::index::Catalog;
use crate::request::SearchRequest;

/// How many results count.
const DEPTH: usize = 10;
/// How deep relevant documents are looked for, for recall.
const RECALL_DEPTH: usize = 100;
/// From this rating on a document is relevant for recall.
const RELEVANT: u8 = 2;

/// Judged documents of each query: id and rating.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Judgements {
    queries: BTreeMap<String, BTreeMap<String, u8>>,
}

/// How one query did.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Judged {
    /// The query.
    pub query: String,
    /// nDCG@10.
    pub ndcg: f64,
    /// Share of the relevant documents among the first hundred results; `None` when none is relevant.
    pub recall: Option<f64>,
    /// How many products matched.
    pub total: usize,
    /// Ids and ratings of the first ten.
    pub top: Vec<(String, Option<u8>)>,
    /// How long the search took.
    pub took: Duration,
}

/// How all queries did.
#[derive(Debug, Clone, PartialEq, Default, serde::Serialize)]
pub struct Evaluation {
    /// Each query, in alphabetical order.
    pub queries: Vec<Judged>,
    /// Mean nDCG@10.
    pub ndcg: f64,
    /// Mean recall among the first hundred.
    pub recall: f64,
    /// Median, 99th percentile and slowest latency.
    pub latency: (Duration, Duration, Duration),
    /// Queries without any relevant judged document; not in the means.
    pub without_ideal: usize,
}

/// Reads a CSV file with the columns `query`, `docid` and `rating`, in any order.
///
/// # Errors
/// When it cannot be read or a row lacks a column or has a rating that is no small number.
pub fn judgements(path: &Path) -> Result<Judgements, SearchError> {
    let bad = |row: usize, reason: String| SearchError::Judgements { path: path.to_owned(), row, reason };
    let mut reader = csv::Reader::from_path(path).map_err(|error| bad(1, error.to_string()))?;
    let headers = reader.headers().map_err(|error| bad(1, error.to_string()))?.clone();
    let column = |names: &[&str]| {
        let found = headers.iter().position(|header| names.contains(&header.trim().to_lowercase().as_str()));
        found.ok_or_else(|| bad(1, format!("there is no column {:?}", names.first().unwrap_or(&""))))
    };
    let (query, document, rating) =
        (column(&["query"])?, column(&["docid", "doc_id", "product_id", "id"])?, column(&["rating", "grade"])?);
    let mut judgements = Judgements::default();
    for (at, record) in reader.records().enumerate() {
        let row = at + 2;
        let record = record.map_err(|error| bad(row, error.to_string()))?;
        let cell =
            |column: usize| record.get(column).map(str::trim).ok_or_else(|| bad(row, "a column is missing".into()));
        let grade = cell(rating)?;
        let grade = grade.parse::<u8>().or_else(|_float| grade.trim_end_matches(".0").parse::<u8>());
        let grade = grade
            .ok()
            .filter(|grade| *grade <= 10)
            .ok_or_else(|| bad(row, "the rating is not a number from 0 to 10".into()))?;
        judgements.queries.entry(cell(query)?.to_owned()).or_default().insert(cell(document)?.to_owned(), grade);
    }
    Ok(judgements)
}

impl Judgements {
    /// How many queries are judged.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether no query is judged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// Asks the catalogue every query and compares.
    ///
    /// # Errors
    /// When the catalogue cannot be searched.
    pub fn evaluate(&self, catalog: &Catalog) -> Result<Evaluation, SearchError> {
        let mut evaluation = Evaluation::default();
        for (query, ratings) in &self.queries {
            let judged = judge(catalog, query, ratings)?;
            if ratings.values().all(|rating| *rating == 0) {
                evaluation.without_ideal += 1;
            } else {
                evaluation.queries.push(judged);
            }
        }
        evaluation.ndcg = mean(evaluation.queries.iter().map(|judged| judged.ndcg));
        evaluation.recall = mean(evaluation.queries.iter().filter_map(|judged| judged.recall));
        evaluation.latency = latency(&evaluation.queries);
        Ok(evaluation)
    }
}

fn judge(catalog: &Catalog, query: &str, ratings: &BTreeMap<String, u8>) -> Result<Judged, SearchError> {
    let request = SearchRequest { limit: RECALL_DEPTH, ..SearchRequest::text(query) };
    let response = catalog.search(&request)?;
    let ids: Vec<&str> = response.hits.iter().map(|hit| hit.product.id.as_str()).collect();
    let top: Vec<(String, Option<u8>)> =
        ids.iter().take(DEPTH).map(|id| ((*id).to_owned(), ratings.get(*id).copied())).collect();
    let ndcg = ndcg(top.iter().map(|(_, rating)| rating.unwrap_or(0)), ratings.values().copied());
    let relevant: Vec<&String> = ratings.iter().filter(|(_, rating)| **rating >= RELEVANT).map(|(id, _)| id).collect();
    let found = relevant.iter().filter(|id| ids.contains(&id.as_str())).count();
    let recall = (!relevant.is_empty()).then(|| ratio(found, relevant.len().min(RECALL_DEPTH)));
    Ok(Judged { query: query.to_owned(), ndcg, recall, total: response.total, top, took: response.took })
}

/// nDCG at ten of the ratings in rank order, against the best order of all ratings.
#[must_use]
pub fn ndcg(ranked: impl Iterator<Item = u8>, all: impl Iterator<Item = u8>) -> f64 {
    let mut ideal: Vec<u8> = all.collect();
    ideal.sort_unstable_by(|a, b| b.cmp(a));
    let best = dcg(ideal.into_iter());
    if best > 0.0 { dcg(ranked) / best } else { 0.0 }
}

fn dcg(ratings: impl Iterator<Item = u8>) -> f64 {
    let gains = ratings
        .take(DEPTH)
        .zip(2_u32..)
        .map(|(rating, rank)| (2_f64.powi(i32::from(rating)) - 1.0) / f64::from(rank).log2());
    gains.sum()
}

#[expect(clippy::cast_precision_loss, reason = "counts of documents are far below 2^53")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[expect(clippy::cast_precision_loss, reason = "counts of queries are far below 2^53")]
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0_usize), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

fn latency(queries: &[Judged]) -> (Duration, Duration, Duration) {
    let mut times: Vec<Duration> = queries.iter().map(|judged| judged.took).collect();
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len().saturating_sub(1) * percent / 100).copied().unwrap_or_default();
    (at(50), at(99), at(100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ideal_order_scores_one_and_a_worse_order_less() {
        let all = [3, 2, 0, 1];
        assert!((ndcg([3, 2, 1, 0].into_iter(), all.into_iter()) - 1.0).abs() < 1e-12);
        let swapped = ndcg([2, 3, 1, 0].into_iter(), all.into_iter());
        assert!(swapped < 1.0 && swapped > 0.8);
        assert!(ndcg([0, 0].into_iter(), all.into_iter()).abs() < 1e-12);
    }
}
