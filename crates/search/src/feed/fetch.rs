//! Fetches a feed from an address: with bounds of time and size, and never from inside the shop's own network, also when a public
//! name or a redirect leads there.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::LOCATION;
use reqwest::{Client, Response};
use tempfile::NamedTempFile;
use url::{Host, Url};

use super::error::FeedError;
use super::options::Options;

/// Redirects that are followed.
const HOPS: usize = 5;

/// Fetches into a temporary file; gives it and its name. Works inside and outside a runtime.
pub(crate) fn blocking(url: &Url, options: &Options) -> Result<(NamedTempFile, String), FeedError> {
    let failed = |reason: String| FeedError::Fetch { url: shown(url), reason };
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.map_err(|error| failed(error.to_string()))?.block_on(fetch(url, options))
        });
        thread.join().unwrap_or_else(|_| Err(failed("fetching broke off; try again".to_owned())))
    })
}

async fn fetch(url: &Url, options: &Options) -> Result<(NamedTempFile, String), FeedError> {
    let client = client(options).map_err(|error| FeedError::Fetch { url: shown(url), reason: causes(&error) })?;
    let whole = tokio::time::timeout(options.limits.fetch_total, follow(&client, url.clone(), options));
    whole.await.unwrap_or_else(|_| {
        let seconds = options.limits.fetch_total.as_secs();
        Err(FeedError::Fetch {
            url: shown(url),
            reason: format!("it took longer than {seconds} s; download it yourself"),
        })
    })
}

fn client(options: &Options) -> Result<Client, reqwest::Error> {
    // Whoever composed the program may have installed a provider already; that one stays.
    let _installed = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder()
        .user_agent(concat!("mercer/", env!("CARGO_PKG_VERSION")))
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(options.limits.fetch_silence)
        .read_timeout(options.limits.fetch_silence);
    // A proxy would resolve names by itself, past the check of addresses.
    let builder = if options.allow_private { builder } else { builder.no_proxy().dns_resolver(Arc::new(PublicOnly)) };
    builder.build()
}

async fn follow(client: &Client, mut url: Url, options: &Options) -> Result<(NamedTempFile, String), FeedError> {
    for _ in 0..=HOPS {
        check(&url, options)?;
        let failed = |reason: String| FeedError::Fetch { url: shown(&url), reason };
        let response = client.get(url.clone()).send().await.map_err(|error| failed(causes(&error)))?;
        let status = response.status();
        if status.is_redirection() {
            let target = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
            let target = target.ok_or_else(|| failed(format!("it answered {status} without saying where to go")))?;
            url = url.join(target).map_err(|error| failed(format!("it redirects to a bad address ({error})")))?;
            continue;
        }
        if !status.is_success() {
            return Err(failed(format!("it answered {status}; check the address and whether it needs a login")));
        }
        let name = url.path_segments().and_then(|mut s| s.next_back()).filter(|name| !name.is_empty());
        let name = name.or(url.host_str()).unwrap_or("feed").to_owned();
        return Ok((save(response, &url, options).await?, name));
    }
    Err(FeedError::Fetch { url: shown(&url), reason: format!("it redirects more than {HOPS} times") })
}

async fn save(mut response: Response, url: &Url, options: &Options) -> Result<NamedTempFile, FeedError> {
    let limit = options.limits.download_bytes;
    let failed = |reason: String| FeedError::Fetch { url: shown(url), reason };
    let too_large = || failed(format!("it is larger than {limit} bytes; download it yourself and import the file"));
    if response.content_length().is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let mut file = NamedTempFile::new().map_err(|error| failed(error.to_string()))?;
    let mut total = 0_u64;
    while let Some(chunk) = response.chunk().await.map_err(|error| failed(causes(&error)))? {
        total = total.saturating_add(u64::try_from(chunk.len()).unwrap_or(u64::MAX));
        if total > limit {
            return Err(too_large());
        }
        file.write_all(&chunk).map_err(|error| failed(error.to_string()))?;
    }
    file.flush().map_err(|error| failed(error.to_string()))?;
    Ok(file)
}

/// Refuses what is not a plain web address and addresses of private networks written as numbers.
fn check(url: &Url, options: &Options) -> Result<(), FeedError> {
    let refused = |reason: &str| Err(FeedError::Fetch { url: shown(url), reason: reason.to_owned() });
    if !matches!(url.scheme(), "http" | "https") {
        return refused("only http and https addresses are fetched");
    }
    let private = match url.host() {
        None => return refused("the address has no host"),
        Some(Host::Ipv4(ip)) => !is_public(IpAddr::V4(ip)),
        Some(Host::Ipv6(ip)) => !is_public(IpAddr::V6(ip)),
        Some(Host::Domain(_)) => false,
    };
    if private && !options.allow_private { refused(PRIVATE) } else { Ok(()) }
}

const PRIVATE: &str =
    "it lies in a private network, which is not fetched from; download it yourself and import the file";

/// Resolves names to public addresses only.
#[derive(Debug)]
struct PublicOnly;

#[derive(Debug, thiserror::Error)]
#[error("{PRIVATE}")]
struct PrivateAddress;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let public: Vec<SocketAddr> = found.into_iter().filter(|address| is_public(address.ip())).collect();
            if public.is_empty() {
                return Err(PrivateAddress.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// Whether an address is on the public internet (IANA special-purpose registries).
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b))
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && matches!(b, 18 | 19));
    !special
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    if let Some(v4) = ip.to_ipv4_mapped() {
        return is_public_v4(v4);
    }
    // Only 2000::/3 is global unicast; 6to4, Teredo and documentation inside it lead elsewhere.
    let [a, b, ..] = ip.segments();
    (0x2000..0x4000).contains(&a) && a != 0x2002 && !(a == 0x2001 && (b == 0xdb8 || b < 0x200)) && a != 0x3fff
}

/// The address without login and parameters, which may hold secrets.
fn shown(url: &Url) -> String {
    let mut url = url.clone();
    // Fails only for addresses that can have neither.
    let _ = url.set_password(None);
    let _ = url.set_username("");
    url.set_query(None);
    url.to_string()
}

/// An error with its causes, without the address.
fn causes(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it does not answer; try again later or download it yourself".to_owned();
    }
    let mut text = String::new();
    let mut next: Option<&dyn std::error::Error> = std::error::Error::source(error);
    while let Some(cause) = next {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    if text.is_empty() { "the connection failed".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_networks_are_told_from_the_public_one() {
        for ip in [
            "10.1.2.3",
            "127.0.0.1",
            "169.254.169.254",
            "192.168.0.1",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
        ] {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in
            ["::1", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001::1", "ff02::1"]
        {
            assert!(!is_public(ip.parse().unwrap()), "{ip}");
        }
        for ip in ["1.1.1.1", "8.8.8.8", "2606:4700::1111"] {
            assert!(is_public(ip.parse().unwrap()), "{ip}");
        }
    }

    #[test]
    fn an_address_is_shown_without_its_secrets() {
        let url = Url::parse("https://user:secret@shop.test/feed.csv?token=1").unwrap();
        assert_eq!(shown(&url), "https://shop.test/feed.csv");
        assert!(check(&Url::parse("file:///etc/passwd").unwrap(), &Options::default()).is_err());
        assert!(check(&Url::parse("http://[::1]/x").unwrap(), &Options::default()).is_err());
        // Decimal and octal spellings are numbers too.
        assert!(check(&Url::parse("http://2130706433/").unwrap(), &Options::default()).is_err());
    }
}
