//! Integration tests of the engine: each file one topic.

#[cfg(test)]
mod running;
#[cfg(test)]
mod world;
