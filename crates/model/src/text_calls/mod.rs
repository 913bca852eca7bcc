//! Tool calls that a model writes into its text, because its server does not know its format.
//!
//! Something is a call only when the name is one of the tools on offer and it stands outside any thoughts. Doubt is not
//! washed off: arguments that needed more than harmless repairs are handed on as they were written, so that whoever
//! reads them sees the doubt too.

mod found;
mod hold;
mod tagged;

pub(crate) use found::Names;
use found::json_calls;
pub(crate) use hold::Hold;

use crate::json::{Outcome, candidate, fuel};
use crate::message::ToolCall;
use crate::thoughts;

/// The calls of a text, and what is left of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extracted {
    /// The calls, in the order they were written.
    pub calls: Vec<ToolCall>,
    /// The text without them; the whole text when there are none.
    pub text: String,
}

/// A call as found: name and arguments.
pub(crate) type Call = (String, String);

/// Marks around calls that are dropped with them.
const WRAPPERS: [&str; 36] = [
    "<tool_call>",
    "</tool_call>",
    "<tool_calls>",
    "</tool_calls>",
    "<TOOLCALL>",
    "</TOOLCALL>",
    "<function_call>",
    "</function_call>",
    "<function_calls>",
    "</function_calls>",
    "<minimax:tool_call>",
    "</minimax:tool_call>",
    "<｜DSML｜function_calls>",
    "</｜DSML｜function_calls>",
    "<|DSML|function_calls>",
    "</|DSML|function_calls>",
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_begin|>",
    "<|tool_call_end|>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜>",
    "[TOOL_CALLS]",
    "[/TOOL_CALLS]",
    "<|python_tag|>",
    "<|START_ACTION|>",
    "<|END_ACTION|>",
    "<|start|>assistant",
    "<|call|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<｜end▁of▁sentence｜>",
    "</function>",
];

/// Finds the calls of these tools in a text.
#[must_use]
pub fn extract(text: &str, names: &[&str]) -> Extracted {
    extract_with(text, &Names::new(names.iter().copied()), 0)
}

/// The same; `seed` makes the ids of one message differ from those of others.
pub(crate) fn extract_with(text: &str, names: &Names, seed: usize) -> Extracted {
    let mut scan = Scan { text, names, fuel: fuel(text), calls: Vec::new(), rest: String::new(), tagged: false };
    scan.run();
    if scan.calls.is_empty() {
        return Extracted { calls: Vec::new(), text: text.to_owned() };
    }
    let calls = scan.calls.into_iter().enumerate();
    let calls = calls.map(|(n, (name, arguments))| ToolCall::new(id(seed, n, &name), name, arguments)).collect();
    Extracted { calls, text: scan.rest.trim().to_owned() }
}

/// Nine letters and digits, which every provider takes; the same for the same call of the same turn.
pub(crate) fn id(seed: usize, index: usize, name: &str) -> String {
    const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in seed.to_le_bytes().into_iter().chain(index.to_le_bytes()).chain(name.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let digit = |n: u32| usize::try_from(hash / 36_u64.pow(n) % 36).ok().and_then(|d| DIGITS.get(d)).copied();
    (0..9).filter_map(digit).map(char::from).collect()
}

struct Scan<'a> {
    text: &'a str,
    names: &'a Names,
    fuel: usize,
    calls: Vec<Call>,
    rest: String,
    /// A mark that opens calls was the last thing seen.
    tagged: bool,
}

impl Scan<'_> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(rest) = self.text.get(at..).filter(|rest| !rest.is_empty()) {
            let length = self.step(rest, at);
            at += length;
        }
    }

    /// Deals with what stands at the start of `rest`, and says how long it is.
    fn step(&mut self, rest: &str, at: usize) -> usize {
        if let Some(marks) = thoughts::opening(rest) {
            let end = rest.find(marks.close).map_or(rest.len(), |close| close + marks.close.len());
            return self.keep(rest, end);
        }
        if let Some(wrapper) = WRAPPERS.iter().find(|wrapper| rest.starts_with(*wrapper)) {
            self.tagged = true;
            return wrapper.len();
        }
        let found = self.json(rest, at).or_else(|| self.fenced(rest, at));
        let found = found.or_else(|| tagged::calls(rest, self.names, self.tagged, &mut self.fuel));
        if let Some((calls, length)) = found {
            self.calls.extend(calls);
            return length;
        }
        let first = rest.chars().next().map_or(1, char::len_utf8);
        // Llama joins calls with "; ".
        let joint = self.tagged && rest.starts_with([' ', '\n', '\r', '\t', ';', ',']);
        self.tagged &= joint;
        if joint { first } else { self.keep(rest, first) }
    }

    fn keep(&mut self, rest: &str, length: usize) -> usize {
        self.rest.push_str(rest.get(..length).unwrap_or_default());
        length
    }

    fn json(&mut self, rest: &str, at: usize) -> Option<(Vec<Call>, usize)> {
        if !rest.starts_with(['{', '[']) {
            return None;
        }
        // Small models copy the doubled braces of a template.
        let doubled = usize::from(rest.starts_with("{{"));
        let at = at + doubled;
        let Outcome::Complete { value, end, repairs, spans } = candidate(self.text, at, &mut self.fuel) else {
            return None;
        };
        let raw = self.text.get(at..end)?;
        let spans = spans.into_iter().map(|(key, span)| (key, self.text.get(span).unwrap_or_default()));
        let calls = json_calls(&value, &repairs, raw, spans, self.names, self.tagged)?;
        // One bracket too many is a common slip.
        let after = self.text.get(end..).unwrap_or_default();
        let extra = after.bytes().take_while(|&b| b == b'}').take(1 + doubled).count();
        Some((calls, end + extra - at + doubled))
    }

    /// A fence around calls is dropped with them; a fence around anything else is text.
    fn fenced(&mut self, rest: &str, at: usize) -> Option<(Vec<Call>, usize)> {
        let inner = rest.strip_prefix("```")?;
        let body = inner.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-').trim_start();
        let start = rest.len() - body.len();
        let (mut calls, length) = self.json(body, at + start)?;
        let mut end = start + length;
        // Several objects may stand in one fence.
        while let Some(after) = rest.get(end..) {
            let next = after.trim_start_matches([' ', '\n', '\r', '\t', ',', ';']);
            let begin = rest.len() - next.len();
            match self.json(next, at + begin) {
                Some((more, length)) => {
                    calls.extend(more);
                    end = begin + length;
                }
                None => break,
            }
        }
        let after = rest.get(end..)?.trim_start();
        if let Some(closed) = after.strip_prefix("```") {
            end = rest.len() - closed.len();
        }
        Some((calls, end))
    }
}
