//! The fields of the index. Text fields hold terms that are ready, separated by blanks; what a term is, `document` decides.

use tantivy::schema::{
    FAST, Field, IndexRecordOption, NumericOptions, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};

/// Handles of the fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    pub id: Field,
    pub title: Field,
    pub facts: Field,
    pub text: Field,
    pub kind: Field,
    pub pairs: Field,
    pub grams: Field,
    pub pinyin: Field,
    pub codes: Field,
    pub facets: Field,
    pub price: Field,
    pub popularity: Field,
    pub rating: Field,
    pub released: Field,
    pub available: Field,
    pub order: Field,
    pub json: Field,
}

/// Names of the columns that are read by name.
pub(crate) mod column {
    pub(crate) const FACETS: &str = "facets";
    pub(crate) const PRICE: &str = "price";
    pub(crate) const POPULARITY: &str = "popularity";
    pub(crate) const RATING: &str = "rating";
    pub(crate) const RELEASED: &str = "released";
    pub(crate) const AVAILABLE: &str = "available";
    pub(crate) const ORDER: &str = "order";
}

pub(crate) fn schema() -> (Schema, Fields) {
    let mut schema = Schema::builder();
    let scored = terms(IndexRecordOption::WithFreqs, true);
    let plain = terms(IndexRecordOption::Basic, false);
    let number = NumericOptions::default().set_fast();
    let fields = Fields {
        id: schema.add_text_field("id", STRING),
        title: schema.add_text_field("title", scored.clone()),
        facts: schema.add_text_field("facts", scored.clone()),
        text: schema.add_text_field("text", scored),
        kind: schema.add_text_field("kind", plain.clone()),
        pairs: schema.add_text_field("pairs", plain.clone()),
        grams: schema.add_text_field("grams", plain.clone()),
        pinyin: schema.add_text_field("pinyin", plain.clone()),
        codes: schema.add_text_field("codes", plain),
        facets: schema.add_text_field(column::FACETS, STRING | FAST),
        price: schema.add_i64_field(column::PRICE, number.clone()),
        popularity: schema.add_u64_field(column::POPULARITY, number.clone()),
        rating: schema.add_u64_field(column::RATING, number.clone()),
        released: schema.add_i64_field(column::RELEASED, number.clone()),
        available: schema.add_u64_field(column::AVAILABLE, number.clone()),
        order: schema.add_u64_field(column::ORDER, number),
        json: schema.add_bytes_field("json", STORED),
    };
    (schema.build(), fields)
}

fn terms(record: IndexRecordOption, lengths: bool) -> TextOptions {
    TextOptions::default().set_indexing_options(
        TextFieldIndexing::default().set_tokenizer("whitespace").set_index_option(record).set_fieldnorms(lengths),
    )
}
