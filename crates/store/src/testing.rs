//! A throw-away PostgreSQL for tests, here and in the crates above (feature `testing`).
//!
//! The programs of an installed PostgreSQL make a private cluster in the folder for temporary files, reached by a socket in it and by
//! no port. Tests are processes of their own, so they share one: the first starts it, each holds a lock while it lives, and a
//! little guard stops it and removes it ten seconds after the last lock is gone.

use std::fs::{File, OpenOptions};
use std::io::{self, Error};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use sqlx::{Connection as _, PgConnection};

use crate::{PostgresOptions, Store};

/// A running cluster: shared by the tests of this user, or one's own to be mistreated.
#[derive(Debug, Clone)]
pub struct Cluster {
    held: Arc<Held>,
}

#[derive(Debug)]
struct Held {
    folder: PathBuf,
    programs: Programs,
    /// Of the shared cluster: as long as somebody has it, the guard waits.
    _user: Option<File>,
    own: bool,
}

/// Where PostgreSQL's programs are, and the user they run as, for they refuse to be root.
#[derive(Debug, Clone)]
struct Programs {
    folder: PathBuf,
    user: Option<(u32, u32)>,
}

/// Stops and removes the cluster when nobody has had it for ten seconds. `$1` is its folder, `$2` that of the programs.
const GUARD: &str = r#"
cd / && while :; do
  idle=0
  while [ "$idle" -lt 10 ]; do
    sleep 1
    if flock -n -x "$1/users" true; then idle=$((idle + 1)); else idle=0; fi
  done
  flock -n -x "$1/users" sh -c '"$2/pg_ctl" -D "$1/data" -m immediate stop; rm -rf "$1/data"' stop "$1" "$2" && exit
done
"#;

impl Programs {
    /// Looks for them where Debian puts them, newest first, then where the system looks for programs.
    fn find() -> Option<Self> {
        let mut folders: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
            .map(|versions| versions.filter_map(|version| Some(version.ok()?.path().join("bin"))).collect())
            .unwrap_or_default();
        folders.sort();
        folders.reverse();
        let path = std::env::var_os("PATH").unwrap_or_default();
        folders.extend(std::env::split_paths(&path));
        let has_all =
            |folder: &PathBuf| ["initdb", "pg_ctl", "postgres"].iter().all(|name| folder.join(name).is_file());
        let folder = folders.into_iter().find(has_all)?;
        let user = if id("-u", None)? == 0 {
            let name = ["postgres", "nobody"].into_iter().find(|name| id("-u", Some(name)).is_some())?;
            Some((id("-u", Some(name))?, id("-g", Some(name))?))
        } else {
            None
        };
        Some(Self { folder, user })
    }

    /// Runs one of them. Its output goes to a file, for what it starts would keep a pipe open.
    fn run(&self, name: &str, arguments: &[&str], folder: &Path) -> io::Result<()> {
        let log = folder.join("log");
        let open = || OpenOptions::new().create(true).append(true).open(&log);
        let (out, err) = (open()?, open()?);
        let mut command = Command::new("setsid");
        command.arg("--wait").arg(self.folder.join(name)).args(arguments).current_dir("/");
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        if command.status()?.success() {
            return Ok(());
        }
        let said = std::fs::read_to_string(&log).unwrap_or_default();
        Err(Error::other(format!("{name} failed: {said}")))
    }
}

fn id(what: &str, user: Option<&str>) -> Option<u32> {
    let Output { status, stdout, .. } = Command::new("id").arg(what).args(user).output().ok()?;
    status.success().then(|| String::from_utf8(stdout).ok()?.trim().parse().ok()).flatten()
}

impl Cluster {
    /// The cluster that tests share; `None` when PostgreSQL is not installed.
    ///
    /// # Errors
    /// When it is installed and does not start.
    pub fn shared() -> io::Result<Option<Self>> {
        let Some(programs) = Programs::find() else { return Ok(None) };
        let folder = std::env::temp_dir().join(format!("mercer-test-postgres-{}", id("-u", None).unwrap_or_default()));
        prepare(&folder, &programs)?;
        let open = |name: &str| OpenOptions::new().create(true).append(true).open(folder.join(name));
        let (starting, user) = (open("starting")?, open("users")?);
        starting.lock()?;
        // When the guard is just stopping it, this waits until it has.
        user.lock_shared()?;
        let held = Held { folder, programs, _user: Some(user), own: false };
        if !held.answers() {
            held.start()?;
            held.guard()?;
        }
        Ok(Some(Self { held: Arc::new(held) }))
    }

