//! Without SMTP, mails become `.eml` files that any mail program opens.

use std::path::{Path, PathBuf};

use futures::future::BoxFuture;

use crate::letter::Letter;
use crate::outcome::{Mailer, Outcome};

/// A folder of mails.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    /// A folder, made when the first mail is written.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Where the mail with that identity lies.
    #[must_use]
    pub fn file(&self, message_id: &str) -> PathBuf {
        let name: String = message_id.chars().take_while(|c| *c != '@').filter(char::is_ascii_alphanumeric).collect();
        self.path.join(format!("{name}.eml"))
    }

    async fn write(&self, letter: &Letter) -> Outcome {
        let written = match letter.message_id().and_then(|id| Ok((id, letter.write()?))) {
            Ok(written) => written,
            Err(error) => return Outcome::Failed { reason: error.to_string() },
        };
        let (id, mail) = written;
        let file = self.file(&id);
        match replace(&self.path, &file, &mail.bytes).await {
            Ok(()) => Outcome::Sent { reply: format!("written to {}", file.display()) },
            // The file is the mail: writing it again under its name changes nothing.
            Err(error) => Outcome::Later { reason: format!("writing {}: {error}", file.display()) },
        }
    }
}

async fn replace(folder: &Path, file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    tokio::fs::create_dir_all(folder).await?;
    let part = file.with_extension("part");
    tokio::fs::write(&part, bytes).await?;
    tokio::fs::rename(&part, file).await
}

impl Mailer for Folder {
    fn name(&self) -> String {
        format!("files in {}", self.path.display())
    }

    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Outcome> {
        Box::pin(self.write(letter))
    }
}
