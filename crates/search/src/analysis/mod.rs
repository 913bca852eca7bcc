//! From text to terms: folding, segmentation, stems, model numbers, pinyin.
//!
//! The same code reads products and queries, so that what is written one way and asked another way still meets. Nothing here
//! knows of an index or of a catalogue.

mod codes;
mod fold;
mod segment;
mod stem;

pub use codes::{code_parts, is_code};
pub use fold::{fold, is_han, squash};
pub use segment::{Segmenter, Word, grams, pinyin_terms};
pub use stem::stem;

/// Words that say nothing about a product and are not searched for.
#[must_use]
pub fn is_stop_word(word: &str) -> bool {
    matches!(
        word,
        "a" | "an"
            | "and"
            | "any"
            | "are"
            | "as"
            | "at"
            | "be"
            | "by"
            | "for"
            | "from"
            | "i"
            | "in"
            | "is"
            | "it"
            | "its"
            | "me"
            | "my"
            | "of"
            | "on"
            | "or"
            | "our"
            | "please"
            | "so"
            | "some"
            | "that"
            | "the"
            | "their"
            | "this"
            | "these"
            | "to"
            | "us"
            | "we"
            | "with"
            | "you"
            | "your"
            | "的"
            | "了"
            | "和"
            | "与"
            | "及"
            | "或"
            | "是"
            | "在"
            | "我"
            | "我们"
            | "你"
            | "给"
            | "个"
            | "件"
            | "条"
            | "双"
            | "款"
            | "一"
            | "一个"
            | "一件"
            | "一条"
            | "一双"
            | "一款"
            | "有"
            | "吗"
            | "呢"
            | "吧"
            | "啊"
            | "要"
            | "想"
            | "想要"
            | "请"
    )
}
