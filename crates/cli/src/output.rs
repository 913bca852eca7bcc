//! Printing. Results go to standard output, everything else to standard error, so that `--json` can be piped.

use std::io::{self, Write};

use serde::Serialize;

/// Prints a line of a result. A closed pipe (`| head`) is no error.
pub(crate) fn line(text: impl std::fmt::Display) {
    let mut out = io::stdout().lock();
    if let Err(error) = writeln!(out, "{text}")
        && error.kind() == io::ErrorKind::BrokenPipe
    {
        std::process::exit(0);
    }
}

/// Prints a piece of a streaming answer at once.
pub(crate) fn piece(text: &str) {
    let mut out = io::stdout().lock();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

/// Prints a value for programs.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(serde_json::to_string_pretty(value)?);
    Ok(())
}

/// Prints a line for the person, not for a program.
pub(crate) fn note(text: impl std::fmt::Display) {
    // Nobody is left to tell when standard error is closed.
    drop(writeln!(io::stderr(), "{text}"));
}
