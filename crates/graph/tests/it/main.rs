//! Integration tests of the engine: each file one topic.

#[cfg(test)]
mod building;
#[cfg(test)]
mod caching;
#[cfg(test)]
mod conformance;
#[cfg(test)]
mod core;
#[cfg(test)]
mod durability;
#[cfg(test)]
mod failing;
#[cfg(test)]
mod running;
#[cfg(test)]
mod sim;
#[cfg(test)]
mod stuck;
#[cfg(test)]
mod subgraphs;
#[cfg(test)]
mod threads;
#[cfg(test)]
mod world;
