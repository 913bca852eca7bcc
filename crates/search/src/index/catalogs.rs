//! The catalogues of all tenants of a server.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use mercer_shop::TenantId;

use super::Catalog;
use crate::error::SearchError;

/// One catalogue a tenant, each in `<root>/<tenant>/catalog`, opened when it is first asked for.
#[derive(Debug)]
pub struct Catalogs {
    root: PathBuf,
    open: RwLock<BTreeMap<TenantId, Arc<Catalog>>>,
}

impl Catalogs {
    /// The catalogues below a folder, such as `<data>/tenants`.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), open: RwLock::default() }
    }

    /// A tenant's catalogue; an empty one when it has no products yet.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn tenant(&self, tenant: &TenantId) -> Result<Arc<Catalog>, SearchError> {
        if let Some(catalog) = self.open.read().unwrap_or_else(PoisonError::into_inner).get(tenant) {
            return Ok(Arc::clone(catalog));
        }
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(catalog) = open.get(tenant) {
            return Ok(Arc::clone(catalog));
        }
        let catalog = Arc::new(Catalog::open(&self.root.join(tenant.as_str()).join("catalog"))?);
        open.insert(tenant.clone(), Arc::clone(&catalog));
        Ok(catalog)
    }
}
