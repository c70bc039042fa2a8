//! A local model words what waits for triage and tells the stories of threads, where that is switched on.
//!
//! Nothing hangs on it: what it writes is marked as its own, stands beside what it was written from, and changes no state.
//! What it is asked went through the redactor, and so does what it answers.

use six_core::config::Config;
use six_core::curate::{Ask, Prose, accept_prose, accept_wording, ask_prose, ask_wording, wording_terms};
use six_core::record::{Record, ThreadId};
use six_core::text::{Redacted, Redactor};
use six_embed::ollama::{OllamaError, OllamaSettings, Writer};
use six_embed::{Circuit, EmbedError};
use six_store::{Lineage, Store, StoreError};

use crate::clock;

/// Steps from which on a story says more than its one decision.
const LEAST_STEPS: u64 = 2;
/// Candidates and stories of one run: with a slow model some minutes, and the next worker goes on.
const MOST_CANDIDATES: usize = 40;
const MOST_STORIES: usize = 20;

/// What this process remembers of a server that failed: it waits for it once.
static CIRCUIT: Circuit = Circuit::new();

/// What a model wrote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Synthesized {
    /// Candidates with new words.
    pub worded: u64,
    /// Threads with a new story.
    pub told: u64,
    /// Why it wrote nothing more; empty when nothing was in the way.
    pub failure: String,
}

/// Forgets stale stories and, where the configuration says so, lets the model word candidates and tell stories until it
/// has done so, it fails, or `is_over`. A failure ends the step and nothing else.
pub(crate) fn synthesize(
    store: &Store,
    config: &Config,
    is_over: &dyn Fn() -> bool,
) -> Result<Synthesized, StoreError> {
    with_scribe(store, config, is_over, |scribe, written| {
        if scribe.word_candidates(written)? {
            store.forget_stale_prose()?;
            scribe.tell_stories(written)?;
        }
        Ok(())
    })
}

/// Forgets stale stories and, where a model is configured, has them told anew: that of one thread even if it is not stale,
/// or all that are missing.
pub fn refresh(store: &Store, config: &Config, thread: Option<&ThreadId>) -> Result<Synthesized, StoreError> {
    with_scribe(store, config, &|| false, |scribe, written| match thread {
        Some(id) => scribe.tell(id, written).map(drop),
        None => scribe.tell_stories(written),
    })
}

fn with_scribe(
    store: &Store,
    config: &Config,
    is_over: &dyn Fn() -> bool,
    step: impl FnOnce(&Scribe<'_>, &mut Synthesized) -> Result<(), StoreError>,
) -> Result<Synthesized, StoreError> {
    store.forget_stale_prose()?;
    let mut written = Synthesized::default();
    if !config.capture.synthesis {
        return Ok(written);
    }
    match Writer::of(&settings(config)) {
        Err(why) => written.failure = why.to_string(),
        Ok(writer) => {
            let model = Redactor::new().redact(writer.model());
            let write =
                |ask: &Ask| CIRCUIT.run(|| writer.write(ask.rules, ask.notes.as_str()).map_err(EmbedError::from));
            step(&Scribe { store, model, write: &write, is_over }, &mut written)?;
        }
    }
    Ok(written)
}

/// Whether the configured server and model can be meant. Asks nobody.
pub fn judge_writer(config: &Config) -> Result<(), OllamaError> {
    settings(config).check()
}

fn settings(config: &Config) -> OllamaSettings {
    let server = &config.embed.ollama;
    OllamaSettings {
        endpoint: server.endpoint.clone(),
        allow_remote: server.allow_remote,
        ..OllamaSettings::new(&config.capture.model)
    }
}

/// A model with what it writes for.
struct Scribe<'a> {
    store: &'a Store,
    model: Redacted,
    write: &'a dyn Fn(&Ask) -> Result<String, EmbedError>,
    is_over: &'a dyn Fn() -> bool,
}

/// What came of asking.
enum Answer<T> {
    /// Words to keep.
    Taken(T),
    /// Words that are of no use, and why: the same question gets the same answer.
    Refused(String),
    /// None, and the next question gets none either.
    Failed(EmbedError),
}

