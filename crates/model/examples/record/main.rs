//! Records a short conversation with the chat model of the environment: a plain answer, then a tool call and its result.
//!
//! `MERCER_MODEL=… MERCER_MODEL_BASE_URL=… cargo run -p mercer-model --example record -- tests/recordings/NAME.json`

mod conversation;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use conversation::conversation;
use mercer_model::http::{HttpSettings, Recorder, client};
use mercer_model::openai::OpenAiChat;
use mercer_model::{ModelRole, ModelSettings};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args_os().nth(1).map(PathBuf::from).ok_or("the file to write is missing")?;
    let environment: BTreeMap<String, String> = std::env::vars().collect();
    let settings = ModelSettings::from_env(&|name| environment.get(name).cloned())?;
    let endpoint = settings.require(ModelRole::Chat)?;
    let live = OpenAiChat::new(endpoint, client(&HttpSettings::default())?, settings.timeouts);
    let recorder = Recorder::new(live.transport(), &path);
    let model = OpenAiChat::over(endpoint, Arc::new(recorder), settings.timeouts);
    let mut out = std::io::stdout().lock();
    for reply in conversation(&model).await? {
        writeln!(out, "{}", serde_json::to_string(&reply)?)?;
    }
    Ok(())
}
