//! A data folder belongs to one process at a time.

use std::fs::{File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::OpenError;

/// The lock on a data folder, held as long as it lives. The operating system takes it back when the process dies, however
/// it dies.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    _lock: File,
}

impl Folder {
    pub(crate) fn take(path: &Path) -> Result<Self, OpenError> {
        let refused = |source| OpenError::Folder { folder: path.to_owned(), source };
        std::fs::create_dir_all(path).map_err(refused)?;
        let name = path.join("mercer.lock");
        // Not truncated on opening: the file may be another's.
        let mut lock =
            File::options().create(true).truncate(false).read(true).write(true).open(&name).map_err(refused)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let owner = std::fs::read_to_string(&name).unwrap_or_default().trim().to_owned();
                return Err(OpenError::InUse { folder: path.to_owned(), owner });
            }
            Err(TryLockError::Error(source)) => return Err(refused(source)),
        }
        lock.set_len(0).map_err(refused)?;
        writeln!(lock, "{}", std::process::id()).map_err(refused)?;
        Ok(Self { path: path.to_owned(), _lock: lock })
    }
}
