//! Many texts on many cores.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use crate::embedder::{EmbedError, Embedder};

/// How a run ended that nothing broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delivered {
    /// Every text has its vector.
    All,
    /// The receiver asked to stop.
    Stopped,
}

/// Embeds `texts` on `threads` threads and gives each vector to `deliver`, with the index of its text, as soon as it is
/// there; a break stops the run before the next text of each thread.
///
/// The longest texts come first, so that no thread is left with a long one when the others have nothing more to do.
/// `deliver` runs on the calling thread, one vector after the other.
pub fn embed_each(
    embedder: &dyn Embedder,
    texts: &[&str],
    threads: NonZeroUsize,
    mut deliver: impl FnMut(usize, Vec<f32>) -> ControlFlow<()>,
) -> Result<Delivered, EmbedError> {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|index| Reverse(texts.get(*index).map_or(0, |text| text.len())));
    let work = Work { embedder, texts, order, taken: AtomicUsize::new(0), is_stopped: AtomicBool::new(false) };
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get().min(texts.len()))
            .map(|_| {
                let (work, sender) = (&work, sender.clone());
                scope.spawn(move || work.run(&sender))
            })
            .collect();
        drop(sender);
        let delivered = receive(&receiver, &mut deliver);
        work.is_stopped.store(true, Ordering::Relaxed);
        drop(receiver);
        let died = workers.into_iter().map(thread::ScopedJoinHandle::join).filter(Result::is_err).count();
        if died > 0 { Err(EmbedError::ThreadDied) } else { delivered }
    })
}

type Made = Result<(usize, Vec<f32>), EmbedError>;

fn receive(
    made: &mpsc::Receiver<Made>,
    deliver: &mut impl FnMut(usize, Vec<f32>) -> ControlFlow<()>,
) -> Result<Delivered, EmbedError> {
    for made in made {
        let (index, vector) = made?;
        if deliver(index, vector).is_break() {
            return Ok(Delivered::Stopped);
        }
    }
    Ok(Delivered::All)
}

/// What the threads share.
struct Work<'a> {
    embedder: &'a dyn Embedder,
    texts: &'a [&'a str],
    /// Indices of the texts, the longest first.
    order: Vec<usize>,
    /// Places in `order` that a thread has taken.
    taken: AtomicUsize,
    is_stopped: AtomicBool,
}

impl Work<'_> {
    /// Takes one text after the other, until none is left or nobody wants the vectors.
    fn run(&self, sender: &mpsc::Sender<Made>) {
        while !self.is_stopped.load(Ordering::Relaxed) {
            let Some(index) = self.order.get(self.taken.fetch_add(1, Ordering::Relaxed)) else { return };
            let Some(text) = self.texts.get(*index) else { return };
            let made = self.embedder.embed(&[text]).map(|vectors| (*index, vectors.into_iter().next().unwrap_or_default()));
            if sender.send(made).is_err() {
                return;
            }
        }
    }
}
