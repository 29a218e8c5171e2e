//! A secret goes to the host that it is for, and a door never sees it.

use doorlist::grants::{GrantedSecret, Grants, Secret, Secrets};
use loop_spec::policy::SecretPlace;

use super::hosts::{hosts, send};
use super::prober::Prober;
use super::server::{Server, said};

pub(super) const TOKEN: &str = "tok/en+0123456789";

pub(super) fn header(server: &Server, name: &str) -> Grants {
    let put = SecretPlace::Header {
        name: name.to_owned(),
        prefix: "Bearer ".to_owned(),
    };
    with(server, put)
}

fn with(server: &Server, put: SecretPlace) -> Grants {
    let host = format!("http://{}", server.authority());
    let secret = GrantedSecret {
        origin: host.parse().unwrap(),
        put,
        value: Secret::new(TOKEN).unwrap(),
    };
    Grants {
        secrets: Secrets::new(vec![secret]),
        ..hosts(&[host])
    }
}

/// Answers with what it was asked, in a header too, cut into pieces of three bytes.
pub(super) async fn echo() -> Server {
    Server::new(|asked| {
        let in_header = asked.lines().find(|line| line.contains("tok"));
        let in_header = in_header.unwrap_or_default().trim();
        let head = format!("HTTP/1.1 200 OK\r\nx-asked: {in_header}\r\n\r\n");
        let mut pieces = vec![head.into_bytes()];
        pieces.extend(asked.as_bytes().chunks(3).map(<[u8]>::to_vec));
        pieces
    })
    .await
}

#[tokio::test]
async fn the_host_puts_it_in_and_hides_it_in_what_comes_back() {
    let server = echo().await;
    let at = server.authority();
    let prober = Prober::new(header(&server, "authorization"));
    let own = "authorization: Bearer mine\naccept-encoding: gzip\nrange: bytes=0-3";
    let answer = send(&prober, ["GET", "http", &at, "/", own, ""])
        .await
        .unwrap();
    let seen = server.seen().concat();
    assert!(
        seen.contains(&format!("authorization: Bearer {TOKEN}\r\n")),
        "{seen}"
    );
    for gone in ["mine", "accept-encoding", "range"] {
        assert!(!seen.contains(gone), "{seen}");
    }
    assert!(!answer.contains(TOKEN), "{answer}");
    let stars = "*".repeat(TOKEN.len());
    let hidden = format!("authorization: Bearer {stars}");
    assert_eq!(answer.matches(&hidden).count(), 2, "{answer}");
}

#[tokio::test]
async fn in_a_query_it_is_hidden_as_well() {
    let server = echo().await;
    let at = server.authority();
    let put = SecretPlace::Query {
        name: "key".to_owned(),
    };
    let prober = Prober::new(with(&server, put));
    for (path, whole) in [("/a?b=c", "/a?b=c&"), ("/a", "/a?"), ("?b", "/?b&")] {
        let answer = send(&prober, ["GET", "http", &at, path, "", ""]).await;
        let answer = answer.unwrap();
        let seen = server.seen().pop().unwrap();
        let line = format!("GET {whole}key=tok%2Fen%2B0123456789 HTTP/1.1\r\n");
        assert!(seen.starts_with(&line), "{seen}");
        assert!(!answer.contains("tok"), "{answer}");
        assert!(answer.contains(&format!("{whole}key=****")), "{answer}");
    }
}

#[tokio::test]
async fn no_other_host_gets_it_and_each_hides_it() {
    let (server, other) = (echo().await, Server::new(|_| vec![said(TOKEN)]).await);
    let mut grants = header(&server, "authorization");
    let host = format!("http://{}", other.authority());
    grants.hosts.push(host.parse().unwrap());
    let prober = Prober::new(grants);
    let at = other.authority();
    let answer = send(&prober, ["GET", "http", &at, "/", "", ""])
        .await
        .unwrap();
    let seen = other.seen().concat();
    assert!(
        !seen.contains("tok") && !seen.contains("authorization"),
        "{seen}"
    );
    // It knows it from elsewhere.
    assert!(answer.ends_with(&"*".repeat(TOKEN.len())), "{answer}");
}

#[tokio::test]
async fn an_answer_that_cannot_be_looked_through_is_refused() {
    let packed = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\n\r\n\x1f";
    let server = Server::new(move |_| vec![packed.into()]).await;
    let at = server.authority();
    let request = ["GET", "http", &at, "/", "", ""];
    let came = send(&Prober::new(header(&server, "x-key")), request).await;
    assert_eq!(came, Err("HttpResponseContentCoding".to_owned()));
    // Without a secret there is nothing to look for.
    let plain = Prober::new(hosts(&[format!("http://{at}")]));
    assert!(send(&plain, request).await.is_ok());
}

/// What a door knows from elsewhere, such as a file, is hidden on the way back to the model.
#[tokio::test]
async fn what_a_door_says_and_prints_is_looked_through() {
    let server = Server::saying("hello").await;
    let prober = Prober::new(header(&server, "x-key"));
    // The error tells the path that it was called with.
    let came = prober.open("read", &[TOKEN.into(), "a".into()]).await;
    let told = format!("{:?}", came.outcome);
    let stars = "*".repeat(TOKEN.len());
    assert!(told.contains(&format!("{stars} is not granted")), "{told}");
}
