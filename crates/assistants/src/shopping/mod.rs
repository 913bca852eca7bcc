//! The shopping assistant: it finds products of the shop's own catalogue, shows them, and refines with the customer.
//!
//! A turn goes through the graph of [`graph`]: the message is read by rules (`dialogue`), a model or the rules (`floor`) decide
//! which tools to call, what the tools return becomes evidence, an answer of a model is held against it, and cards are made by
//! code from the catalogue. The state is a fold of what happened ([`Shopping`], [`Update`]).

mod cards;
mod check;
mod desk;
mod dialogue;
mod floor;
mod gating;
mod graph;
mod mention;
mod message;
mod nodes;
mod picture;
mod prompt;
mod state;
mod tools;
mod view;
mod wish;

pub use cards::{Card, OptionValues, numbered, price_text};
pub use desk::{Desk, Models, ShoppingDeps};
pub use dialogue::{Act, Asking, Aspect, Best, Focus, Heard, Reading, Scene, Shown, Topic, language, read};
pub use floor::PAGE;
pub use graph::{NAME, Room, graph};
pub use message::{ChatMessage, Cited, Speaker, ToolLine, UserMessage, title};
pub use picture::Seen;
pub use prompt::system as instructions;
pub use state::{Driver, INTERRUPTED, Shopping, Turn, Update};
pub use tools::{Filters, Item, ProductView, Results, SearchProducts, Shape, registry};
pub use view::{MessageView, cards};
pub use wish::{Chip, Wish};
