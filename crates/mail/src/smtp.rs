//! One mail, one connection, step by step, so that it is known how far it came.
//!
//! Until the server has agreed to take the text (`354` after `DATA`), whatever goes wrong means that the mail was not taken.
//! After that only the server's own word counts: a `2xx` took it, a `4xx` or `5xx` did not, and silence, a closed line or a broken
//! answer leaves it unknown. RFC 5321, sections 4.2.5 and 6.1, on who is responsible for a message when.

use std::time::Duration;

use futures::future::BoxFuture;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use lettre::transport::smtp::response::Response;
use percent_encoding::percent_decode_str;
use tokio::time::timeout;
use url::Url;

use crate::letter::{Letter, Written};
use crate::outcome::{Mailer, Outcome};

/// Why an SMTP address cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SmtpUrlError {
    /// Not of the form.
    #[error("the mail server is written smtp://user:password@host:587 or smtps://…; {0}")]
    Form(String),
    /// A password would go over the line in the clear.
    #[error(
        "the password for {0} would be sent without encryption; use smtps://, or ?tls=required, or ?tls=none if that is meant"
    )]
    Clear(String),
}

/// How the line is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tls {
    /// From the first byte.
    Wrapped,
    /// By `STARTTLS`, or not at all.
    Required,
    /// By `STARTTLS` when the server offers it.
    Offered,
    /// Never.
    Never,
}

/// How long each stage may take.
#[derive(Debug, Clone, Copy)]
pub struct Patience {
    /// Connecting, the greeting, encryption and the login.
    pub connect: Duration,
    /// Each command.
    pub command: Duration,
    /// The text and the server's word about it.
    pub text: Duration,
}

impl Default for Patience {
    /// RFC 5321, section 4.5.3.2, allows minutes; a shop's sender has the next mail waiting.
    fn default() -> Self {
        Self { connect: Duration::from_secs(20), command: Duration::from_secs(60), text: Duration::from_secs(120) }
    }
}

/// A mail server.
pub struct Smtp {
    host: String,
    port: u16,
    tls: Tls,
    login: Option<Credentials>,
    patience: Patience,
}

impl std::fmt::Debug for Smtp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Smtp").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}

