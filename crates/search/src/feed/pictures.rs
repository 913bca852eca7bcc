//! The pictures that come with a feed: in a folder or an archive, found by the path the feed names or by the product's id.
//!
//! Only bytes: what a picture is, is decided by `mercer-studio` from its content.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Why pictures cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The folder or archive cannot be opened.
    #[error("cannot open the pictures in {}", path.display())]
    Open {
        /// The folder or archive.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
    /// The archive cannot be read.
    #[error("the archive {} cannot be read: {reason}; pack it again", path.display())]
    Archive {
        /// The archive.
        path: PathBuf,
        /// Why it failed.
        reason: String,
    },
    /// A picture is larger than allowed.
    #[error("the picture {name} is larger than {limit} bytes; make it smaller")]
    TooLarge {
        /// The picture.
        name: String,
        /// The most it may have.
        limit: u64,
    },
    /// Reading a picture failed.
    #[error("the picture {name} cannot be read")]
    Read {
        /// The picture.
        name: String,
        /// Why it failed.
        #[source]
        source: std::io::Error,
    },
}

/// Bytes of one picture.
const LIMIT: u64 = 32 << 20;
/// Entries of a folder or archive that are listed.
const ENTRIES: usize = 5_000_000;
const EXTENSIONS: [&str; 7] = ["jpg", "jpeg", "png", "webp", "gif", "bmp", "avif"];

/// The pictures that come with a feed.
#[derive(Debug)]
pub enum Pictures {
    /// A folder.
    Folder(Folder),
    /// A zip archive.
    Zip(Zip),
}

/// Pictures in a folder.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    index: Index<PathBuf>,
}

/// Pictures in an archive.
#[derive(Debug)]
pub struct Zip {
    path: PathBuf,
    archive: Mutex<zip::ZipArchive<BufReader<File>>>,
    index: Index<usize>,
}

/// Where each picture is, by its path and by its name without folder and extension; all in lower case.
#[derive(Debug)]
struct Index<T> {
    by_path: HashMap<String, T>,
    by_stem: HashMap<String, T>,
}

impl<T: Clone> Index<T> {
    fn new() -> Self {
        Self { by_path: HashMap::new(), by_stem: HashMap::new() }
    }

    fn add(&mut self, path: &str, place: T) {
        let lower = path.replace('\\', "/").to_lowercase();
        let name = lower.rsplit('/').next().unwrap_or(&lower);
        if let Some((stem, extension)) = name.rsplit_once('.')
            && EXTENSIONS.contains(&extension)
            && !name.starts_with('.')
            && self.by_path.len() < ENTRIES
        {
            self.by_stem.entry(stem.to_owned()).or_insert_with(|| place.clone());
            self.by_path.insert(lower, place);
        }
    }

    /// By path, then by the path's end below any top folder, then by the bare name.
    fn find(&self, wanted: &str) -> Option<&T> {
        let wanted = safe(wanted)?;
        let below = ["images/", "image/", "img/", "media/", "catalog/product/", "pictures/"];
        self.by_path
            .get(&wanted)
            .or_else(|| below.iter().find_map(|folder| self.by_path.get(&format!("{folder}{wanted}"))))
            .or_else(|| {
                let name = wanted.rsplit('/').next().unwrap_or(&wanted);
                let stem = name.rsplit_once('.').filter(|(_, e)| EXTENSIONS.contains(e)).map_or(name, |(stem, _)| stem);
                self.by_stem.get(stem)
            })
    }
}

/// A relative path without steps upwards, in lower case; nothing for an address or an absolute path that leads elsewhere.
fn safe(path: &str) -> Option<String> {
    let path = path.trim().replace('\\', "/");
    let path = path.trim_start_matches('/').trim_start_matches("./");
    let inside = Path::new(path).components().all(|c| matches!(c, Component::Normal(_)));
    (!path.is_empty() && inside && !path.contains("://") && !path.contains('\0')).then(|| path.to_lowercase())
}

impl Pictures {
    /// Opens a folder or zip archive, whichever lies there.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path) -> Result<Self, PictureError> {
        if path.is_dir() { Self::folder(path) } else { Self::zip(path) }
    }

    /// Lists a folder, with the folders in it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn folder(root: &Path) -> Result<Self, PictureError> {
        let open = |source| PictureError::Open { path: root.to_owned(), source };
        let mut index = Index::new();
        let mut folders = vec![(root.to_owned(), 0)];
        while let Some((folder, depth)) = folders.pop() {
            let mut entries: Vec<_> = fs::read_dir(&folder).map_err(open)?.collect::<Result<_, _>>().map_err(open)?;
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                // Links are not followed: they could lead out of the folder.
                let kind = entry.file_type().map_err(open)?;
                if kind.is_dir() && depth < 16 {
                    folders.push((entry.path(), depth + 1));
                } else if kind.is_file()
                    && let Ok(relative) = entry.path().strip_prefix(root)
                {
                    index.add(&relative.to_string_lossy(), relative.to_owned());
                }
            }
        }
        Ok(Self::Folder(Folder { root: root.to_owned(), index }))
    }

    /// Lists a zip archive.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn zip(path: &Path) -> Result<Self, PictureError> {
        let file = File::open(path).map_err(|source| PictureError::Open { path: path.to_owned(), source })?;
        let archive = zip::ZipArchive::new(BufReader::new(file))
            .map_err(|error| PictureError::Archive { path: path.to_owned(), reason: error.to_string() })?;
        let mut index = Index::new();
        for (at, name) in (0..archive.len()).filter_map(|at| Some((at, archive.name_for_index(at)?.ok()?))) {
            index.add(&name, at);
        }
        Ok(Self::Zip(Zip { path: path.to_owned(), archive: Mutex::new(archive), index }))
    }

    /// How many pictures there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Folder(folder) => folder.index.by_path.len(),
            Self::Zip(zip) => zip.index.by_path.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of a picture: by the relative path a feed names, or by a product's id (`12503` finds `images/12503.jpg`).
    /// Nothing when there is none. A path that leads out of the folder finds nothing.
    ///
    /// # Errors
    /// When it is there and cannot be read, or is too large.
    pub fn read(&self, wanted: &str) -> Result<Option<Vec<u8>>, PictureError> {
        match self {
            Self::Folder(folder) => {
                let Some(relative) = folder.index.find(wanted) else { return Ok(None) };
                let file = File::open(folder.root.join(relative));
                let file = file.map_err(|source| PictureError::Read { name: wanted.to_owned(), source })?;
                bounded(file, wanted).map(Some)
            }
            Self::Zip(zip) => {
                let Some(&at) = zip.index.find(wanted) else { return Ok(None) };
                let mut archive = zip.archive.lock().unwrap_or_else(PoisonError::into_inner);
                let entry = archive
                    .by_index(at)
                    .map_err(|error| PictureError::Archive { path: zip.path.clone(), reason: error.to_string() })?;
                bounded(entry, wanted).map(Some)
            }
        }
    }
}

fn bounded(input: impl Read, name: &str) -> Result<Vec<u8>, PictureError> {
    let mut bytes = Vec::new();
    let read = input.take(LIMIT + 1).read_to_end(&mut bytes);
    let n = read.map_err(|source| PictureError::Read { name: name.to_owned(), source })?;
    if u64::try_from(n).unwrap_or(u64::MAX) > LIMIT {
        return Err(PictureError::TooLarge { name: name.to_owned(), limit: LIMIT });
    }
    Ok(bytes)
}
