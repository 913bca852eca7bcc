//! Tokens used: as told under any of their names, or estimated.

use crate::event::Usage;
use crate::json::Value;
use crate::message::Message;
use crate::request::ChatRequest;

fn number(value: &Value, path: &[&str]) -> Option<u64> {
    let found = path.iter().try_fold(value, |value, name| value.get(name))?;
    match found {
        Value::Number(number) => number.whole()?.as_str().parse().ok(),
        _ => None,
    }
}

/// Usage as a server tells it; nothing when it tells nothing.
pub(crate) fn told(value: &Value) -> Option<Usage> {
    let first = |paths: &[&[&str]]| paths.iter().find_map(|path| number(value, path));
    let prompt_tokens = first(&[&["prompt_tokens"], &["input_tokens"]])?;
    let completion_tokens = first(&[&["completion_tokens"], &["output_tokens"]]).unwrap_or(0);
    if prompt_tokens == 0 && completion_tokens == 0 {
        return None;
    }
    let cached_tokens = first(&[
        &["prompt_tokens_details", "cached_tokens"],
        &["input_tokens_details", "cached_tokens"],
        &["prompt_cache_hit_tokens"],
        &["cached_tokens"],
    ]);
    let reasoning_tokens = first(&[
        &["completion_tokens_details", "reasoning_tokens"],
        &["output_tokens_details", "reasoning_tokens"],
        &["reasoning_tokens"],
    ]);
    Some(Usage {
        prompt_tokens,
        completion_tokens,
        cached_tokens: cached_tokens.unwrap_or(0),
        reasoning_tokens: reasoning_tokens.unwrap_or(0),
        estimated: false,
        cost: None,
    })
}

/// About how many tokens a text is: four letters of Latin script each, two thirds of one for a Chinese character.
pub(crate) fn estimate(text: &str) -> u64 {
    let (ascii, other) = text
        .chars()
        .fold((0_u64, 0_u64), |(ascii, other), c| if c.is_ascii() { (ascii + 1, other) } else { (ascii, other + 1) });
    (ascii * 3 + other * 8).div_ceil(12)
}

/// About how many tokens a request is. A picture counts as much as a common provider charges for a small one.
pub(crate) fn estimate_request(request: &ChatRequest) -> u64 {
    const PICTURE: u64 = 800;
    let message = |message: &Message| {
        let calls = message.tool_calls.iter().map(|call| estimate(&call.name) + estimate(&call.arguments)).sum::<u64>();
        let pictures = message.images().map(|_| PICTURE).sum::<u64>();
        4 + estimate(&message.text()) + calls + pictures
    };
    let tools = request.tools.iter().map(|tool| estimate(&tool.description) + estimate(&tool.parameters.to_string()));
    request.messages.iter().map(message).sum::<u64>() + tools.sum::<u64>()
}
