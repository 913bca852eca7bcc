//! Calls whose name or arguments are not JSON: tags with parameters, names before the arguments, Python calls.

use crate::json::{Number, Object, Outcome, Value, candidate};

use super::Call;
use super::found::Names;

/// The calls at the start of the text and their length. `tagged` says that a mark of calls stands right before.
pub(super) fn calls(rest: &str, names: &Names, tagged: bool, fuel: &mut usize) -> Option<(Vec<Call>, usize)> {
    let one = match rest.chars().next()? {
        '<' => function_tag(rest, names, fuel).or_else(|| invoke(rest, names)).or_else(|| channel(rest, names, fuel)),
        '[' => return python_list(rest, names, fuel),
        _ if tagged => named(rest, names, fuel),
        _ => None,
    };
    one.map(|(call, length)| (vec![call], length))
}

/// The raw text of the JSON object that begins the text.
fn object<'t>(text: &'t str, fuel: &mut usize) -> Option<&'t str> {
    match candidate(text, 0, fuel) {
        Outcome::Complete { value: Value::Object(_), end, .. } => text.get(..end),
        _ => None,
    }
}

fn length(whole: &str, rest: &str) -> usize {
    whole.len() - rest.len()
}

fn with_arguments(name: String, arguments: Object) -> Call {
    (name, Value::Object(arguments).to_string())
}

/// `<function=f>` with `<parameter=k>` tags (Qwen Coder) or JSON (Functionary).
fn function_tag(text: &str, names: &Names, fuel: &mut usize) -> Option<(Call, usize)> {
    let (name, body) = text.strip_prefix("<function=")?.split_once('>')?;
    let name = names.known(name.trim_matches('"'))?;
    let mut rest = body.trim_start();
    if rest.starts_with('{') {
        let arguments = object(rest, fuel)?;
        let after = rest.get(arguments.len()..)?.trim_start();
        return Some(((name, arguments.to_owned()), length(text, after.strip_prefix("</function>").unwrap_or(after))));
    }
    let mut arguments = Object::default();
    while let Some((key, after)) = rest.strip_prefix("<parameter=").and_then(|rest| rest.split_once('>')) {
        let end =
            ["</parameter>", "<parameter=", "</function>", "</tool_call>"].iter().filter_map(|m| after.find(m)).min();
        let (value, after) = after.split_at_checked(end.unwrap_or(after.len()))?;
        arguments.insert(key.trim_matches('"').to_owned(), Value::String(one_line_off(value).to_owned()));
        rest = after.strip_prefix("</parameter>").unwrap_or(after).trim_start();
    }
    let rest = rest.strip_prefix("</function>")?;
    Some((with_arguments(name, arguments), length(text, rest)))
}

/// The value without the line end after its tag and before the next.
fn one_line_off(value: &str) -> &str {
    let value = value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')).unwrap_or(value);
    value.strip_suffix("\r\n").or_else(|| value.strip_suffix('\n')).unwrap_or(value)
}

/// `<invoke name="f"><parameter name="k">v</parameter></invoke>` (MiniMax), with DeepSeek's `｜DSML｜` in the tags or not.
fn invoke(text: &str, names: &Names) -> Option<(Call, usize)> {
    let mark = ["", "｜DSML｜", "|DSML|"].into_iter().find(|mark| text.starts_with(&format!("<{mark}invoke")))?;
    let (tag, body) = text.split_once('>')?;
    let name = names.known(attribute(tag, "name")?)?;
    let (open, close) = (format!("<{mark}parameter"), format!("</{mark}parameter>"));
    let mut arguments = Object::default();
    let mut rest = body.trim_start();
    while rest.starts_with(&open) {
        let (tag, after) = rest.split_once('>')?;
        let (value, after) = after.split_once(&close)?;
        let plain = attribute(tag, "string") != Some("false");
        let json = crate::json::parse_strict(value.trim());
        let value = if plain { Value::String(one_line_off(value).to_owned()) } else { json.ok()? };
        arguments.insert(attribute(tag, "name")?.to_owned(), value);
        rest = after.trim_start();
    }
    let rest = rest.strip_prefix(&format!("</{mark}invoke>"))?;
    Some((with_arguments(name, arguments), length(text, rest)))
}

fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let (_, value) = tag.split_once(&format!(" {name}=\""))?;
    value.split_once('"').map(|(value, _)| value)
}

/// gpt-oss: `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{…}`.
fn channel(text: &str, names: &Names, fuel: &mut usize) -> Option<(Call, usize)> {
    let (head, body) = text.strip_prefix("<|channel|>commentary")?.split_once("<|message|>")?;
    let (_, to) = head.split_once("to=")?;
    let name = names.known(to.split([' ', '<']).next()?)?;
    let arguments = object(body.trim_start(), fuel)?;
    let rest = body.trim_start().get(arguments.len()..)?;
    Some(((name, arguments.to_owned()), length(text, rest)))
}

