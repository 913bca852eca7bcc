//! The pictures of a catalogue's products, named by the hash of their content, so that a picture that many products share is kept once and an
//! import that is repeated writes nothing.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// Product pictures under a catalogue's folder.
#[derive(Debug, Clone)]
pub struct Pictures {
    folder: PathBuf,
}

impl Pictures {
    /// The pictures of the catalogue in `dir`.
    #[must_use]
    pub fn of(dir: &Path) -> Self {
        Self { folder: dir.join("pictures") }
    }

    /// Keeps a picture and returns its name: the SHA-256 of its content in hexadecimal. A picture that is there already is not written again.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn put(&self, content: &[u8]) -> io::Result<String> {
        let name: String = Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect();
        let path = self.path(&name).ok_or(io::ErrorKind::InvalidInput)?;
        if path.is_file() {
            return Ok(name);
        }
        let parent = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent)?;
        // Written beside and renamed, so that a picture is whole or absent whenever the process dies.
        let mut partial = tempfile::NamedTempFile::new_in(parent)?;
        partial.write_all(content)?;
        partial.persist(&path).map_err(|error| error.error)?;
        Ok(name)
    }

    /// A picture by name; `None` when there is none, also when the name is not one that [`Pictures::put`] gives.
    ///
    /// # Errors
    /// When the disk cannot be read.
    pub fn get(&self, name: &str) -> io::Result<Option<Vec<u8>>> {
        let Some(path) = self.path(name) else { return Ok(None) };
        match fs::read(path) {
            Ok(content) => Ok(Some(content)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Only a hash is a name, so no name leaves the folder.
    fn path(&self, name: &str) -> Option<PathBuf> {
        let is_hash = name.len() == 64 && name.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        let shard = name.get(..2).filter(|_| is_hash)?;
        Some(self.folder.join(shard).join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_kept_once_and_no_name_leaves_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        let pictures = Pictures::of(dir.path());
        let name = pictures.put(b"jpeg").unwrap();
        assert_eq!(pictures.put(b"jpeg").unwrap(), name);
        assert_eq!(pictures.get(&name).unwrap().unwrap(), b"jpeg");
        assert_eq!(pictures.get("../../secret").unwrap(), None);
        assert_eq!(pictures.get(&"0".repeat(64)).unwrap(), None);
        assert_eq!(pictures.get(&"é".repeat(32)).unwrap(), None);
    }
}
