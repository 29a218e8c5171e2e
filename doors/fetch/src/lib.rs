//! The door `fetch`: what is at an address of a granted host.

mod http;

wit_bindgen::generate!({ world: "fetch" });

#[cfg(target_family = "wasm")]
export!(Door);

/// What the component exports.
pub struct Door;

impl Guest for Door {
    fn get(address: String) -> Result<Response, String> {
        let parts = parts(&address)?;
        http::get(&parts)
    }
}

/// An address, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Parts<'a> {
    secure: bool,
    authority: &'a str,
    path: &'a str,
}

fn parts(address: &str) -> Result<Parts<'_>, String> {
    let wrong = || format!("expected an address such as https://example.com/a, found {address:?}");
    let (scheme, rest) = address.split_once("://").ok_or_else(wrong)?;
    let secure = match scheme {
        "https" => true,
        "http" => false,
        _ => return Err(wrong()),
    };
    // What stands behind # is for the reader of the page.
    let rest = rest.split('#').next().unwrap_or(rest);
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(end);
    if authority.is_empty() || !(path.is_empty() || path.starts_with('/')) {
        return Err(wrong());
    }
    let path = if path.is_empty() { "/" } else { path };
    Ok(Parts {
        secure,
        authority,
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_apart() {
        let found = parts("https://example.com:8443/a?b=1#c").unwrap();
        let expected = Parts {
            secure: true,
            authority: "example.com:8443",
            path: "/a?b=1",
        };
        assert_eq!(found, expected);
        assert_eq!(parts("http://example.com").unwrap().path, "/");
        for wrong in [
            "example.com",
            "ftp://a/",
            "https://",
            "https:///a",
            "http://a?b",
        ] {
            assert!(parts(wrong).is_err(), "{wrong}");
        }
    }
}
