//! Calls `doorlist:host/http` itself.

use crate::Door;
use crate::doorlist::host::http::{Error, Request, send};
use crate::exports::test::prober::own_hosts::Guest;
use crate::hosts::read_headers;

impl Guest for Door {
    fn ask(method: String, url: String, headers: String, body: String) -> Result<String, String> {
        let answer = send(&Request {
            method,
            url,
            headers: read_headers(&headers).collect(),
            body: (!body.is_empty()).then(|| body.into_bytes()),
        });
        let answer = answer.map_err(|error| match error {
            Error::Refused(words) => format!("refused: {words}"),
            Error::Invalid(words) => format!("invalid: {words}"),
            Error::Failed(words) => format!("failed: {words}"),
        })?;
        let mut text = format!("{} {}\n", answer.status, answer.reason);
        for (name, value) in answer.headers {
            text.push_str(&format!("{name}: {value}\n"));
        }
        Ok(text + "\n" + &String::from_utf8_lossy(&answer.body))
    }
}
