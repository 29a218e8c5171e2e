//! A server on this machine for doors that send requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// Answers each connection's one request for as long as the test's process runs.
pub(crate) struct Server {
    pub(crate) origin: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// `answer` is given the request, its body included, and gives the whole answer.
    pub(crate) fn new(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                let request = read(&mut stream);
                // Who asked may have had enough before the end.
                let _ = stream.write_all(answer(&request).as_bytes());
                kept.lock().unwrap().push(request);
            }
        });
        Self { origin, seen }
    }

    /// What came since this was last asked.
    pub(crate) fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.seen.lock().unwrap())
    }
}

/// An answer with these lines for headers, each with its end.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n{body}")
}

fn read(stream: &mut TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut text = String::new();
    while !text.ends_with("\r\n\r\n") {
        if reader.read_line(&mut text).unwrap() == 0 {
            return text;
        }
    }
    let length = text
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    text + &String::from_utf8_lossy(&body)
}