impl Scribe<'_> {
    /// Answers whether the model can go on.
    fn word_candidates(&self, written: &mut Synthesized) -> Result<bool, StoreError> {
        for record in self.store.unworded(MOST_CANDIDATES)? {
            if (self.is_over)() {
                return Ok(false);
            }
            if !self.word(&record, written)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn word(&self, record: &Record, written: &mut Synthesized) -> Result<bool, StoreError> {
        let terms = wording_terms(record.quote.as_str());
        let frequencies = self.store.gather_frequencies(&terms.iter().map(String::as_str).collect())?;
        let accept = |answer: &str| accept_wording(record, answer, &frequencies).map_err(|why| why.to_string());
        match self.ask(&ask_wording(record), accept) {
            Answer::Taken(wording) => {
                let is_worded = self.store.reword(record, &wording, self.model.as_str(), clock::now())?;
                written.worded += u64::from(is_worded);
            }
            Answer::Refused(why) => {
                self.store.note_wording_refused(record, self.model.as_str(), &why, clock::now())?;
            }
            Answer::Failed(why) => {
                written.failure = why.to_string();
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tell_stories(&self, written: &mut Synthesized) -> Result<(), StoreError> {
        for id in self.store.untold_threads(self.model.as_str(), LEAST_STEPS, MOST_STORIES)? {
            if (self.is_over)() || !self.tell(&id, written)? {
                break;
            }
        }
        Ok(())
    }

    /// Answers whether the model can go on.
    fn tell(&self, id: &ThreadId, written: &mut Synthesized) -> Result<bool, StoreError> {
        let Some(Lineage { thread, story, key }) = self.store.lineage(id)? else { return Ok(true) };
        if story.records.is_empty() {
            return Ok(true);
        }
        let accept = |answer: &str| accept_prose(&story, answer).map_err(|why| why.to_string());
        let text = match self.ask(&ask_prose(&story, clock::local_offset()), accept) {
            Answer::Taken(text) => text,
            Answer::Refused(_) => Redacted::default(),
            Answer::Failed(why) => {
                written.failure = why.to_string();
                return Ok(false);
            }
        };
        let prose = Prose { text, model: self.model.clone(), at: clock::now() };
        let is_kept = self.store.put_prose(&thread.id, &key, &prose)?;
        written.told += u64::from(is_kept && !prose.text.is_empty());
        Ok(true)
    }

    fn ask<T>(&self, ask: &Ask, accept: impl FnOnce(&str) -> Result<T, String>) -> Answer<T> {
        match (self.write)(ask) {
            Ok(answer) => accept(&answer).map_or_else(Answer::Refused, Answer::Taken),
            Err(why) if why.is_of_one_text() => Answer::Refused(why.to_string()),
            Err(why) => Answer::Failed(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use six_core::record::{Origin, RecordId, RecordKind, RecordState, Thread, UnixMs};
    use six_embed::ollama::Flaw;
    use tempfile::TempDir;

    use super::*;

    struct Desk {
        store: Store,
        asked: RefCell<Vec<Ask>>,
        _folder: TempDir,
    }

    fn text(text: &str) -> Redacted {
        Redactor::new().redact(text)
    }

    fn record(id: &str, state: RecordState, title: &str, quote: &str) -> Record {
        Record {
            id: RecordId::new(id),
            kind: RecordKind::Decision,
            state,
            origin: Origin::Agent,
            title: text(title),
            body: Redacted::default(),
            quote: text(quote),
            rejected: Vec::new(),
            revive_if: Redacted::default(),
            scope: Redacted::default(),
            thread: Some(ThreadId::new("t1")).filter(|_| state != RecordState::Pending),
            superseded_by: None,
            session: None,
            turn: None,
            anchors: Vec::new(),
            created: UnixMs(1_767_312_000_000),
            validated: UnixMs(1_767_312_000_000),
            evidence: Redacted::default(),
            commits: Vec::new(),
            source_path: None,
            written_by: Redacted::default(),
        }
    }

    /// A thread of two decisions, and two candidates.
    fn desk() -> Desk {
        let folder = TempDir::new().unwrap();
        let store = Store::create(&folder.path().join("memory.db"), UnixMs(0)).unwrap();
        let thread = Thread {
            id: ThreadId::new("t1"),
            name: text("Job queue"),
            summary: text(""),
            open: true,
            created: UnixMs(0),
            merged_into: None,
        };
        store.add_thread(&thread).unwrap();
        for new in [
            record("r1", RecordState::Superseded, "Queue in Redis", ""),
            record("r2", RecordState::Confirmed, "Queue in Postgres", ""),
            record("c1", RecordState::Pending, "ok lets do mahogany then", "ok lets do mahogany then, it floats"),
            record("c2", RecordState::Pending, "we go with walnut", "so we go with walnut"),
        ] {
            store.add_record(&new, "extraction").unwrap();
        }
        Desk { store, asked: RefCell::default(), _folder: folder }
    }

    fn failure() -> EmbedError {
        OllamaError::Unreachable { endpoint: "127.0.0.1:1".to_owned(), why: "connection refused".to_owned() }.into()
    }

    fn empty() -> EmbedError {
        OllamaError::BadAnswer { endpoint: "127.0.0.1:1".to_owned(), flaw: Flaw::NoText }.into()
    }

    impl Desk {
        fn run(&self, answer: impl Fn(&str) -> Result<String, EmbedError>, is_over: &dyn Fn() -> bool) -> Synthesized {
            let write = |ask: &Ask| {
                self.asked.borrow_mut().push(ask.clone());
                answer(ask.notes.as_str())
            };
            let scribe = Scribe { store: &self.store, model: text("made-up:3b"), write: &write, is_over };
            let mut written = Synthesized::default();
            if scribe.word_candidates(&mut written).unwrap() {
                scribe.tell_stories(&mut written).unwrap();
            }
            written
        }

        fn prose(&self) -> Option<String> {
            let lineage = self.store.lineage(&ThreadId::new("t1")).unwrap().unwrap();
            lineage.story.prose.map(|prose| prose.text.to_string())
        }

        fn title(&self, id: &str) -> String {
            self.store.record(id).unwrap().title.to_string()
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "it stands where a model may fail")]
    fn well(notes: &str) -> Result<String, EmbedError> {
        Ok(if notes.contains("mahogany") {
            "Title: Build of mahogany\nWhy: It floats."
        } else if notes.contains("walnut") {
            "Title: Build of oak\nWhy: none"
        } else {
            "The queue moved from Redis to Postgres."
        }
        .to_owned())
    }

    #[test]
    fn candidates_are_worded_and_stories_told_and_what_has_lost_its_words_stays_as_it_was() {
        let desk = desk();
        let written = desk.run(well, &|| false);
        assert_eq!(written, Synthesized { worded: 1, told: 1, failure: String::new() });
        assert_eq!((desk.title("c1").as_str(), desk.title("c2").as_str()), ("Build of mahogany", "we go with walnut"));
        assert_eq!(desk.store.record("c1").unwrap().state, RecordState::Pending);
        assert_eq!(desk.prose().as_deref(), Some("The queue moved from Redis to Postgres."));
        assert_eq!(desk.asked.borrow().len(), 3);
        assert_eq!(desk.run(well, &|| false), Synthesized::default());
        assert_eq!(desk.asked.borrow().len(), 3, "nothing is asked twice");
    }

    #[test]
    fn the_first_failure_ends_it_and_leaves_everything_for_the_next_worker() {
        let desk = desk();
        let written = desk.run(|_| Err(failure()), &|| false);
        assert_eq!(written, Synthesized { failure: failure().to_string(), ..Synthesized::default() });
        assert_eq!(desk.asked.borrow().len(), 1);
        assert_eq!(desk.run(well, &|| false).told, 1);
    }

    #[test]
    fn an_empty_answer_costs_only_what_it_was_asked_about() {
        let desk = desk();
        let answer = |notes: &str| if notes.contains("mahogany") { Err(empty()) } else { well(notes) };
        assert_eq!(desk.run(answer, &|| false), Synthesized { told: 1, ..Synthesized::default() });
        assert_eq!(desk.title("c1"), "ok lets do mahogany then");
        assert_eq!(desk.run(well, &|| false).worded, 0, "it is not asked again");
    }

    #[test]
    fn a_story_of_no_use_is_not_shown_and_not_asked_for_again() {
        let desk = desk();
        let answer = |_: &str| Ok("I am sorry, I can't.".to_owned());
        assert_eq!((desk.run(answer, &|| false).told, desk.prose()), (0, None));
        let asked = desk.asked.borrow().len();
        let _ = desk.run(answer, &|| false);
        assert_eq!(desk.asked.borrow().len(), asked);
    }

    #[test]
    fn whoever_waits_for_the_worker_waits_for_one_answer_at_most() {
        let desk = desk();
        let _ = desk.run(well, &|| !desk.asked.borrow().is_empty());
        assert_eq!(desk.asked.borrow().len(), 1);
    }
}
