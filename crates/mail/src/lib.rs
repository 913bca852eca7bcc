//! Mail that leaves the shop: over SMTP, or as `.eml` files when no server is set.
//!
//! What is sent, to whom and whether at all was decided before: an outbox row was written in the transaction of its decision. This
//! crate takes rows that are due, tries each once, and says what came of it in four words: sent, later, failed, unknown. It never
//! repeats a mail that may have arrived.

mod folder;
mod letter;
mod outcome;
mod smtp;

pub use folder::Folder;
pub use letter::{Letter, LetterError, Written};
pub use outcome::{Mailer, Outcome};
pub use smtp::{Patience, Smtp, SmtpUrlError};
