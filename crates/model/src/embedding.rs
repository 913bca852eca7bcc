//! Vectors of texts.

use std::fmt;

use futures::future::BoxFuture;

use crate::error::ModelError;
use crate::event::Usage;

/// Vectors, one a text, in the order of the texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Embeddings {
    /// All of the same length.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens used.
    pub usage: Usage,
}

/// A model that makes vectors of texts. Held as `Arc<dyn EmbeddingModel>`.
pub trait EmbeddingModel: Send + Sync + fmt::Debug {
    /// The model's name: vectors of different models must not be compared.
    fn name(&self) -> &str;

    /// Makes one vector a text.
    fn embed(&self, texts: Vec<String>) -> BoxFuture<'static, Result<Embeddings, ModelError>>;
}
