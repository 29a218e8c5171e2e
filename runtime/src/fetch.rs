//! A component from an address.

use std::sync::Arc;
use std::time::Duration;

use loop_spec::Digest;
use reqwest::redirect::{Attempt, Policy};
use reqwest::{Client, Url};

use crate::Artifact;
use crate::doors::LARGEST_FILE;
use crate::tls::client_config;

/// Why a component could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The address is none, or not one of `https`.
    #[error("{address}: expected an address of https://{}", because(why))]
    Address {
        /// The address.
        address: String,
        /// What its reader says, if it is none.
        why: Option<String>,
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
    /// It is not what it was said to be.
    #[error("{address}: expected the component {expected}, found {found}; nothing was kept")]
    Other {
        /// The address.
        address: String,
        /// What was said.
        expected: Digest,
        /// What came.
        found: Digest,
    },
}

/// The component at `address`, which must have `digest`. `progress` is told how many bytes have come, and
/// how many will if the other end says so.
///
/// Redirects are followed to `https` alone. The proxies that the environment names are used.
///
/// # Errors
/// It cannot be had, or is another one.
pub async fn fetch(
    address: &str,
    digest: Digest,
    progress: &mut dyn FnMut(u64, Option<u64>),
) -> Result<Artifact, FetchError> {
    let not_https = |why| FetchError::Address {
        address: address.to_owned(),
        why,
    };
    let url = Url::parse(address).map_err(|error| not_https(Some(error.to_string())))?;
    if url.scheme() != "https" {
        return Err(not_https(None));
    }
    let failed = |error: reqwest::Error| FetchError::Failed {
        address: address.to_owned(),
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
            let address = address.to_owned();
            return Err(FetchError::TooLarge { address });
        }
        progress(bytes.len() as u64, length);
    }
    let component = Artifact::new(bytes);
    let found = component.digest();
    if found == digest {
        return Ok(component);
    }
    Err(FetchError::Other {
        address: address.to_owned(),
        expected: digest,
        found,
    })
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

fn because(why: &Option<String>) -> String {
    why.as_ref()
        .map_or_else(String::new, |why| format!(", found: {why}"))
}

const MOST_REDIRECTS: usize = 5;
const CONNECT: Duration = Duration::from_secs(10);
/// Between two pieces.
const READ: Duration = Duration::from_secs(30);
