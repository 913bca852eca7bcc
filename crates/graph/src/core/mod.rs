//! The pure core: which tasks run next, and what a set of finished tasks does to the state.
//!
//! Two functions over plain data, [`next()`] and [`apply()`], without a clock, IO or randomness. The engine evaluates branch
//! conditions and hands in what they chose.

mod apply;
mod frontier;
mod next;
mod routes;

pub use apply::{Done, apply};
pub use frontier::{Departure, Frontier, Task};
pub use next::{CoreError, next, remaining};
pub use routes::{Join, Routes};

pub use crate::step::{Exit, Target};
