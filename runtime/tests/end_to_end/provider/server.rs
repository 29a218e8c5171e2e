//! A provider of this machine: it answers with recorded answers, and keeps what it was asked.

use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::layout::repository;

/// Answers each request with the next answer. Gone at the end of the test.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    seen: Mutex<Vec<Asked>>,
    answers: Mutex<VecDeque<Answer>>,
    /// Connections whose other end went away while they waited for an answer.
    left: Mutex<usize>,
}

/// A request.
#[derive(Clone)]
pub(crate) struct Asked {
    /// The request line and the headers.
    pub(crate) head: String,
    pub(crate) body: serde_json::Value,
}

/// What comes for a request.
#[derive(Clone)]
pub(crate) enum Answer {
    /// These bytes, so many at once.
    Bytes(Vec<u8>, usize),
    /// Nothing, ever.
    Silence,
    /// These bytes, and then nothing, ever.
    BeginningOf(Vec<u8>),
}

impl Server {
    /// Answers with these recorded answers, in this order.
    pub(crate) fn of<const N: usize>(fixtures: [&str; N]) -> Self {
        Self::with(fixtures.map(|name| Answer::Bytes(recorded(name), usize::MAX)))
    }

    pub(crate) fn with(answers: impl IntoIterator<Item = Answer>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("this machine has ports");
        let address = listener.local_addr().expect("it is bound");
        let shared = Arc::new(Shared::default());
        shared.answers.lock().unwrap().extend(answers);
        let of_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let shared = Arc::clone(&of_thread);
                // The test has ended, and this call was made to tell.
                if Arc::strong_count(&shared) <= 2 {
                    return;
                }
                std::thread::spawn(move || stream.map(|stream| talk(stream, &shared)));
            }
        });
        Self { address, shared }
    }

    /// What is given as the endpoint.
    pub(crate) fn endpoint(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// All that it was asked.
    pub(crate) fn seen(&self) -> Vec<Asked> {
        self.shared.seen.lock().unwrap().clone()
    }

    /// How many of those it kept waiting have gone.
    pub(crate) fn left(&self) -> usize {
        *self.shared.left.lock().unwrap()
    }

    /// Fails when an answer was not fetched.
    #[track_caller]
    pub(crate) fn is_used_up(&self) {
        let left = self.shared.answers.lock().unwrap().len();
        assert_eq!(left, 0, "answers were not asked for");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let address = self.address;
        self.shared = Arc::default();
        // Wakes the listener, which sees that it is alone.
        drop(TcpStream::connect(address));
    }
}

fn talk(mut stream: TcpStream, shared: &Shared) -> Option<()> {
    let asked = read(&mut stream)?;
    shared.seen.lock().unwrap().push(asked);
    let answer = shared.answers.lock().unwrap().pop_front();
    match answer {
        Some(Answer::Bytes(bytes, at_once)) => {
            for piece in bytes.chunks(at_once.min(bytes.len()).max(1)) {
                stream.write_all(piece).ok()?;
                stream.flush().ok()?;
            }
        }
        Some(Answer::BeginningOf(bytes)) => {
            stream.write_all(&bytes).ok()?;
            wait_for_the_end(&mut stream, shared);
        }
        Some(Answer::Silence) => wait_for_the_end(&mut stream, shared),
        // 418, which nothing asks again after.
        None => stream.write_all(b"HTTP/1.1 418 Used Up\r\n\r\n").ok()?,
    }
    let _ = stream.shutdown(std::net::Shutdown::Write);
    // Closing with something unread would take back what was written.
    let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
    let _ = stream.read_to_end(&mut Vec::new());
    Some(())
}

fn wait_for_the_end(stream: &mut TcpStream, shared: &Shared) {
    let _ = stream.read(&mut [0]);
    *shared.left.lock().unwrap() += 1;
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let (mut bytes, mut buffer) = (Vec::new(), [0; 8192]);
    loop {
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                name.eq_ignore_ascii_case("content-length")
                    .then(|| value.parse().ok())?
            });
            if body.len() >= length.unwrap_or(0_usize) {
                let head = head.to_owned();
                let body = serde_json::from_str(body).ok()?;
                return Some(Asked { head, body });
            }
        }
        let read = stream.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&buffer[..read]);
    }
}

/// A recorded answer, as it goes over the wire: lines of its head end in CRLF there.
pub(crate) fn recorded(name: &str) -> Vec<u8> {
    let file = repository().join(format!("runtime/tests/fixtures/provider/{name}.http"));
    let bytes = std::fs::read(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let end = bytes
        .windows(2)
        .position(|two| two == b"\n\n")
        .expect("a head");
    let head = String::from_utf8(bytes[..end].to_vec()).expect("a head is text");
    let mut wire = format!("{}\r\n\r\n", head.replace('\n', "\r\n")).into_bytes();
    wire.extend_from_slice(&bytes[end + 2..]);
    wire
}

/// An answer of the test's own.
pub(crate) fn said(status: &str, content_type: &str, body: &str) -> Answer {
    let head = format!("HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\n\r\n");
    Answer::Bytes((head + body).into_bytes(), usize::MAX)
}
