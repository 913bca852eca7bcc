//! Products in a model's text: `[[id]]` marks are taken out and remembered, also while the text streams.

/// A text without its marks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mentions {
    /// The text as a person reads it.
    pub text: String,
    /// The ids that were marked, each once, in order.
    pub ids: Vec<String>,
}

/// The longest id inside a mark; a longer text in brackets is no mark.
const LONGEST: usize = 200;

/// Takes the marks out of a text.
#[must_use]
pub(super) fn read(text: &str) -> Mentions {
    let mut marks = Marks::default();
    let mut read = marks.push(text);
    read.push_str(&marks.rest());
    Mentions { text: read.trim().to_owned(), ids: marks.ids }
}

/// Takes marks out of a text that arrives in pieces. What may still become a mark is held back.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    held: String,
    /// The ids found so far, each once, in order.
    pub ids: Vec<String>,
}

impl Marks {
    /// Takes a piece and returns what can be shown.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let mut shown = String::new();
        loop {
            let Some(start) = self.held.find('[') else {
                shown.push_str(&release(&mut self.held));
                return shown;
            };
            let tail = self.held.split_off(start);
            let before = std::mem::replace(&mut self.held, tail);
            let after = self.held.get(1..).unwrap_or_default();
            if !after.is_empty() && !after.starts_with('[') {
                shown.push_str(&before);
                shown.push('[');
                self.held.remove(0);
                continue;
            }
            match self.held.find("]]") {
                Some(end) => {
                    let id =
                        self.held.get(2..end).unwrap_or_default().trim().trim_start_matches("id:").trim().to_owned();
                    let rest = self.held.get(end + 2..).unwrap_or_default().to_owned();
                    shown.push_str(before.trim_end_matches(' '));
                    self.held = rest;
                    if !id.is_empty() && !self.ids.contains(&id) {
                        self.ids.push(id);
                    }
                }
                None if self.held.len() > LONGEST => {
                    shown.push_str(&before);
                    shown.push_str("[[");
                    self.held.drain(..2);
                }
                None => {
                    // The blank before a mark goes with it.
                    let kept = before.trim_end_matches(' ').len();
                    shown.push_str(before.get(..kept).unwrap_or_default());
                    self.held.insert_str(0, before.get(kept..).unwrap_or_default());
                    return shown;
                }
            }
        }
    }

    /// What was held back, when nothing follows.
    pub(super) fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Everything but trailing blanks, which may stand before a mark.
fn release(held: &mut String) -> String {
    let kept = held.trim_end_matches(' ').len();
    let blanks = held.split_off(kept);
    std::mem::replace(held, blanks)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn marks_are_taken_out_and_other_brackets_stay() {
        let read = read("Try the Rose Dress [[p-1]], or [sale] Blue [[ p-2 ]] [[p-1]].");
        assert_eq!(read.text, "Try the Rose Dress, or [sale] Blue.");
        assert_eq!(read.ids, ["p-1", "p-2"]);
        assert_eq!(super::read("open [[p-1").text, "open [[p-1");
        assert_eq!(super::read("红裙 [[p-1]]。").text, "红裙。");
    }

    proptest! {
        #[test]
        fn a_streamed_text_reads_as_the_whole(pieces in proptest::collection::vec("[a-z \\[\\]红。]{0,6}", 0..12)) {
            let whole = read(&pieces.concat());
            let mut marks = Marks::default();
            let mut text: String = pieces.iter().map(|p| marks.push(p)).collect();
            text.push_str(&marks.rest());
            prop_assert_eq!(text.trim(), whole.text);
            prop_assert_eq!(marks.ids, whole.ids);
        }
    }
}
