//! A report in the form that build servers read.

use super::play::{Played, Report, Trial};

/// The report as JUnit XML: one suite an agent, one case a trial.
#[must_use]
pub fn junit(report: &Report) -> String {
    let mut agents: Vec<&str> = report.played.iter().map(|played| played.agent.as_str()).collect();
    agents.sort_unstable();
    agents.dedup();
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for agent in agents {
        let played: Vec<&Played> = report.played.iter().filter(|played| played.agent == agent).collect();
        let trials = || played.iter().flat_map(|played| &played.trials);
        let failures = trials().filter(|trial| !trial.passed()).count();
        let time: u64 = trials().map(|trial| trial.took_ms).sum();
        out.push_str(&format!(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" time=\"{}\">\n",
            escaped(agent),
            trials().count(),
            seconds(time)
        ));
        for played in &played {
            for (number, trial) in played.trials.iter().enumerate() {
                case(&mut out, played, number, trial);
            }
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn case(out: &mut String, played: &Played, number: usize, trial: &Trial) {
    let name = if played.trials.len() > 1 { format!("{} #{}", played.id, number + 1) } else { played.id.clone() };
    out.push_str(&format!(
        "    <testcase classname=\"{}\" name=\"{}\" time=\"{}\"",
        escaped(&played.agent),
        escaped(&name),
        seconds(trial.took_ms)
    ));
    if trial.passed() {
        out.push_str("/>\n");
        return;
    }
    let transcript: Vec<String> = trial.transcript.iter().map(|line| format!("{}: {}", line.who, line.text)).collect();
    out.push_str(&format!(
        ">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
        escaped(&trial.failures.join("; ")),
        escaped(&format!("{}\n\n{}", trial.failures.join("\n"), transcript.join("\n")))
    ));
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
