//! How long a run takes to hear the first word of a model over a network, against a bare client of the
//! same libraries (reqwest and sse-stream) that sends the same bytes to the same server.
//!
//! The server is on this machine and answers at once, so what is measured is what the client adds. In
//! turns of the three, so that a noisy machine slows each:
//!
//! - *bare*: the request sent, and events read until one has words;
//! - *model*: a [`RemoteModel`] with a page of [`TURNS`] openings before it: the page made a
//!   conversation and a request, masks, limits;
//! - *run*: a whole new run up to its first word: the loop read, the page put together, what happened in
//!   a journal in memory, and the model as above, with a page of nothing but its top.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use doorlist::ambient::System;
use doorlist::driver::Unwatched;
use doorlist::gate::Gate;
use doorlist::journal::{MemoryJournal, RunKey};
use doorlist::loop_run::{FixedLoop, LoopHands, LoopRun};
use doorlist::models::remote::{Provider, RemoteLimits, RemoteSettings};
use doorlist::models::{Decision, Listener, Model, ModelError, RemoteModel};
use doorlist::sandbox::{Sandbox, Settings};
use futures_util::StreamExt as _;
use loop_spec::{Language, Page};
use serde_json::Value;
use sse_stream::SseByteStream;
use tokio_util::sync::CancellationToken;

/// Rounds of the three.
const ROUNDS: usize = 400;
/// Openings on the page.
const TURNS: u32 = 20;

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(contest());
}

async fn contest() {
    let server = Server::start();
    let mut model = server.model();
    let pasted: String = (1..=TURNS)
        .map(|n| format!("\n[{n} loop.txt 000000000000]\nmaths.double {{\"number\":{n}}}\n| {n}\n"))
        .collect();
    let gate = Gate::new(Sandbox::new(Settings::for_one_loop(None)).unwrap());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let page = Page::new("top\n", "line", &pasted, Language::En);
    let (mut bare, mut asked, mut run) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        let began = Instant::now();
        let mut ear = Ear::default();
        model.decide(1, &page, &mut ear).await.unwrap();
        let model_took = ear.since(began);
        let body = server.last_body();
        let bare_took = ask(&client, &server, body).await;
        let run_took = whole(&gate, &mut model).await;
        // The first opens the connections.
        if round > 0 {
            asked.push(model_took);
            bare.push(bare_took);
            run.push(run_took);
        }
    }
    let bare = median(bare);
    println!("to the first word, medians of {ROUNDS} rounds");
    for (what, took) in [
        ("bare client", bare),
        ("model", median(asked)),
        ("run", median(run)),
    ] {
        let ratio = took.as_secs_f64() / bare.as_secs_f64();
        println!("{what:<14}{took:>12.1?}{ratio:>8.2}x");
    }
}

fn median(mut took: Vec<Duration>) -> Duration {
    took.sort();
    took[took.len() / 2]
}

/// When the first word was heard.
#[derive(Clone, Default)]
struct Ear(Arc<Mutex<Option<Instant>>>);

impl Ear {
    fn since(&self, began: Instant) -> Duration {
        self.0.lock().unwrap().expect("it was heard") - began
    }
}

impl Listener for Ear {
    fn hear(&mut self, words: &str) {
        let mut first = self.0.lock().unwrap();
        if first.is_none() && !words.is_empty() {
            *first = Some(Instant::now());
        }
    }
}

/// A model that outlives the run, so that its connection does.
struct Lent<'a>(&'a mut RemoteModel);

#[async_trait::async_trait]
impl Model for Lent<'_> {
    fn name(&self) -> &str {
        self.0.name()
    }

    async fn decide(
        &mut self,
        put_back: u32,
        page: &Page<'_>,
        listener: &mut dyn Listener,
    ) -> Result<Decision, ModelError> {
        self.0.decide(put_back, page, listener).await
    }
}

/// By the bare client.
async fn ask(client: &reqwest::Client, server: &Server, body: Vec<u8>) -> Duration {
    let began = Instant::now();
    let request = client
        .post(format!("http://{}/v1/chat/completions", server.address))
        .header("content-type", "application/json")
        .body(body);
    let answer = request.send().await.unwrap();
    let mut events = SseByteStream::new(answer.bytes_stream());
    let mut took = None;
    while let Some(event) = events.next().await {
        let data = event.unwrap().data.unwrap_or_default();
        let has_words = || {
            let event: Value = serde_json::from_str(&data).ok()?;
            let words = event["choices"][0]["delta"]["content"].as_str()?;
            (!words.is_empty()).then_some(())
        };
        if took.is_none() && has_words().is_some() {
            took = Some(began.elapsed());
        }
    }
    took.expect("there were words")
}

/// A run of a loop with one door, which ends with its first answer.
async fn whole(gate: &Gate, model: &mut RemoteModel) -> Duration {
    let ear = Ear::default();
    let journal = MemoryJournal::new();
    let model = Box::new(Lent(model));
    let began = Instant::now();
    let source = FixedLoop::new("+++\nlist = []\n+++\nSay something.\n", []).unwrap();
    let hands = LoopHands::new(gate, Box::new(source), model, "Now.".to_owned())
        .heard_by(Box::new(ear.clone()));
    let mut run = LoopRun::new(&journal, &System, RunKey::local("1").unwrap(), hands);
    run.drive(&mut Unwatched, &CancellationToken::new())
        .await
        .unwrap();
    ear.since(began)
}

/// A provider of this machine that says the same to everybody, on connections that stay open.
struct Server {
    address: SocketAddr,
    last: Arc<Mutex<Vec<u8>>>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let last = Arc::<Mutex<Vec<u8>>>::default();
        let kept = Arc::clone(&last);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let kept = Arc::clone(&kept);
                std::thread::spawn(move || while_it_asks(stream.unwrap(), &kept));
            }
        });
        Self { address, last }
    }

    fn last_body(&self) -> Vec<u8> {
        self.last.lock().unwrap().clone()
    }

    fn model(&self) -> RemoteModel {
        RemoteModel::new(RemoteSettings {
            provider: Provider::OpenAi,
            model: "bench".to_owned(),
            endpoint: format!("http://{}/v1", self.address).parse().unwrap(),
            key: None,
            max_tokens: None,
            temperature: None,
            stream: true,
            limits: RemoteLimits::default(),
        })
        .unwrap()
    }
}

fn while_it_asks(mut stream: TcpStream, last: &Mutex<Vec<u8>>) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            (reader.read_line(&mut line).ok()? > 0).then_some(())?;
            let line = line.trim_end().to_ascii_lowercase();
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.parse().ok()?;
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        *last.lock().unwrap() = body;
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\
                    transfer-encoding: chunked\r\n\r\n";
        stream.write_all(head.as_bytes()).ok()?;
        for event in EVENTS {
            let event = format!("data: {event}\n\n");
            let chunk = format!("{:x}\r\n{event}\r\n", event.len());
            stream.write_all(chunk.as_bytes()).ok()?;
        }
        stream.write_all(b"0\r\n\r\n").ok()?;
    }
}

const EVENTS: [&str; 5] = [
    r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{"content":"There is"},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{"content":" enough of all."},"finish_reason":null}]}"#,
    r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
    "[DONE]",
];
