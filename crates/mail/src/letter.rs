//! A mail before it is sent, and its bytes on the wire.

use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use lettre::Message;
use lettre::address::Envelope;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};
use sha2::{Digest, Sha256};

/// Why a mail cannot be written down. Trying again does not help.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LetterError {
    /// An address is none.
    #[error("{what} {address:?} is not a mail address")]
    Address {
        /// Whose.
        what: &'static str,
        /// As it stands.
        address: String,
    },
    /// The rest does not fit the format.
    #[error("the mail cannot be written down: {0}")]
    Format(String),
}

/// A mail. Its key is that of the outbox row, and its identity on the network is made of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The outbox key: the same decision has the same key.
    pub key: String,
    /// The shop's address, `Name <address>` or only the address.
    pub from: String,
    /// The customer's address, without a name: a name is text that somebody chose.
    pub to: String,
    /// The subject.
    pub subject: String,
    /// The text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// When it was put into the outbox.
    pub date: Timestamp,
}

/// The bytes of a mail with its envelope.
#[derive(Debug, Clone)]
pub struct Written {
    /// Sender and receiver as SMTP commands name them.
    pub envelope: Envelope,
    /// Headers and body.
    pub bytes: Vec<u8>,
}

impl Letter {
    /// The `Message-ID`, made of the key: a mail that is sent a second time has the same.
    ///
    /// # Errors
    /// When the sender's address is none.
    pub fn message_id(&self) -> Result<String, LetterError> {
        let from = mailbox("the sender", &self.from)?;
        Ok(format!("<{}@{}>", digest(&self.key), from.email.domain()))
    }

    /// Writes the mail down. The same letter always gives the same bytes.
    ///
    /// # Errors
    /// [`LetterError`].
    pub fn write(&self) -> Result<Written, LetterError> {
        let from = mailbox("the sender", &self.from)?;
        let to = self.to.parse().map_err(|_malformed| address("the receiver", &self.to))?;
        let bodies = MultiPart::alternative()
            .boundary(format!("mercer-{}", digest(&format!("boundary {}", self.key))))
            .singlepart(SinglePart::builder().header(ContentType::TEXT_PLAIN).body(self.text.clone()))
            .singlepart(SinglePart::builder().header(ContentType::TEXT_HTML).body(self.html.clone()));
        let message = Message::builder()
            .from(from)
            .to(Mailbox::new(None, to))
            .date(system_time(self.date))
            .message_id(Some(self.message_id()?))
            .subject(one_line(&self.subject))
            .raw_header(automatic("Auto-Submitted", "auto-generated")?)
            .raw_header(automatic("X-Auto-Response-Suppress", "All")?)
            .multipart(bodies)
            .map_err(|error| LetterError::Format(error.to_string()))?;
        Ok(Written { envelope: message.envelope().clone(), bytes: message.formatted() })
    }
}

/// Whole seconds since 1970; nothing here is older.
fn system_time(at: Timestamp) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(u64::try_from(at.as_second()).unwrap_or_default())
}

/// A header that tells other programs not to answer.
fn automatic(name: &'static str, value: &str) -> Result<HeaderValue, LetterError> {
    let name = HeaderName::new_from_ascii(name.to_owned()).map_err(|error| LetterError::Format(error.to_string()))?;
    Ok(HeaderValue::new(name, value.to_owned()))
}

fn mailbox(what: &'static str, text: &str) -> Result<Mailbox, LetterError> {
    text.parse().map_err(|_malformed| address(what, text))
}

fn address(what: &'static str, text: &str) -> LetterError {
    LetterError::Address { what, address: text.chars().take(120).collect() }
}

/// A subject is one line, whatever stood in it.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}
