//! A `doorlist` at a real terminal: what a person would see on its screen, and what they type.

use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};

use crate::command::Doorlist;

/// A pseudo-terminal with a process in front.
pub(super) struct Screen {
    child: Child,
    keys: Arc<Pty>,
    shown: Arc<Shown>,
}

struct Shown {
    parser: Mutex<vt100::Parser>,
    news: Condvar,
}

impl Screen {
    pub(super) fn with(call: Doorlist) -> Self {
        Self::typed_before(call, "")
    }

    /// `keys` are typed before the process is there.
    pub(super) fn typed_before(call: Doorlist, keys: &str) -> Self {
        Self::of(call.env("TERM", "xterm-256color"), keys)
    }

    /// A terminal that cannot move its cursor.
    pub(super) fn dumb(call: Doorlist) -> Self {
        Self::of(call.env("TERM", "dumb"), "")
    }

    fn of(call: Doorlist, keys: &str) -> Self {
        let (pty, pts) = open().expect("this machine has pseudo-terminals");
        pty.resize(Size::new(ROWS, COLUMNS)).expect("it has a size");
        (&pty).write_all(keys.as_bytes()).expect("it takes keys");
        let child = Command::from(call.into_command())
            .spawn(pts)
            .expect("the binary starts");
        let keys = Arc::new(pty);
        let [rows, columns] =
            [ROWS, COLUMNS].map(|size| NonZero::new(size).expect("there is room"));
        let shown = Arc::new(Shown {
            parser: Mutex::new(vt100::Parser::new(rows, columns, 0)),
            news: Condvar::new(),
        });
        let (from, to) = (Arc::clone(&keys), Arc::clone(&shown));
        std::thread::spawn(move || {
            let mut bytes = [0; 4_096];
            // At the end of the process its side is closed, which is an error of this one.
            while let Ok(read @ 1..) = (&*from).read(&mut bytes) {
                to.parser.lock().unwrap().process(&bytes[..read]);
                to.news.notify_all();
            }
        });
        Self { child, keys, shown }
    }

    pub(super) fn press(&self, keys: &str) {
        (&*self.keys).write_all(keys.as_bytes()).expect("it reads");
    }

    /// Waits until the screen shows `mark`; what else it shows then.
    #[track_caller]
    pub(super) fn until(&self, mark: &str) -> String {
        self.until_times(1, mark)
    }

    /// Waits until it shows `mark` so many times.
    #[track_caller]
    pub(super) fn until_times(&self, times: usize, mark: &str) -> String {
        let deadline = Instant::now() + PATIENCE;
        let mut parser = self.shown.parser.lock().unwrap();
        loop {
            let contents = parser.screen().contents();
            if contents.matches(mark).count() >= times {
                return contents;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "no {mark:?} on the screen:\n{contents}");
            (parser, _) = self.shown.news.wait_timeout(parser, left).unwrap();
        }
    }

    /// Its exit code.
    pub(super) fn ended(mut self) -> Option<i32> {
        self.child.wait().expect("it can be waited for").code()
    }
}

/// Ctrl-C, as a keyboard sends it.
pub(super) const CTRL_C: &str = "\x03";

const ROWS: u16 = 40;
const COLUMNS: u16 = 100;
/// A terminal that shows nothing for so long fails its test; nothing is measured.
const PATIENCE: Duration = Duration::from_secs(60);
