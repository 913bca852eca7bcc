//! `mercer config`: the settings, and where each comes from.

use crate::settings::Settings;
use crate::{Outcome, output};

pub(crate) fn run(settings: &Settings, explain: bool, json: bool) -> anyhow::Result<Outcome> {
    if json {
        output::json(&settings.lines)?;
        return Ok(Outcome::Done);
    }
    for line in &settings.lines {
        output::line(format!("{} = {}", line.setting, line.value));
        if explain {
            output::line(format!("    {} (from: {})", line.about, line.source));
        }
    }
    for note in &settings.model.notes {
        output::note(format!("note: {note}"));
    }
    Ok(Outcome::Done)
}
