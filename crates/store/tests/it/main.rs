//! The store, over SQLite and PostgreSQL: conformance, crashes, the folder's lock, files and imports.

#[cfg(test)]
mod folder;
#[cfg(test)]
mod kill;
#[cfg(test)]
mod postgres;
#[cfg(test)]
mod shop;
#[cfg(test)]
mod soak;
#[cfg(test)]
mod sqlite;
