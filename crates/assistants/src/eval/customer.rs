//! Simulated customers: by a script of what they answer to what, or by a model with a goal.

use mercer_model::{ChatModel, ChatRequest, FinishReason, Message, complete, json};
use mercer_shop::Lang;
use serde::Deserialize;
use serde_json::{Value, json};

use super::EvalError;

/// A simulated customer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Customer {
    /// What they say first. With a goal and a model, the model finds the words when this is left out.
    #[serde(default)]
    pub opening: Option<String>,
    /// What they want, for a model that plays them.
    #[serde(default)]
    pub goal: Option<String>,
    /// What they know and tell only when asked, for a model that plays them.
    #[serde(default)]
    pub facts: Value,
    /// How they answer without a model: the first rule that fits and was not used up.
    #[serde(default, alias = "rule")]
    pub rules: Vec<Rule>,
    /// They are content when the agent says this.
    #[serde(default)]
    pub done_when: Vec<super::Words>,
    /// The most they say.
    #[serde(default = "ten")]
    pub max_turns: u32,
}

fn ten() -> u32 {
    10
}

/// What a customer answers to what.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// The agent says one of these; empty fits everything.
    #[serde(default)]
    pub when: Vec<String>,
    /// What the customer then says.
    pub say: String,
    /// How often, at most.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}

/// Why a simulated customer stopped talking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// They are content.
    Content,
    /// They have nothing to answer.
    Silent,
    /// They have talked long enough.
    TooLong,
}

/// A customer in a conversation.
#[derive(Debug)]
pub(super) struct Talking<'a> {
    customer: &'a Customer,
    lang: Lang,
    said: u32,
    used: Vec<u32>,
    heard: Vec<Message>,
}

impl<'a> Talking<'a> {
    pub(super) fn new(customer: &'a Customer, lang: Lang) -> Self {
        Self { customer, lang, said: 0, used: vec![0; customer.rules.len()], heard: Vec::new() }
    }

    /// What they say next, after the agent's last words.
    pub(super) async fn next(
        &mut self,
        agent: Option<&str>,
        model: Option<&dyn ChatModel>,
    ) -> Result<Result<String, Ending>, EvalError> {
        if let Some(text) = agent {
            self.heard.push(Message::user(text));
            if self.customer.done_when.iter().any(|words| words.found_in(text).is_some()) {
                return Ok(Err(Ending::Content));
            }
        }
        if self.said >= self.customer.max_turns {
            return Ok(Err(Ending::TooLong));
        }
        let opening = self.customer.opening.clone().filter(|_| self.said == 0);
        let said = match (opening, model, &self.customer.goal) {
            (Some(opening), _, _) => Ok(opening),
            (None, Some(model), Some(goal)) => self.by_model(model, goal).await?,
            _ => self.by_rules(agent.unwrap_or_default()).ok_or(Ending::Silent),
        };
        if let Ok(text) = &said {
            self.said += 1;
            self.heard.push(Message::assistant(text));
        }
        Ok(said)
    }

    fn by_rules(&mut self, agent: &str) -> Option<String> {
        let lower = agent.to_lowercase();
        let fits =
            |rule: &Rule| rule.when.is_empty() || rule.when.iter().any(|word| lower.contains(&word.to_lowercase()));
        let (rule, used) =
            self.customer.rules.iter().zip(&mut self.used).find(|(rule, used)| **used < rule.times && fits(rule))?;
        *used += 1;
        Some(rule.say.clone())
    }

    async fn by_model(&self, model: &dyn ChatModel, goal: &str) -> Result<Result<String, Ending>, EvalError> {
        let mut messages = vec![Message::system(instructions(goal, &self.customer.facts, self.lang))];
        if self.heard.is_empty() {
            messages.push(Message::user(match self.lang {
                Lang::Zh => "（对话开始，请先开口）",
                Lang::En => "(The conversation begins; speak first.)",
            }));
        }
        messages.extend(self.heard.iter().cloned());
        let mut request = ChatRequest::new("eval.customer", messages);
        request.response_format = Some(json!({ "type": "json_object" }));
        let reply =
            complete(model, request).await.map_err(EvalError::doing("asking the model that plays the customer"))?;
        let schema =
            json!({ "type": "object", "properties": { "say": { "type": "string" }, "done": { "type": "boolean" } } });
        let value =
            json::read(&reply.text, &schema, FinishReason::Stop).for_read().ok().and_then(|v| v.to_serde().ok());
        let Some(value) = value else { return Ok(Ok(reply.text.trim().to_owned()).filter(|t: &String| !t.is_empty())) };
        let done = value.get("done").and_then(Value::as_bool).unwrap_or(false);
        let say = value.get("say").and_then(Value::as_str).unwrap_or_default().trim().to_owned();
        Ok(if done || say.is_empty() { Err(Ending::Content) } else { Ok(say) })
    }
}

/// Keeps a text, or takes silence for what it is.
trait Filtered {
    fn filter(self, keep: impl Fn(&String) -> bool) -> Self;
}

impl Filtered for Result<String, Ending> {
    fn filter(self, keep: impl Fn(&String) -> bool) -> Self {
        self.and_then(|text| if keep(&text) { Ok(text) } else { Err(Ending::Silent) })
    }
}

fn instructions(goal: &str, facts: &Value, lang: Lang) -> String {
    let facts = if facts.is_null() { json!({}) } else { facts.clone() };
    match lang {
        Lang::Zh => format!(
            "你扮演一家网店的顾客，正在和店铺的助手聊天。你的目的：{goal}\n你知道的事情（只在被问到时才说）：{facts}\n像真人一样说话，一次只说一两句，不要编造没给你的信息。\n\
             只写一个 JSON 对象：{{\"say\": \"你要说的话\", \"done\": false}}。目的达到或明确达不到时写 {{\"say\": \"\", \"done\": true}}。"
        ),
        Lang::En => format!(
            "You play a customer of an online shop who is chatting with its assistant. What you want: {goal}\nWhat you know (tell it only \
             when asked): {facts}\nTalk like a person, one or two sentences at a time, and make up nothing you were not given.\nWrite one JSON \
             object only: {{\"say\": \"your words\", \"done\": false}}. When you have what you wanted, or know that you cannot have it, write \
             {{\"say\": \"\", \"done\": true}}."
        ),
    }
}
