//! Cases that lie beside the repository.

use std::path::PathBuf;

/// The text of a shared file; nothing (and a loud word) when it is not there.
pub(crate) fn read(name: &str) -> Option<String> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let root = option_env!("MERCER_SHARED").map_or(beside, PathBuf::from);
    let path = root.join(name);
    let text = std::fs::read_to_string(&path).ok();
    if text.is_none() {
        eprintln!("SKIPPED: {} is not there", path.display());
    }
    text
}
