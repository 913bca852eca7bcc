//! What came of an attempt to send, and who attempts it.

use std::fmt;

use futures::future::BoxFuture;

use crate::letter::Letter;

/// What came of an attempt. The words are for the shop's people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The other side took it.
    Sent {
        /// What it said.
        reply: String,
    },
    /// It was certainly not taken, and may be tried again.
    Later {
        /// Why.
        reason: String,
    },
    /// It was certainly not taken, and trying again does not help.
    Failed {
        /// Why.
        reason: String,
    },
    /// The text was handed over and no answer came: it may have been taken. Never repeated without a person's word.
    Unknown {
        /// What happened.
        reason: String,
    },
}

/// Something that sends mail.
pub trait Mailer: Send + Sync + fmt::Debug {
    /// What it is, for people: `smtp mail.example:587` or the folder.
    fn name(&self) -> String;

    /// Tries once.
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Outcome>;
}