impl Smtp {
    /// Reads `smtp://user:password@host:port?tls=required|none` or `smtps://…`. Ports: 465 for `smtps`, 587 with a login, else 25.
    ///
    /// # Errors
    /// [`SmtpUrlError`].
    pub fn from_url(text: &str) -> Result<Self, SmtpUrlError> {
        let form = |why: &str| SmtpUrlError::Form(why.to_owned());
        let url = Url::parse(text.trim()).map_err(|error| form(&error.to_string()))?;
        let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| form("the host is missing"))?;
        let host = host.trim_matches(['[', ']']).to_owned();
        let asked = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value.into_owned());
        let tls = match (url.scheme(), asked.as_deref()) {
            ("smtps", None) => Tls::Wrapped,
            ("smtp", None) => Tls::Offered,
            ("smtp", Some("required")) => Tls::Required,
            ("smtp", Some("none")) => Tls::Never,
            ("smtp" | "smtps", Some(_)) => return Err(form("tls is required or none, with smtp:// only")),
            _ => return Err(form("the scheme is smtp or smtps")),
        };
        let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
        let login = (!url.username().is_empty())
            .then(|| Credentials::new(decoded(url.username()), decoded(url.password().unwrap_or_default())));
        let here = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback());
        // With `Offered` a stranger on the line could hide the offer and read the password.
        if login.is_some() && tls == Tls::Offered && !here {
            return Err(SmtpUrlError::Clear(host));
        }
        let port = url.port().unwrap_or(match tls {
            Tls::Wrapped => 465,
            _ if login.is_some() => 587,
            _ => 25,
        });
        Ok(Self { host, port, tls, login, patience: Patience::default() })
    }

    /// The same server with other patience.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    async fn deliver(&self, letter: &Letter) -> Outcome {
        let mail = match letter.write() {
            Ok(mail) => mail,
            Err(error) => return Outcome::Failed { reason: error.to_string() },
        };
        let mut line = match timeout(self.patience.connect, self.open()).await {
            Ok(Ok(line)) => line,
            // A wrong password or a refused connection is the shop's to repair; the mail itself is not at fault.
            Ok(Err(error)) => return Outcome::Later { reason: format!("{}: {}", self.name(), words(&error)) },
            Err(_elapsed) => {
                return Outcome::Later {
                    reason: format!("{}: no connection in {:?}", self.name(), self.patience.connect),
                };
            }
        };
        match self.offer(&mut line, &mail).await {
            Ok(()) => {}
            Err(outcome) => {
                close(&mut line).await;
                return outcome;
            }
        }
        let outcome = match timeout(self.patience.text, line.message(&mail.bytes)).await {
            Ok(Ok(reply)) => Outcome::Sent { reply: said(&reply) },
            Ok(Err(error)) => refused(&error, "the text").unwrap_or_else(|| Outcome::Unknown {
                reason: format!("the text was handed over and the line broke: {}", words(&error)),
            }),
            Err(_elapsed) => Outcome::Unknown {
                reason: format!("the text was handed over and no answer came in {:?}", self.patience.text),
            },
        };
        close(&mut line).await;
        outcome
    }

    async fn open(&self) -> Result<AsyncSmtpConnection, Error> {
        let hello = ClientId::default();
        let encryption = || TlsParameters::new_rustls(self.host.clone());
        let wrapped = if self.tls == Tls::Wrapped { Some(encryption()?) } else { None };
        let to = (self.host.as_str(), self.port);
        let mut line = AsyncSmtpConnection::connect_tokio1(to, None, &hello, wrapped, None).await?;
        if self.tls == Tls::Required || (self.tls == Tls::Offered && line.can_starttls()) {
            line.starttls(encryption()?, &hello).await?;
        }
        if let Some(login) = &self.login {
            line.auth(&[Mechanism::Plain, Mechanism::Login], login).await?;
        }
        Ok(line)
    }

    /// Everything up to the moment in which the server agrees to take the text.
    async fn offer(&self, line: &mut AsyncSmtpConnection, mail: &Written) -> Result<(), Outcome> {
        let mut parameters = Vec::new();
        let mut addresses = mail.envelope.to().iter().chain(mail.envelope.from());
        if addresses.any(|address| !AsRef::<str>::as_ref(address).is_ascii()) {
            if !line.server_info().supports_feature(Extension::SmtpUtfEight) {
                return Err(Outcome::Failed { reason: "the server takes no addresses beyond ASCII".to_owned() });
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        let from = mail.envelope.from().cloned();
        self.command(line, Mail::new(from, parameters), "the sender").await?;
        for to in mail.envelope.to() {
            self.command(line, Rcpt::new(to.clone(), Vec::new()), "the receiver").await?;
        }
        self.command(line, Data, "the mail").await
    }

    async fn command(
        &self,
        line: &mut AsyncSmtpConnection,
        command: impl std::fmt::Display,
        what: &str,
    ) -> Result<(), Outcome> {
        match timeout(self.patience.command, line.command(command)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(refused(&error, what).unwrap_or_else(|| Outcome::Later {
                reason: format!("the line broke before the text: {}", words(&error)),
            })),
            Err(_elapsed) => {
                Err(Outcome::Later { reason: format!("no answer about {what} in {:?}", self.patience.command) })
            }
        }
    }
}

impl Mailer for Smtp {
    fn name(&self) -> String {
        format!("smtp {}:{}", self.host, self.port)
    }

    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Outcome> {
        Box::pin(self.deliver(letter))
    }
}

/// Says goodbye, and does not wait long for the answer.
async fn close(line: &mut AsyncSmtpConnection) {
    let farewell = timeout(Duration::from_secs(2), line.abort()).await;
    if farewell.is_err() {
        tracing::debug!("the mail server did not say goodbye");
    }
}

/// The server's own no; `None` when it said nothing that counts.
fn refused(error: &Error, what: &str) -> Option<Outcome> {
    if error.is_permanent() {
        return Some(Outcome::Failed { reason: format!("{what} was refused: {}", words(error)) });
    }
    error.is_transient().then(|| Outcome::Later { reason: format!("{what} was put off: {}", words(error)) })
}

fn said(reply: &Response) -> String {
    let first = reply.first_line().unwrap_or_default();
    format!("{} {}", reply.code(), shortened(first)).trim().to_owned()
}

fn words(error: &Error) -> String {
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(source) = next {
        let more = source.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = source.source();
    }
    shortened(&text)
}

/// What a foreign server says is data: one line, not long.
fn shortened(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(300).collect()
}
