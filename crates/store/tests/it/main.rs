//! The SQLite store: conformance, crashes, the folder's lock, files and imports.

#[cfg(test)]
mod folder;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod shop;
#[cfg(test)]
mod sqlite;
