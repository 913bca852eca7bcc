//! The real binary in a folder of its own, with nothing of this machine's environment.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// Nothing here takes this long unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// A folder to work in.
pub(crate) struct Place {
    folder: TempDir,
    env: Vec<(&'static str, String)>,
}

/// What a command left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:#?}"))
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), env: Vec::new() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A file with this content.
    pub(crate) fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mercer"));
        command.env_clear().envs(self.env.iter().map(|(name, value)| (name, value.as_str())));
        command.current_dir(self.path()).args(arguments).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command(arguments).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Opens the shop on a free port and waits until it is open.
    pub(crate) fn serve(&self) -> Serving {
        let mut command = self.command(&["serve", "--listen", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim().rsplit("http://").next().unwrap().to_owned();
        assert!(line.contains("http://"), "the shop did not open: {line:?}");
        Serving { child, address, _out: out }
    }
}

/// A running shop. Dropped, it is killed.
pub(crate) struct Serving {
    child: Child,
    address: String,
    _out: BufReader<ChildStdout>,
}

impl Serving {
    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn connect(&self, method: &str, path: &str, body: Option<&Value>) -> TcpStream {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = body.map(Value::to_string).unwrap_or_default();
        let head = format!(
            "{method} {path} HTTP/1.0\r\nhost: {}\r\naccept: application/json\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        connection.write_all((head + &body).as_bytes()).unwrap();
        connection
    }

    /// The body of an answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> String {
        let mut text = String::new();
        self.connect(method, path, body).read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(" 200 ") || head.contains(" 201 ") || head.contains(" 202 "), "{text}");
        body.to_owned()
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_str(&self.ask("GET", path, None)).unwrap()
    }

    /// Sends a message and reads the answer until this is in it.
    pub(crate) fn say_until(&self, message: &Value, mark: &str) -> TcpStream {
        let mut connection = self.connect("POST", "/api/chat", Some(message));
        let mut seen = Vec::new();
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&seen).contains(mark) {
            let count = connection.read(&mut buffer).unwrap();
            assert_ne!(count, 0, "the answer ended before {mark}: {}", String::from_utf8_lossy(&seen));
            seen.extend_from_slice(&buffer[..count]);
        }
        connection
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may be gone already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
