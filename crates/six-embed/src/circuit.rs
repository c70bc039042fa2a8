//! One failure per process.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::embedder::EmbedError;

/// What a process remembers of a provider that failed, so that it waits for it once and not at every call. There is no
/// half-open state: processes are short, and the next one tries afresh.
///
/// One for each process: `static CIRCUIT: Circuit = Circuit::new();`.
#[derive(Debug, Default)]
pub struct Circuit {
    /// The failure after which nothing is tried.
    opened_by: OnceLock<EmbedError>,
    /// The failure that is to be reported.
    first: OnceLock<EmbedError>,
    is_taken: AtomicBool,
}

impl Circuit {
    /// A circuit that is closed: calls go through.
    pub const fn new() -> Self {
        Self { opened_by: OnceLock::new(), first: OnceLock::new(), is_taken: AtomicBool::new(false) }
    }

    /// Does `work`, unless an earlier call has failed; a failure opens the circuit. One that lies in a single text does
    /// not: it says nothing about the next one, and costs no waiting.
    pub fn run<T>(&self, work: impl FnOnce() -> Result<T, EmbedError>) -> Result<T, EmbedError> {
        if let Some(error) = self.opened_by.get() {
            return Err(EmbedError::CircuitOpen { first: error.to_string() });
        }
        work().inspect_err(|error| {
            // Whoever comes second changes nothing.
            let _ = self.first.set(error.clone());
            if !error.is_of_one_text() {
                let _ = self.opened_by.set(error.clone());
            }
        })
    }

    /// The first failure of the process, for the one who asks first: a process reports one degradation.
    pub fn take_first(&self) -> Option<EmbedError> {
        let first = self.first.get()?;
        (!self.is_taken.swap(true, Ordering::Relaxed)).then(|| first.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ollama::{Flaw, OllamaError};
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    fn silent() -> EmbedError {
        OllamaError::Unreachable { endpoint: "127.0.0.1:1".to_owned(), why: "connection refused".to_owned() }.into()
    }

    fn not_a_number() -> EmbedError {
        OllamaError::BadAnswer { endpoint: "127.0.0.1:1".to_owned(), flaw: Flaw::NotFinite }.into()
    }

    #[test]
    fn after_a_failure_nothing_is_tried() {
        let circuit = Circuit::new();
        assert_eq!(circuit.run(|| Ok(1)), Ok(1));
        assert_eq!(circuit.run::<()>(|| Err(silent())), Err(silent()));
        let again = circuit.run::<()>(|| panic!("tried again"));
        assert_eq!(again, Err(EmbedError::CircuitOpen { first: silent().to_string() }));
    }

    #[test]
    fn the_first_failure_is_reported_once() {
        let circuit = Circuit::new();
        assert_eq!(circuit.take_first(), None);
        let _ = circuit.run::<()>(|| Err(silent()));
        let _ = circuit.run::<()>(|| Err(EmbedError::ThreadDied));
        assert_eq!(circuit.take_first(), Some(silent()));
        assert_eq!(circuit.take_first(), None);
    }

    #[test]
    fn a_text_without_a_vector_leaves_the_others_theirs_and_is_reported() {
        let circuit = Circuit::new();
        assert_eq!(circuit.run::<()>(|| Err(not_a_number())), Err(not_a_number()));
        assert_eq!(circuit.run(|| Ok(1)), Ok(1));
        assert_eq!(circuit.take_first(), Some(not_a_number()));
    }

    #[test]
    fn many_threads_report_one_failure() {
        let (circuit, reports) = (Circuit::new(), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let _ = circuit.run::<()>(|| Err(silent()));
                    reports.fetch_add(usize::from(circuit.take_first().is_some()), Ordering::Relaxed);
                });
            }
        });
        assert_eq!(reports.into_inner(), 1);
    }
}
