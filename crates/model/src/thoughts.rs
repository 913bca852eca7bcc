//! The marks that models put around their thoughts when the server leaves them in the answer.

/// One way of marking thoughts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Marks {
    pub(crate) open: &'static str,
    pub(crate) close: &'static str,
}

const fn marks(open: &'static str, close: &'static str) -> Marks {
    Marks { open, close }
}

/// The ways known, from parsers and issues of the field (mid 2026).
pub(crate) const THOUGHTS: [Marks; 9] = [
    marks("<think>", "</think>"),
    marks("<thinking>", "</thinking>"),
    marks("<thought>", "</thought>"),
    marks("<reasoning>", "</reasoning>"),
    marks("<seed:think>", "</seed:think>"),
    marks("[THINK]", "[/THINK]"),
    marks("<|START_THINKING|>", "<|END_THINKING|>"),
    marks("<|channel>thought", "<channel|>"),
    marks("<|channel|>analysis<|message|>", "<|end|>"),
];

/// The marks that open at the start of the text.
pub(crate) fn opening(text: &str) -> Option<Marks> {
    THOUGHTS.into_iter().find(|marks| text.starts_with(marks.open))
}

/// The closing mark at the start of the text. Its opening mark may have been in the prompt.
pub(crate) fn closing(text: &str) -> Option<Marks> {
    THOUGHTS.into_iter().find(|marks| text.starts_with(marks.close))
}
