//! Where a model is asked.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use reqwest::Url;

/// The address that a wire format's path is put behind, such as `http://127.0.0.1:8080/v1`: `https`, or
/// on this machine `http` as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint(Url);

/// A text that is no endpoint. The text is not told: a password may stand in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadEndpoint {
    /// It is no address.
    #[error("expected an address such as http://127.0.0.1:8080/v1, found none")]
    Address,
    /// Anybody on the way could read what is sent there.
    #[error("expected https, which only an endpoint on this machine does without")]
    Plain,
    /// A key belongs elsewhere, and a path goes behind it.
    #[error("expected an address without a user's name, a query and a fragment, found one with")]
    Rest,
}

impl Endpoint {
    /// Whether it is on this machine: no key is needed, and no proxy is asked.
    #[must_use]
    pub fn is_this_machine(&self) -> bool {
        let host = self.0.host_str().unwrap_or_default();
        let address = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || address.parse().is_ok_and(|it: IpAddr| it.is_loopback())
    }

    /// The address of `path` behind it.
    pub(super) fn join(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        url.set_path(&format!("{}/{path}", self.0.path().trim_end_matches('/')));
        url
    }
}

impl FromStr for Endpoint {
    type Err = BadEndpoint;

    fn from_str(text: &str) -> Result<Self, BadEndpoint> {
        let mut url = Url::parse(text.trim()).map_err(|_| BadEndpoint::Address)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(BadEndpoint::Address);
        }
        let named = !url.username().is_empty() || url.password().is_some();
        if named || url.query().is_some() || url.fragment().is_some() {
            return Err(BadEndpoint::Rest);
        }
        // One endpoint has one spelling: it is compared with the one that a key is for.
        let path = url.path().trim_end_matches('/').to_owned();
        url.set_path(&path);
        let endpoint = Self(url);
        match endpoint.0.scheme() == "https" || endpoint.is_this_machine() {
            true => Ok(endpoint),
            false => Err(BadEndpoint::Plain),
        }
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_str().trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_behind_an_endpoint() {
        for text in ["http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/"] {
            let endpoint: Endpoint = text.parse().unwrap();
            assert_eq!(endpoint.to_string(), "http://127.0.0.1:8080/v1");
            let whole = "http://127.0.0.1:8080/v1/chat/completions";
            assert_eq!(endpoint.join("chat/completions").as_str(), whole);
        }
        let bare: Endpoint = "https://a.b".parse().unwrap();
        assert_eq!(bare.join("messages").as_str(), "https://a.b/messages");
    }

    #[test]
    fn beyond_this_machine_it_is_https() {
        for text in ["http://[::1]:1", "http://localhost/v1", "http://127.9.9.9"] {
            assert!(
                text.parse::<Endpoint>().unwrap().is_this_machine(),
                "{text}"
            );
        }
        for text in [
            "http://10.0.0.1/v1",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "http://example.com",
        ] {
            assert_eq!(text.parse::<Endpoint>(), Err(BadEndpoint::Plain), "{text}");
        }
        let far: Endpoint = "https://localhost.example.com".parse().unwrap();
        assert!(!far.is_this_machine());
    }

    #[test]
    fn nothing_secret_stands_in_it() {
        for text in [
            "https://me@a.b",
            "https://:pw@a.b",
            "https://a.b?k=v",
            "https://a.b#f",
        ] {
            assert_eq!(text.parse::<Endpoint>(), Err(BadEndpoint::Rest), "{text}");
        }
        for text in ["a.b", "ftp://a.b", "data:x", ""] {
            assert_eq!(
                text.parse::<Endpoint>(),
                Err(BadEndpoint::Address),
                "{text}"
            );
        }
    }
}
