//! Decoding and small copies, on pictures made here and on real ones.

#[cfg(test)]
mod made;
#[cfg(test)]
mod real;
