//! How a module of this crate writes its own tables: a function that is given the open transaction.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use mercer_graph::StoreError;

use crate::Store;
use crate::db::Tx;
use crate::writer::Change;

/// What is done within a transaction, boxed.
pub type Working<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Something a writer does for a module. It may be run again when the transaction has to be repeated.
pub(crate) trait Work: Send {
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> Working<'a, ()>;
}

struct Function<F, T> {
    work: F,
    result: Arc<Mutex<Option<T>>>,
}

impl<F, T> Work for Function<F, T>
where
    F: for<'a> Fn(&'a mut Tx) -> Working<'a, T> + Send,
    T: Send,
{
    fn run<'a>(&'a mut self, tx: &'a mut Tx) -> Working<'a, ()> {
        let result = Arc::clone(&self.result);
        let working = (self.work)(tx);
        Box::pin(async move {
            let value = working.await?;
            *result.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
            Ok(())
        })
    }
}

impl Store {
    /// Runs a function within one transaction and commits what it wrote. An error undoes all of it.
    ///
    /// The function reads, decides and writes; it may be run more than once, when another transaction was in its way or the
    /// connection was lost, so everything it does goes through the transaction it is given. What is decided by what was read
    /// needs a name of its own ([`Tx::lock`]) or a version in the row that the update asks for.
    ///
    /// # Errors
    /// The function's own, or the database's failure. When the database is not there it is waited for; a commit whose answer was
    /// lost is asked for.
    pub async fn transaction<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        F: for<'a> Fn(&'a mut Tx) -> Working<'a, T> + Send + 'static,
        T: Send + 'static,
    {
        let result = Arc::new(Mutex::new(None));
        let function = Function { work, result: Arc::clone(&result) };
        self.change(Change::Work(Box::new(function))).await?;
        let value = result.lock().unwrap_or_else(PoisonError::into_inner).take();
        value.ok_or_else(|| StoreError::failed("a transaction ended without its result"))
    }
}
