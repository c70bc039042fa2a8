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
            let made =
                self.embedder.embed(&[text]).map(|vectors| (*index, vectors.into_iter().next().unwrap_or_default()));
            if sender.send(made).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Path;
    use std::sync::Mutex;

    /// Gives each text its length, and fails or dies at a text that says so.
    #[derive(Default)]
    struct Lengths {
        seen: Mutex<Vec<usize>>,
    }

    impl Embedder for Lengths {
        fn id(&self) -> &'static str {
            "lengths"
        }

        fn width(&self) -> usize {
            1
        }

        fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
            assert!(!texts.contains(&"die"), "as the test wants it");
            if texts.contains(&"fail") {
                return Err(EmbedError::PathMissing(Path::Vnni));
            }
            self.seen.lock().expect("no thread died").extend(texts.iter().map(|text| text.len()));
            Ok(texts.iter().map(|text| vec![f32::from(u8::try_from(text.len()).unwrap_or(0))]).collect())
        }

        fn embed_query(&self, text: &str, _: usize) -> Result<Vec<f32>, EmbedError> {
            self.embed(&[text]).map(|vectors| vectors.concat())
        }
    }

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).expect("at least one")
    }

    #[test]
    fn every_text_gets_its_own_vector() {
        let texts: Vec<String> = (0..100).map(|length| "x".repeat(length)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut vectors = vec![None; texts.len()];
        let delivered = embed_each(&Lengths::default(), &texts, threads(3), |index, vector| {
            vectors[index] = Some(vector[0]);
            ControlFlow::Continue(())
        });
        assert_eq!(delivered, Ok(Delivered::All));
        assert_eq!(vectors, (0_u8..100).map(|length| Some(f32::from(length))).collect::<Vec<_>>());
    }

    #[test]
    fn the_longest_comes_first() {
        let lengths = Lengths::default();
        let delivered = embed_each(&lengths, &["xx", "", "xxxx", "xxx"], threads(1), |_, _| ControlFlow::Continue(()));
        assert_eq!(delivered, Ok(Delivered::All));
        assert_eq!(*lengths.seen.lock().expect("no thread died"), [4, 3, 2, 0]);
    }

    #[test]
    fn a_break_ends_the_deliveries() {
        let mut count = 0;
        let delivered = embed_each(&Lengths::default(), &["x"; 1000], threads(2), |_, _| {
            count += 1;
            if count == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((delivered, count), (Ok(Delivered::Stopped), 5));
    }

    #[test]
    fn no_texts_are_all_delivered() {
        let delivered = embed_each(&Lengths::default(), &[], threads(8), |_, _| ControlFlow::Continue(()));
        assert_eq!(delivered, Ok(Delivered::All));
    }

    #[test]
    fn a_failure_and_a_death_are_told() {
        let run = |texts: &[&str]| embed_each(&Lengths::default(), texts, threads(2), |_, _| ControlFlow::Continue(()));
        assert_eq!(run(&["a", "fail", "b"]), Err(EmbedError::PathMissing(Path::Vnni)));
        assert_eq!(run(&["a", "die", "b"]), Err(EmbedError::ThreadDied));
    }
}
