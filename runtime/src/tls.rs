//! Who is trusted at the other end of a connection: the certificates of the system.

use std::sync::{Arc, OnceLock};

use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// How connections are made through TLS, read once from the system (`SSL_CERT_FILE` names another
/// file of certificates). May read files for some milliseconds.
pub(crate) fn client_config() -> Arc<ClientConfig> {
    static CONFIG: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    let made = CONFIG.get_or_init(|| {
        let mut roots = RootCertStore::empty();
        // What cannot be read is not trusted, which the connection then says.
        roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("ring has the default versions of TLS")
            .with_root_certificates(roots)
            .with_no_client_auth();
        Arc::new(config)
    });
    Arc::clone(made)
}