/// A name, then its arguments: Kimi, DeepSeek, Mistral from v11, GLM.
fn named(text: &str, names: &Names, fuel: &mut usize) -> Option<(Call, usize)> {
    const SEPARATORS: [&str; 6] =
        ["<|tool_call_argument_begin|>", "<｜tool▁sep｜>", "<|tool_sep|>", "```json", "```", "[ARGS]"];
    let (mut written, mut rest) = word(text)?;
    if let Some(after) = rest.strip_prefix("<｜tool▁sep｜>").filter(|_| written == "function") {
        (written, rest) = word(after.trim_start())?;
    }
    let name = names.known(written)?;
    if let Some((_, after)) = rest.strip_prefix("[CALL_ID]").and_then(word) {
        rest = after;
    }
    loop {
        let skipped =
            SEPARATORS.iter().fold(rest.trim_start(), |rest, separator| rest.strip_prefix(separator).unwrap_or(rest));
        if skipped.len() == rest.len() {
            break;
        }
        rest = skipped;
    }
    if rest.starts_with("<arg_key>") {
        return pairs(name, text, rest);
    }
    let arguments = object(rest, fuel)?;
    let after = rest.get(arguments.len()..)?.trim_start();
    Some(((name, arguments.to_owned()), length(text, after.strip_prefix("```").unwrap_or(after))))
}

fn word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '-')))?;
    text.split_at_checked(end).filter(|(word, _)| !word.is_empty())
}

/// `<arg_key>k</arg_key><arg_value>v</arg_value>` (GLM).
fn pairs(name: String, text: &str, mut rest: &str) -> Option<(Call, usize)> {
    let mut arguments = Object::default();
    while let Some(after) = rest.strip_prefix("<arg_key>") {
        let (key, after) = after.split_once("</arg_key>")?;
        let (value, after) = after.trim_start().strip_prefix("<arg_value>")?.split_once("</arg_value>")?;
        arguments.insert(key.trim().to_owned(), Value::String(one_line_off(value).to_owned()));
        rest = after.trim_start();
    }
    Some((with_arguments(name, arguments), length(text, rest)))
}

/// `[f(a=1, b="x"), g()]` (Llama 3.2 and 4). Read, never evaluated: only literals are values.
fn python_list(text: &str, names: &Names, fuel: &mut usize) -> Option<(Vec<Call>, usize)> {
    let mut rest = text.strip_prefix('[')?.trim_start();
    let mut calls = Vec::new();
    loop {
        let (written, after) = word(rest)?;
        let name = names.known(written)?;
        let mut arguments = Object::default();
        rest = after.strip_prefix('(')?.trim_start();
        while !rest.starts_with(')') {
            let (key, after) = rest.split_once('=')?;
            let (value, after) = literal(after.trim_start(), fuel)?;
            arguments.insert(key.trim().to_owned(), value);
            let after = after.trim_start();
            rest = after.strip_prefix(',').map(str::trim_start).or_else(|| after.starts_with(')').then_some(after))?;
        }
        calls.push(with_arguments(name, arguments));
        rest = rest.strip_prefix(')')?.trim_start();
        match rest.strip_prefix(',') {
            Some(after) => rest = after.trim_start(),
            None => return Some((calls, length(text, rest.strip_prefix(']')?))),
        }
    }
}

fn literal<'t>(text: &'t str, fuel: &mut usize) -> Option<(Value, &'t str)> {
    let first = text.chars().next()?;
    if matches!(first, '"' | '\'') {
        return string(text, first);
    }
    if matches!(first, '[' | '{') {
        return match candidate(text, 0, fuel) {
            Outcome::Complete { value, end, repairs, .. } if repairs.harmless() => Some((value, text.get(end..)?)),
            _ => None,
        };
    }
    let (word, rest) = text.split_at_checked(text.find([',', ')'])?)?;
    let value = match word.trim() {
        "True" | "true" => Value::Bool(true),
        "False" | "false" => Value::Bool(false),
        "None" | "null" => Value::Null,
        number => Value::Number(Number::new(number)?),
    };
    Some((value, rest))
}

fn string(text: &str, quote: char) -> Option<(Value, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices().skip(1);
    while let Some((at, c)) = characters.next() {
        match c {
            '\\' => value.push(match characters.next()?.1 {
                'n' => '\n',
                't' => '\t',
                c @ ('\\' | '\'' | '"') => c,
                _ => return None,
            }),
            c if c == quote => return Some((Value::String(value), text.get(at + 1..)?)),
            c => value.push(c),
        }
    }
    None
}
