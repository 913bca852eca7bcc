//! Who may do what: API keys by scope and tenant, and the open mode of a server that only its own machine can reach.
//!
//! Keys are stored as SHA-256 of random 256-bit secrets, so a leaked key file opens nothing. Without any key the server answers loopback
//! names only: a page of another site that resolves its name to this machine (DNS rebinding) or posts to it is refused.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use mercer_shop::TenantId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use crate::App;
use crate::limit::Limiter;
use crate::problem::{Code, Problem};

/// What a key may do; each scope includes the ones before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Chat, search and look at products, from a browser: origin bound.
    Storefront,
    /// See threads and runs, import products.
    Staff,
    /// Everything.
    Admin,
}

/// A stored key.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Key {
    /// What it is for, in the owner's words.
    pub name: String,
    /// SHA-256 of the secret, lower-case hex.
    pub sha256: String,
    /// Whose shop it opens.
    pub tenant: TenantId,
    /// What it may do.
    pub scope: Scope,
    /// For a storefront key: the origins it may be used from, such as `https://shop.example`.
    #[serde(default)]
    pub origins: Vec<String>,
}

/// The keys of a server.
#[derive(Debug, Default)]
pub struct Access {
    keys: Vec<Key>,
    limiter: Limiter,
}

/// Who is asking.
#[derive(Debug, Clone)]
pub struct Caller {
    /// Whose shop is asked for.
    pub tenant: TenantId,
    /// What the caller may do.
    pub scope: Scope,
}

/// The SHA-256 of a secret, as keys store it.
#[must_use]
pub fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A new secret with 244 random bits from the operating system, `mk_…`.
#[must_use]
pub fn new_secret() -> String {
    format!("mk_{}{}", uuid::Uuid::new_v4().simple(), uuid::Uuid::new_v4().simple())
}

impl Access {
    /// Access by these keys; with none, the open mode of a loopback server.
    #[must_use]
    pub fn new(keys: Vec<Key>) -> Self {
        Self { keys, limiter: Limiter::default() }
    }

    /// Whether no key is set: only loopback names are answered, and everything is allowed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.keys.is_empty()
    }

    /// Whether a page of this origin may call the server from a browser with one of its storefront keys.
    #[must_use]
    pub fn allows_origin(&self, origin: &str) -> bool {
        self.keys
            .iter()
            .any(|key| key.scope == Scope::Storefront && key.origins.iter().any(|allowed| allowed == origin))
    }

    fn caller(&self, method: &Method, headers: &HeaderMap, from: Option<IpAddr>) -> Result<Caller, Problem> {
        let tenant = match headers.get("x-tenant-id") {
            None => None,
            Some(value) => {
                let tenant = value.to_str().ok().and_then(|text| TenantId::new(text).ok());
                Some(tenant.ok_or_else(|| {
                    Problem::invalid("X-Tenant-ID must be lower-case letters, digits, - and _, at most 64 of them.")
                })?)
            }
        };
        if self.is_open() {
            same_machine(headers)?;
            return Ok(Caller { tenant: tenant.unwrap_or_else(TenantId::single), scope: Scope::Admin });
        }
        let secret = bearer(headers).ok_or_else(|| {
            Problem::new(Code::Unauthenticated, "Send the key of this shop as Authorization: Bearer KEY.")
        })?;
        let hashed = hash(secret);
        let key = self.keys.iter().find(|key| key.sha256 == hashed);
        let key = key.ok_or_else(|| {
            Problem::new(Code::Unauthenticated, "This key is not known. Ask the shop's owner for one.")
        })?;
        if tenant.is_some_and(|tenant| tenant != key.tenant) {
            return Err(Problem::new(Code::Forbidden, "This key belongs to another shop than X-Tenant-ID names."));
        }
        origin_allowed(key, method, headers)?;
        if key.scope == Scope::Storefront {
            self.limiter.take(&key.sha256, from, Instant::now()).map_err(|wait| Problem::wait(wait.as_secs() + 1))?;
        }
        Ok(Caller { tenant: key.tenant.clone(), scope: key.scope })
    }
}

