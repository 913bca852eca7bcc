//! The outbox. A mail is queued by the command it belongs to and delivered by a sender outside of any run.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::contact::Email;
use crate::{CustomerId, Lang, MailId, OrderId};

/// A mail to queue. The address is not here: the desk takes it from the customer's record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewMail {
    /// Made of facts: the same key is the same mail, queued once for ever.
    pub key: String,
    /// To whom.
    pub to: CustomerId,
    /// In which language.
    pub lang: Lang,
    /// Which template it was made from.
    pub template: String,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML.
    pub html: String,
    /// The order it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderId>,
}

/// How far a mail is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MailState {
    /// Waits for the sender.
    Queued,
    /// The sender has it.
    Sending,
    /// The server took it.
    Sent,
    /// The sender does not know whether the server took it. It is not sent again by itself.
    Unknown,
    /// The server refused it for good.
    Failed,
}

impl MailState {
    /// The name in stored records.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::Unknown => "unknown",
            Self::Failed => "failed",
        }
    }
}

/// A mail in the outbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// Its id, made of its key; the Message-ID is made of it.
    pub id: MailId,
    /// Its key.
    pub key: String,
    /// To whom.
    pub customer: CustomerId,
    /// The address on record when it was queued.
    pub address: Email,
    /// In which language.
    pub lang: Lang,
    /// Which template it was made from.
    pub template: String,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// HTML.
    pub html: String,
    /// The order it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderId>,
    /// How far it is.
    pub state: MailState,
    /// How often it was tried.
    pub attempts: u32,
    /// When it was queued.
    pub queued: Timestamp,
    /// When it is to be tried next, or until when the sender has it.
    pub due: Timestamp,
    /// When it was settled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub settled: Option<Timestamp>,
    /// What the server or the sender said last.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub word: String,
}

/// What came of trying to deliver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// The server took it.
    Sent {
        /// Its reply.
        reply: String,
    },
    /// It is not known whether the server took it.
    Unknown {
        /// Why not.
        reason: String,
    },
    /// The server refused it for good.
    Failed {
        /// Its reply.
        reason: String,
    },
    /// The server did not take it now.
    Retry {
        /// When to try again.
        at: Timestamp,
        /// Its reply.
        reason: String,
    },
}

/// What the sender does with the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MailStep {
    /// Takes mails that are due: they become [`MailState::Sending`] until the lease is over.
    Claim {
        /// At most so many.
        limit: usize,
        /// For how long.
        lease: SignedDuration,
    },
    /// Says what came of one it has. A mail that is not [`MailState::Sending`] stays as it is.
    Settle {
        /// Which.
        id: MailId,
        /// What came of it.
        delivery: Delivery,
    },
    /// Mails whose lease is over become [`MailState::Unknown`]: their sender died, perhaps after the server had taken them.
    Expire,
}
