//! From a host's name to its addresses.

use std::fmt;
use std::io;
use std::net::IpAddr;

/// Looks up the addresses of hosts that a door is granted. Whether one of them may be connected to is
/// decided afterwards, and the connection goes to exactly that one.
#[async_trait::async_trait]
pub trait Resolver: fmt::Debug + Send + Sync {
    /// The addresses of `name`, the best first.
    ///
    /// # Errors
    /// There are none, or nobody could be asked.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// Asks the system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

#[async_trait::async_trait]
impl Resolver for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        // The port is only there because the system's call has one.
        let found = tokio::net::lookup_host((name, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    }
}