impl Caller {
    /// Refuses callers below a scope.
    ///
    /// # Errors
    /// [`Code::Forbidden`] with the scope that is needed.
    pub fn require(&self, scope: Scope) -> Result<(), Problem> {
        if self.scope >= scope {
            return Ok(());
        }
        let needed = match scope {
            Scope::Storefront => "storefront",
            Scope::Staff => "staff",
            Scope::Admin => "admin",
        };
        Err(Problem::new(Code::Forbidden, format!("This needs a key with the scope {needed}.")))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let from = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|connection| connection.0.ip());
        app.access().caller(&parts.method, &parts.headers, from)
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let by_header = headers.get("x-api-key").and_then(|value| value.to_str().ok());
    by_header.or_else(|| headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ").map(str::trim))
}

/// In open mode both the name the client used and the page it came from must be this machine's.
fn same_machine(headers: &HeaderMap) -> Result<(), Problem> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let foreign = |what: &str| {
        Problem::new(
            Code::Forbidden,
            format!(
                "Without keys this server answers its own machine only, and {what} is not. Create a key to open it."
            ),
        )
    };
    if text(header::HOST).is_some_and(|host| !is_loopback(host)) {
        return Err(foreign("the name it was called by"));
    }
    // A sandboxed frame or a file has the origin null, whoever made it.
    let origin = text(header::ORIGIN);
    let from_here = |origin: &str| origin.split_once("://").is_some_and(|(_, host)| is_loopback(host));
    if origin.is_some_and(|origin| !from_here(origin)) {
        return Err(foreign("the page that called it"));
    }
    Ok(())
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn origin_allowed(key: &Key, method: &Method, headers: &HeaderMap) -> Result<(), Problem> {
    if key.scope != Scope::Storefront || *method == Method::OPTIONS {
        return Ok(());
    }
    let origin = headers.get(header::ORIGIN).and_then(|value| value.to_str().ok());
    match origin {
        Some(origin) if !key.origins.iter().any(|allowed| allowed == origin) => Err(Problem::new(
            Code::Forbidden,
            "This storefront key may not be used from this site. Add the site to the key's origins.",
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (header::HeaderName::from_static(name), value.parse().unwrap())).collect()
    }

    #[test]
    fn an_open_server_answers_its_own_machine_and_no_page_of_another_site() {
        let access = Access::default();
        let ask = |pairs: &[(&'static str, &str)]| access.caller(&Method::POST, &headers(pairs), None);
        assert!(ask(&[("host", "127.0.0.1:8787")]).is_ok());
        assert!(ask(&[("host", "localhost:8787"), ("origin", "http://localhost:5173")]).is_ok());
        assert!(ask(&[("host", "[::1]:8787")]).is_ok());
        assert_eq!(ask(&[("host", "evil.example:8787")]).unwrap_err().code(), Code::Forbidden);
        assert_eq!(
            ask(&[("host", "localhost"), ("origin", "https://evil.example")]).unwrap_err().code(),
            Code::Forbidden
        );
        assert_eq!(ask(&[("x-tenant-id", "../up")]).unwrap_err().code(), Code::InvalidRequest);
    }

    #[test]
    fn a_key_opens_its_own_shop_with_its_own_scope() {
        let key = Key {
            name: "web".into(),
            sha256: hash("s3cret"),
            tenant: TenantId::new("a").unwrap(),
            scope: Scope::Storefront,
            origins: vec!["https://shop.example".into()],
        };
        let access = Access::new(vec![key]);
        let ask = |pairs: &[(&'static str, &str)]| access.caller(&Method::POST, &headers(pairs), None);
        let caller = ask(&[("authorization", "Bearer s3cret"), ("origin", "https://shop.example")]).unwrap();
        assert_eq!(caller.tenant.as_str(), "a");
        assert_eq!(caller.require(Scope::Staff).unwrap_err().code(), Code::Forbidden);
        assert_eq!(ask(&[]).unwrap_err().code(), Code::Unauthenticated);
        assert_eq!(ask(&[("x-api-key", "guess")]).unwrap_err().code(), Code::Unauthenticated);
        assert_eq!(ask(&[("x-api-key", "s3cret"), ("x-tenant-id", "b")]).unwrap_err().code(), Code::Forbidden);
        assert_eq!(
            ask(&[("x-api-key", "s3cret"), ("origin", "https://other.example")]).unwrap_err().code(),
            Code::Forbidden
        );
    }
}