    /// A cluster of one's own in an empty folder that outlives it. It is stopped when the last clone is dropped.
    ///
    /// # Errors
    /// When it does not start.
    pub fn own(folder: &Path) -> io::Result<Option<Self>> {
        let Some(programs) = Programs::find() else { return Ok(None) };
        prepare(folder, &programs)?;
        let held = Held { folder: folder.to_owned(), programs, _user: None, own: true };
        held.start()?;
        Ok(Some(Self { held: Arc::new(held) }))
    }

    /// Stops the server at once, as a crash would, and starts it again over what it had written.
    ///
    /// # Errors
    /// When it does not start again.
    pub fn crash(&self) -> io::Result<()> {
        let data = self.held.data();
        self.held.programs.run("pg_ctl", &["-D", &data, "-m", "immediate", "stop"], &self.held.folder)?;
        self.held.go()
    }

    /// The address of a database of this cluster.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://mercer@localhost/{database}?host={}", self.held.folder.display())
    }

    /// The address of a new and empty database.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn database(&self) -> io::Result<String> {
        let name = format!("t{}", uuid::Uuid::new_v4().simple());
        self.execute("postgres", format!("CREATE DATABASE {name}")).await?;
        Ok(self.url(&name))
    }

    /// An empty store in a new schema of one database, which is quicker than a new database.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn store(&self) -> io::Result<Store> {
        let options = PostgresOptions { writers: 2, readers: 2, ..PostgresOptions::default() };
        Store::connect_with(&self.schema().await?, options).await.map_err(Error::other)
    }

    /// The address of a new and empty schema; with it, it is as if a database were empty.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn schema(&self) -> io::Result<String> {
        let name = format!("s{}", uuid::Uuid::new_v4().simple());
        self.execute("postgres", format!("CREATE SCHEMA {name}")).await?;
        Ok(format!("{}&options=-c%20search_path%3D{name}", self.url("postgres")))
    }

    async fn execute(&self, database: &str, text: String) -> io::Result<()> {
        let mut connection = PgConnection::connect(&self.url(database)).await.map_err(Error::other)?;
        sqlx::raw_sql(sqlx::AssertSqlSafe(text)).execute(&mut connection).await.map_err(Error::other)?;
        connection.close().await.map_err(Error::other)
    }
}

fn prepare(folder: &Path, programs: &Programs) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    if let Some((user, group)) = programs.user {
        std::os::unix::fs::chown(folder, Some(user), Some(group))?;
    }
    for name in ["log", "users", "starting"] {
        let path = folder.join(name);
        drop(OpenOptions::new().create(true).append(true).open(&path)?);
        if let Some((user, group)) = programs.user {
            std::os::unix::fs::chown(path, Some(user), Some(group))?;
        }
    }
    Ok(())
}

impl Held {
    fn data(&self) -> String {
        self.folder.join("data").display().to_string()
    }

    fn answers(&self) -> bool {
        self.programs.run("pg_ctl", &["-D", &self.data(), "status"], &self.folder).is_ok()
    }

    fn start(&self) -> io::Result<()> {
        let data = self.data();
        if Path::new(&data).exists() {
            std::fs::remove_dir_all(&data)?;
        }
        let arguments = ["-D", &data, "-U", "mercer", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"];
        self.programs.run("initdb", &arguments, &self.folder)?;
        self.go()
    }

    /// Nothing here has to survive the loss of power, only that of the process, so nothing is flushed.
    fn go(&self) -> io::Result<()> {
        let options = format!(
            "-k {} -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=300 -c deadlock_timeout=50ms",
            self.folder.display()
        );
        let log = self.folder.join("server.log").display().to_string();
        let arguments = ["-D", &self.data(), "-o", &options, "-l", &log, "-w", "start"];
        self.programs.run("pg_ctl", &arguments, &self.folder)
    }

    fn guard(&self) -> io::Result<()> {
        let mut command = Command::new("setsid");
        command.args(["sh", "-c", GUARD, "guard"]).arg(&self.folder).arg(&self.programs.folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if let Some((user, group)) = self.programs.user {
            command.uid(user).gid(group);
        }
        // It lives longer than this process, on purpose.
        command.spawn().map(drop)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if self.own {
            let _stopped =
                self.programs.run("pg_ctl", &["-D", &self.data(), "-m", "immediate", "stop"], &self.folder).is_ok();
        }
    }
}
