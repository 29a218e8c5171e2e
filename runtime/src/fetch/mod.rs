//! A component from an address, or from an OCI registry.

mod oci;

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Url};

use crate::Artifact;
use crate::doors::LARGEST_FILE;
use crate::tls::client_config;

pub use oci::{SCHEME, fetch_oci, is_pinned, stem};

/// Why a component could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The address is none, or not one of `https`.
    #[error("{address}: expected an address of https://")]
    Address {
        /// The address.
        address: String,
    },
    /// It is no address of a registry.
    #[error("{address}: expected oci://HOST/NAME:TAG or oci://HOST/NAME@sha256:…: {why}")]
    Reference {
        /// The address.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// It could not be asked for, or did not come whole.
    #[error("{address}: {what}")]
    Failed {
        /// The address.
        address: String,
        /// What went wrong.
        what: String,
    },
    /// There is more than a component may have.
    #[error("{address}: expected at most {LARGEST_FILE} bytes, found more")]
    TooLarge {
        /// The address.
        address: String,
    },
}

/// A component that was fetched.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The component; whether it is the right one is for its digest to say.
    pub component: Artifact,
    /// The address without what can be secret in it: a user's name and password, and the query.
    pub from: String,
}

/// What is at `address`. `progress` is told how many bytes have come, and how many will if the other end
/// says so.
///
/// Redirects are followed to `https` alone. The proxies that the environment names are used.
///
/// # Errors
/// It cannot be had, or is too large.
pub async fn fetch(
    address: &str,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Fetched, FetchError> {
    let url = Url::parse(address)
        .ok()
        .filter(|url| url.scheme() == "https");
    let url = url.ok_or_else(|| FetchError::Address {
        address: address.to_owned(),
    })?;
    let from = without_secrets(url.clone());
    let failed = |error: reqwest::Error| FetchError::Failed {
        address: from.clone(),
        what: whole(&error.without_url()),
    };
    let client = client().map_err(failed)?;
    let answer = client.get(url).send().await.map_err(failed)?;
    let mut answer = answer.error_for_status().map_err(failed)?;
    let length = answer.content_length();
    let mut bytes = Vec::new();
    while let Some(more) = answer.chunk().await.map_err(failed)? {
        bytes.extend_from_slice(&more);
        if bytes.len() as u64 > LARGEST_FILE {
            return Err(FetchError::TooLarge { address: from });
        }
        progress(bytes.len() as u64, length);
    }
    let component = Artifact::new(bytes);
    Ok(Fetched { component, from })
}

fn without_secrets(mut url: Url) -> String {
    // Only addresses without a host have no place for a user.
    let _: Result<(), ()> = url.set_username("").and_then(|()| url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

fn client() -> reqwest::Result<Client> {
    let config = Arc::unwrap_or_clone(client_config());
    Client::builder()
        .user_agent(concat!("doorlist/", env!("CARGO_PKG_VERSION")))
        .tls_backend_preconfigured(config)
        .https_only(true)
        .redirect(Policy::custom(redirect))
        .connect_timeout(CONNECT)
        .read_timeout(READ)
        .build()
}

fn redirect(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    if attempt.previous().len() > MOST_REDIRECTS {
        return attempt.error("it leads from one address to the next without an end");
    }
    match attempt.url().scheme() {
        "https" => attempt.follow(),
        _ => attempt.error("it leads to an address that is not https"),
    }
}

/// What an error and all that caused it say.
fn whole(error: &dyn std::error::Error) -> String {
    let mut said = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let what = error.to_string();
        if !said.contains(&what) {
            said = format!("{said}: {what}");
        }
        cause = error.source();
    }
    said
}

const MOST_REDIRECTS: usize = 5;
const CONNECT: Duration = Duration::from_secs(10);
/// Between two pieces.
const READ: Duration = Duration::from_secs(30);
