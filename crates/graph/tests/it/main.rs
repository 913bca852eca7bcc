//! Integration tests of the engine: each file one topic.

#[cfg(test)]
mod building;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod core;
#[cfg(test)]
mod failing;
#[cfg(test)]
mod running;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod world;
