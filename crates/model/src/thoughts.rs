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
pub(crate) const THOUGHTS: [Marks; 12] = [
    marks("<think>", "</think>"),
    marks("<thinking>", "</thinking>"),
    marks("<thought>", "</thought>"),
    marks("<reasoning>", "</reasoning>"),
    marks("<reflection>", "</reflection>"),
    marks("<scratchpad>", "</scratchpad>"),
    marks("◁think▷", "◁/think▷"),
    marks("<seed:think>", "</seed:think>"),
    marks("[THINK]", "[/THINK]"),
    marks("<|START_THINKING|>", "<|END_THINKING|>"),
    marks("<|channel>thought", "<channel|>"),
    marks("<|channel|>analysis<|message|>", "<|end|>"),
];

/// The marks that open at the start of the text.
pub(crate) fn opening(text: &str) -> Option<Marks> {
    THOUGHTS.into_iter().find(|marks| begins(text, marks.open))
}

/// The closing mark at the start of the text. Its opening mark may have been in the prompt.
pub(crate) fn closing(text: &str) -> Option<Marks> {
    THOUGHTS.into_iter().find(|marks| begins(text, marks.close))
}

/// Whether the mark stands at the start, in any case.
pub(crate) fn begins(text: &str, mark: &str) -> bool {
    text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark))
}

/// Where the closing mark stands in the text, in any case.
pub(crate) fn find_close(text: &str, marks: Marks) -> Option<usize> {
    let first = marks.close.chars().next()?;
    text.match_indices(first).map(|(at, _)| at).find(|&at| text.get(at..).is_some_and(|rest| begins(rest, marks.close)))
}
