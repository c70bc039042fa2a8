//! Waiting for what a process does, with an end.

use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use crate::ran::LIMIT;
use crate::scratch::Scratch;

/// Between two looks, so that the process has the machine.
const POLL: Duration = Duration::from_millis(2);

/// Waits until something is seen of a process that runs. Fails the test when that ends before, or when nothing is seen for as
/// long as anything of a test may take.
pub fn wait_until(child: &mut Child, what: &str, seen: impl Fn() -> bool) {
    let until = Instant::now() + LIMIT;
    while !seen() {
        let ended = child.try_wait().expect("a child can be asked");
        if let Some(status) = ended.filter(|_| !seen()) {
            panic!("it ended ({status}) before {what}");
        }
        if Instant::now() > until {
            // It would go on for as long as the machine does.
            let _ = child.kill().and_then(|()| child.wait());
            panic!("nothing was seen for {LIMIT:?} of: {what}");
        }
        thread::sleep(POLL);
    }
}

impl Scratch {
    /// Does what a worker does. One that a hook started may be at it, and is waited for.
    pub fn work(&self) {
        let until = Instant::now() + LIMIT;
        while self.six(&["worker", "--json"]).ok().json()["left_to_another"] == true {
            assert!(Instant::now() < until, "another worker is at it for {LIMIT:?}");
            thread::sleep(POLL);
        }
    }
}
