//! An SMTP server for tests: it takes mail, hangs, refuses and drops the line, each at the place that a test names.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What the server does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// Takes the mail.
    Take,
    /// Says nothing when the client connects.
    HangAtGreeting,
    /// Answers a command (by its first word, `.` is the end of the text) with this line instead.
    Say(&'static str, &'static str),
    /// Closes the line at a command; for `.` after it has taken the mail.
    DropAt(&'static str),
    /// Takes the mail and never says so.
    HangAfterText,
}

/// A mail as it came.
#[derive(Debug, Clone, Default)]
pub(crate) struct Taken {
    /// The receiver.
    pub(crate) to: String,
    /// Headers and body.
    pub(crate) data: String,
}

/// The server.
#[derive(Debug)]
pub(crate) struct Sink {
    /// Where it listens.
    pub(crate) url: String,
    taken: Arc<Mutex<Vec<Taken>>>,
    serving: tokio::task::JoinHandle<()>,
}

impl Sink {
    /// Opens one on a free port.
    pub(crate) async fn open(act: Act) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let taken = Arc::<Mutex<Vec<Taken>>>::default();
        let kept = Arc::clone(&taken);
        let serving = tokio::spawn(async move {
            while let Ok((line, _)) = listener.accept().await {
                tokio::spawn(serve(line, act.clone(), Arc::clone(&kept)));
            }
        });
        Self { url, taken, serving }
    }

    /// What was taken so far.
    pub(crate) fn taken(&self) -> Vec<Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn serve(line: TcpStream, act: Act, taken: Arc<Mutex<Vec<Taken>>>) {
    if act == Act::HangAtGreeting {
        std::future::pending::<()>().await;
    }
    let (read, mut write) = line.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut mail = Taken::default();
    if write.write_all(b"220 sink ready\r\n").await.is_err() {
        return;
    }
    while let Ok(Some(command)) = lines.next_line().await {
        let word = command.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        if act == Act::DropAt(static_word(&word)) {
            return;
        }
        let mut reply = match word.as_str() {
            "EHLO" => "250-sink\r\n250 8BITMIME".to_owned(),
            "DATA" => "354 go on".to_owned(),
            "QUIT" => "221 bye".to_owned(),
            _ => "250 fine".to_owned(),
        };
        if let Act::Say(at, line) = &act
            && *at == word
        {
            reply = (*line).to_owned();
        }
        if word == "RCPT" {
            mail.to = command.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
        }
        if write.write_all(format!("{reply}\r\n").as_bytes()).await.is_err() || word == "QUIT" {
            return;
        }
        if word == "DATA" && reply.starts_with("354") {
            while let Ok(Some(text)) = lines.next_line().await {
                if text == "." {
                    break;
                }
                mail.data.push_str(&text);
                mail.data.push('\n');
            }
            let refusal = match &act {
                Act::Say(".", line) => Some(*line),
                _ => None,
            };
            if refusal.is_none() {
                taken.lock().unwrap_or_else(PoisonError::into_inner).push(std::mem::take(&mut mail));
            }
            match &act {
                Act::DropAt(".") => return,
                Act::HangAfterText => std::future::pending::<()>().await,
                _ => {}
            }
            let answer = refusal.unwrap_or("250 taken as sink-1");
            if write.write_all(format!("{answer}\r\n").as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

fn static_word(word: &str) -> &'static str {
    ["EHLO", "MAIL", "RCPT", "DATA"].into_iter().find(|known| *known == word).unwrap_or("")
}
