//! One finished, immutable state of a catalogue on disk, opened for reading.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mercer_shop::{Product, ProductId};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, DocSet, Index, ReloadPolicy, Searcher, TERMINATED, TantivyDocument, Term};

use super::facet_values::FacetValues;
use super::schema::{Fields, schema};
use super::vocabulary::Vocabulary;
use crate::analysis::Segmenter;
use crate::error::SearchError;
use crate::lexicon::SEGMENTER;
use crate::request::Field;
use crate::spelling::Spelling;
use crate::understand::Names;

pub(crate) const FORMAT: u32 = 1;
const MANIFEST: &str = "manifest.json";
const VOCABULARY: &str = "vocabulary.json";
const FINGERPRINTS: &str = "fingerprints.bin";

/// What a generation says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub format: u32,
    pub products: usize,
}

#[derive(Debug)]
pub(crate) struct Generation {
    pub name: String,
    pub fields: Fields,
    pub searcher: Searcher,
    pub vocabulary: Vocabulary,
    pub segmenter: Segmenter,
    dir: PathBuf,
    names: OnceLock<Names>,
    spelling: OnceLock<Spelling>,
    facet_values: OnceLock<FacetValues>,
}

impl Generation {
    pub(crate) fn open(root: &Path, name: &str) -> Result<Self, SearchError> {
        let dir = root.join(name);
        let manifest: Manifest = read_json(&dir.join(MANIFEST))?;
        let vocabulary: Vocabulary = read_json(&dir.join(VOCABULARY))?;
        tracing::debug!(generation = name, products = manifest.products, "opening the catalogue");
        let (_, fields) = schema();
        let index = Index::open_in_dir(&dir)?;
        let reader =
            index.reader_builder().reload_policy(ReloadPolicy::Manual).doc_store_cache_num_blocks(64).try_into()?;
        let own = vocabulary.values(&Field::Brand).map(|(_, entry)| entry.shown.as_str());
        let levels = vocabulary.levels.values().filter_map(|level| level.shown.zh.as_deref());
        let segmenter = SEGMENTER.clone().extended(own.chain(levels));
        Ok(Self {
            name: name.to_owned(),
            fields,
            searcher: reader.searcher(),
            vocabulary,
            segmenter,
            dir,
            names: OnceLock::new(),
            spelling: OnceLock::new(),
            facet_values: OnceLock::new(),
        })
    }

    /// Names of brands and categories, by their words; read on first use.
    pub(crate) fn names(&self) -> &Names {
        self.names.get_or_init(|| Names::of(&self.vocabulary, &self.segmenter))
    }

    /// All known words, for corrections; read on first use.
    pub(crate) fn spelling(&self) -> &Spelling {
        self.spelling.get_or_init(|| Spelling::of(&self.searcher, &[self.fields.title, self.fields.facts]))
    }

    /// The values that facets offer; read on first use.
    pub(crate) fn facet_values(&self) -> Result<&FacetValues, SearchError> {
        if let Some(values) = self.facet_values.get() {
            return Ok(values);
        }
        let values = FacetValues::of(&self.searcher, &self.vocabulary)?;
        Ok(self.facet_values.get_or_init(|| values))
    }

    pub(crate) fn product(&self, address: DocAddress) -> Result<Product, SearchError> {
        let document: TantivyDocument = self.searcher.doc(address)?;
        let json = document.get_first(self.fields.json).and_then(|value| value.as_bytes()).unwrap_or_default();
        serde_json::from_slice(json).map_err(|source| SearchError::Format { path: self.dir.clone(), source })
    }

    /// Where the product of an id is.
    pub(crate) fn find(&self, id: &ProductId) -> Result<Option<DocAddress>, SearchError> {
        let term = Term::from_field_text(self.fields.id, id.as_str());
        for (segment, reader) in (0_u32..).zip(self.searcher.segment_readers()) {
            let inverted = reader.inverted_index(self.fields.id)?;
            let Some(mut postings) = inverted.read_postings(&term, IndexRecordOption::Basic).map_err(io)? else {
                continue;
            };
            while postings.doc() != TERMINATED {
                if !reader.is_deleted(postings.doc()) {
                    return Ok(Some(DocAddress::new(segment, postings.doc())));
                }
                postings.advance();
            }
        }
        Ok(None)
    }
}

pub(crate) fn io(source: std::io::Error) -> SearchError {
    SearchError::Index(source.into())
}

pub(crate) fn read_json<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, SearchError> {
    let bytes = fs::read(path).map_err(SearchError::io("read", path))?;
    serde_json::from_slice(&bytes).map_err(|source| SearchError::Format { path: path.to_owned(), source })
}

/// Writes what belongs beside the index, and makes it durable.
pub(crate) fn write_beside(
    dir: &Path,
    vocabulary: &Vocabulary,
    fingerprints: &FxHashMap<u64, u64>,
) -> Result<(), SearchError> {
    let manifest = Manifest { format: FORMAT, products: fingerprints.len() };
    write(&dir.join(VOCABULARY), &to_json(vocabulary, dir)?)?;
    let mut pairs: Vec<(u64, u64)> = fingerprints.iter().map(|(id, print)| (*id, *print)).collect();
    pairs.sort_unstable();
    let bytes: Vec<u8> =
        pairs.iter().flat_map(|(id, print)| id.to_le_bytes().into_iter().chain(print.to_le_bytes())).collect();
    write(&dir.join(FINGERPRINTS), &bytes)?;
    write(&dir.join(MANIFEST), &to_json(&manifest, dir)?)
}

fn to_json<T: Serialize>(value: &T, dir: &Path) -> Result<Vec<u8>, SearchError> {
    serde_json::to_vec(value).map_err(|source| SearchError::Format { path: dir.to_owned(), source })
}

/// Writes a file and waits until it is on disk.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), SearchError> {
    use std::io::Write;
    let mut file = fs::File::create(path).map_err(SearchError::io("written", path))?;
    file.write_all(bytes).and_then(|()| file.sync_all()).map_err(SearchError::io("written", path))
}

/// The fingerprints of a generation's products by the hash of their id; empty when there are none.
pub(crate) fn fingerprints(dir: &Path) -> Result<FxHashMap<u64, u64>, SearchError> {
    let path = dir.join(FINGERPRINTS);
    let bytes = match fs::read(&path) {
        Ok(bytes) => bytes,
        Err(missing) if missing.kind() == std::io::ErrorKind::NotFound => return Ok(FxHashMap::default()),
        Err(error) => return Err(SearchError::io("read", path)(error)),
    };
    let (pairs, _) = bytes.as_chunks::<16>();
    Ok(pairs
        .iter()
        .map(|pair| {
            let both = u128::from_le_bytes(*pair);
            (low_half(both), low_half(both >> 64))
        })
        .collect())
}

fn low_half(both: u128) -> u64 {
    u64::try_from(both & u128::from(u64::MAX)).unwrap_or_default()
}
