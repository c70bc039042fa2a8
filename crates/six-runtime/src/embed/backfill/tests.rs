use std::cell::Cell;
use std::sync::Mutex;

use six_core::health::{CheckName, CheckReport, EmbeddingOutcome, Fault, Judged, NoEmbedding, Verdict};
use six_core::ingest::{Batch, FileState, Mode};
use six_core::record::{Chunk, Entry, EntryKind, Origin, Source, UnixMs};
use six_core::search::QueryVector;
use six_core::text::{Redacted, Redactor};
use six_embed::ollama::OllamaError;
use six_embed::{EmbedError, Embedder};

use super::*;
use crate::embed::{NoProgress, Question};

const NOW: UnixMs = UnixMs(1_770_000_000_000);

/// A model of this test: every text has a vector of its own. It fails as the test wants it.
#[derive(Default)]
struct Words {
    name: &'static str,
    /// A text with this word can't be embedded.
    refuses: Mutex<Option<&'static str>>,
    /// So many texts are embedded before the server goes away.
    lives: Mutex<Option<usize>>,
    /// What it says of a text that it refuses; else that it is too long.
    says: Option<String>,
}

impl Embedder for Words {
    fn id(&self) -> &str {
        self.name
    }

    fn width(&self) -> usize {
        8
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        texts.iter().map(|text| self.one(text)).collect()
    }

    fn embed_query(&self, text: &str, _: usize) -> Result<Vec<f32>, EmbedError> {
        self.one(text)
    }
}

impl Words {
    fn one(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if let Some(left) = self.lives.lock().unwrap().as_mut() {
            if *left == 0 {
                let (endpoint, why) = (String::from("127.0.0.1:1"), String::from("connection refused"));
                return Err(OllamaError::Unreachable { endpoint, why }.into());
            }
            *left -= 1;
        }
        if self.refuses.lock().unwrap().is_some_and(|word| text.contains(word)) {
            if let Some(text) = self.says.clone() {
                return Err(OllamaError::Server { endpoint: String::from("127.0.0.1:1"), status: 500, text }.into());
            }
            return Err(OllamaError::Overflow { model: self.name.to_owned(), characters: 9, halvings: 5 }.into());
        }
        let value = |n: u32| {
            let mixed = text.bytes().fold(n, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(16_777_619));
            // Texts that end in another digit would be neighbours else.
            let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d);
            let mixed = (mixed ^ mixed >> 12).wrapping_mul(0x297a_2d39);
            f32::from(u8::try_from(mixed >> 24).unwrap_or(0)) / 512.0 - 0.25
        };
        let values: Vec<f32> = (1..9).map(|n: u32| value(n.wrapping_mul(2_654_435_761))).collect();
        Ok(values)
    }
}

struct World {
    dir: tempfile::TempDir,
    store: Store,
}

impl World {
    /// A project with documents of one line each.
    fn with_lines(lines: usize) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(&dir.path().join("memory.db"), NOW).unwrap();
        let world = Self { dir, store };
        world.add("a.md", &(0..lines).map(|n| format!("line number {n}")).collect::<Vec<_>>());
        world
    }

    fn add(&self, path: &str, lines: &[String]) {
        let text = lines.join("\n");
        let mut at = 0;
        let chunks = lines.iter().map(|line| {
            let range = at..at + line.len();
            at = range.end + 1;
            Chunk { range, lines: None, title: Redacted::literal("") }
        });
        let entry = Entry {
            key: path.to_owned(),
            source: Source::Doc,
            kind: EntryKind::Doc,
            origin: Origin::Operator,
            session: None,
            path: Some(redacted(path)),
            title: Redacted::literal(""),
            chunks: chunks.collect(),
            text: redacted(&text),
            at: Some(NOW),
            branch: None,
        };
        let file = FileState {
            source: Source::Doc,
            path_hash: path.to_owned(),
            path: redacted(path),
            size_bytes: 1,
            mtime_ns: 1,
            content_hash: String::new(),
            consumed_bytes: 1,
            consumed_lines: 1,
            fails: 0,
            last_error: Redacted::literal(""),
            tried: NOW,
            skipped: std::collections::BTreeMap::new(),
        };
        self.store
            .commit(&Batch {
                file,
                mode: Mode::Replace,
                entries: vec![entry],
                tree: None,
                sessions: Vec::new(),
                inventory: None,
                rules: None,
            })
            .unwrap();
    }

    fn run(&self, provider: &Provider, limit: Option<usize>, is_over: &dyn Fn() -> bool) -> Report {
        let options = Options {
            transcripts: EmbedTranscripts::Off,
            limit,
            threads: NonZeroUsize::new(2).unwrap(),
            is_over,
            when_held: WhenHeld::Skip,
        };
        backfill(self.dir.path(), &self.store, provider, &options, &mut NoProgress).unwrap()
    }

    fn fill(&self, provider: &Provider) -> Report {
        self.run(provider, None, &|| false)
    }
}

fn redacted(text: &str) -> Redacted {
    Redactor::new().redact(text)
}

fn words(name: &'static str) -> Words {
    Words { name, ..Words::default() }
}

fn provider(words: Words) -> Provider {
    Provider::of_test(Box::new(words))
}

/// How a run ended, what it embedded, what it passed over, how many have a vector.
fn told(report: &Report) -> (&Ended, u64, u64, u64) {
    (&report.ended, report.embedded, report.failed, report.coverage.embedded)
}

#[test]
fn every_text_gets_its_vector_and_a_second_run_has_nothing_to_do() {
    let world = World::with_lines(600);
    let provider = provider(words("a"));
    assert_eq!(told(&world.fill(&provider)), (&Ended::Finished, 600, 0, 600));
    assert_eq!(told(&world.fill(&provider)), (&Ended::Finished, 0, 0, 600));
}

#[test]
fn an_empty_store_has_nothing_to_embed() {
    let world = World::with_lines(0);
    assert_eq!(told(&world.fill(&provider(words("a")))), (&Ended::Finished, 0, 0, 0));
}

#[test]
fn a_run_that_is_stopped_loses_nothing_and_the_next_one_goes_on() {
    let world = World::with_lines(600);
    let provider = provider(words("a"));
    let asked = Cell::new(0);
    let stopped = world.run(&provider, None, &|| asked.replace(asked.get() + 1) > 300);
    assert_eq!(stopped.ended, Ended::Stopped);
    assert!((256..600).contains(&stopped.embedded), "{stopped:?}");
    assert_eq!(stopped.coverage.embedded, stopped.embedded);
    let rest = world.fill(&provider);
    assert_eq!(told(&rest), (&Ended::Finished, 600 - stopped.embedded, 0, 600));
}

#[test]
fn a_limit_is_kept_and_one_that_is_not_reached_is_none() {
    let world = World::with_lines(10);
    let provider = provider(words("a"));
    assert_eq!(told(&world.run(&provider, Some(4), &|| false)), (&Ended::Limit, 4, 0, 4));
    assert_eq!(told(&world.run(&provider, Some(6), &|| false)), (&Ended::Finished, 6, 0, 10));
}

#[test]
fn a_text_that_can_not_be_embedded_is_named_and_costs_no_other_its_vector() {
    let world = World::with_lines(300);
    let mut words = words("a");
    words.refuses = Mutex::new(Some("number 7"));
    let report = world.fill(&provider(words));
    assert_eq!(told(&report), (&Ended::Finished, 289, 11, 289), "7 and 70 to 79");
    assert_eq!(report.failures.len(), NAMED);
    assert!(report.failures.iter().all(|failure| failure.text.starts_with("line number 7")), "{report:?}");
    assert_eq!(told(&world.fill(&provider(self::words("a")))), (&Ended::Finished, 11, 0, 300), "tried again");
}

#[test]
fn a_provider_that_goes_away_ends_the_run_and_what_was_made_stays() {
    let world = World::with_lines(300);
    let mut words = words("a");
    words.lives = Mutex::new(Some(200));
    let report = world.fill(&provider(words));
    assert!(
        matches!(&report.ended, Ended::Failing(why) if why.to_string().contains("connection refused")),
        "{report:?}"
    );
    assert_eq!((report.failed, report.coverage.embedded), (0, report.embedded));
    assert!(report.embedded > 190, "{report:?}");
}

#[test]
fn another_model_makes_all_vectors_anew_and_until_then_they_are_counted_as_another_models() {
    let world = World::with_lines(5);
    world.fill(&provider(words("a")));
    let new = provider(words("b"));
    let half = world.run(&new, Some(2), &|| false);
    assert_eq!((half.coverage.embedded, half.coverage.other_model), (2, 3));
    let all = world.fill(&new);
    assert_eq!((all.coverage.embedded, all.coverage.other_model), (5, 0));
}

#[test]
fn a_run_leaves_the_store_to_the_one_that_is_at_it() {
    let world = World::with_lines(5);
    let _held = FileLock::acquire(&world.dir.path().join("embed.lock"), Duration::ZERO).unwrap();
    assert_eq!(world.fill(&provider(words("a"))).ended, Ended::Held);
}

/// What the check `vectors` sees.
#[expect(clippy::needless_pass_by_value, reason = "it is made for this one question")]
fn seen(world: &World, provider: Provider) -> six_core::health::VectorsEvidence {
    Question::ask_test(&world.store, &provider).gather_vectors(&world.store, NOW).unwrap()
}

#[test]
fn the_check_sees_one_text_come_back_by_its_meaning() {
    for lines in 0..3 {
        let world = World::with_lines(lines);
        assert_eq!(seen(&world, provider(words("a"))).probe, VectorProbe::NothingToFind);
        world.fill(&provider(words("a")));
        let found = if lines == 0 { VectorProbe::NothingToFind } else { VectorProbe::Found };
        let evidence = seen(&world, provider(words("a")));
        assert_eq!((evidence.probe, evidence.eligible, evidence.embedded), (found, lines as u64, lines as u64));
    }
}

#[test]
fn the_check_sees_that_a_provider_makes_nothing() {
    let world = World::with_lines(2);
    let mut gone = words("a");
    gone.lives = Mutex::new(Some(0));
    let answer = Question::ask_test(&world.store, &provider(gone));
    assert_eq!(answer.gather_vectors(&world.store, NOW).unwrap().probe, VectorProbe::NoQuery);
    let EmbeddingOutcome::Failed { why, said } = answer.gather_embedding().outcome else { panic!("a vector was made") };
    assert_eq!(why, NoEmbedding::Unreachable);
    assert!(said.contains("connection refused"), "{said}");
}

#[test]
fn a_start_embeds_one_text_for_both_checks_and_a_person_the_known_one_too() {
    let world = World::with_lines(2);
    world.fill(&provider(words("a")));
    let ask = |lives, is_thorough| {
        let mut counted = words("a");
        counted.lives = Mutex::new(Some(lives));
        Question::ask_test_embedded(&world.store, &provider(counted), is_thorough)
    };
    let start = ask(1, false);
    assert_eq!(start.gather_vectors(&world.store, NOW).unwrap().probe, VectorProbe::Found);
    assert!(matches!(start.gather_embedding().outcome, EmbeddingOutcome::Made { .. }));
    let person = ask(2, true);
    assert_eq!(person.gather_vectors(&world.store, NOW).unwrap().probe, VectorProbe::Found);
    let EmbeddingOutcome::Failed { why, .. } = person.gather_embedding().outcome else { panic!("it is another model") };
    assert_eq!(why, NoEmbedding::Broken, "a model that makes another vector of the known text");
}

/// Gives the first `wrong` texts one another's vectors; answers every body and its right vector.
fn mix_up(world: &World, right: &Provider, wrong: usize) -> Vec<(i64, QueryVector)> {
    let texts = world.store.unembedded(&provider(words("b")).model(), EmbedTranscripts::Off, NOW, None, 99).unwrap();
    let vectors: Vec<_> = texts.iter().map(|text| right.embed_document(&redacted(&text.text)).unwrap()).collect();
    let others = vectors.iter().take(wrong).cycle().skip(1).map(|vector| vector.values.clone());
    let mixed_up: Vec<_> =
        texts.iter().take(wrong).zip(others).map(|(text, values)| (text.body, text.hash, values)).collect();
    world.store.put_vectors(&right.model(), &mixed_up).unwrap();
    texts.iter().map(|text| text.body).zip(vectors).collect()
}

#[test]
fn a_key_in_what_a_provider_says_is_not_told() {
    let world = World::with_lines(2);
    world.fill(&provider(words("a")));
    let mut refusing = words("a");
    refusing.refuses = Mutex::new(Some("line"));
    refusing.says = Some(format!("use {}{}", "gh", "p_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"));
    let evidence = Question::ask_test(&world.store, &provider(refusing)).gather_embedding();
    let EmbeddingOutcome::Failed { said, .. } = evidence.outcome else { panic!("no vector can be made") };
    assert!(said.contains("use [redacted:github-token]"), "{said}");
}

#[test]
fn all_vectors_are_made_anew_when_health_saw_a_wrong_one_however_few_are_wrong() {
    for wrong in [2, 20] {
        let world = World::with_lines(40);
        let right = provider(words("a"));
        world.fill(&right);
        let all = mix_up(&world, &right, wrong);
        let are_right = || all.iter().filter(|(body, own)| world.store.finds_by_vector(*body, own).unwrap()).count();
        assert_eq!(are_right(), 40 - wrong);
        let seen = Verdict::red(Fault::VectorsUnfound, "a text is not found by its meaning", "six embed --backfill");
        let said = CheckReport { name: CheckName::Vectors, verdict: seen };
        let said = Judged::of(&said, &Redactor::new(), None);
        world.store.note_health(clock::now(), &[said]).unwrap();
        let report = world.fill(&right);
        assert_eq!((report.discarded, report.embedded, are_right()), (40, 40, 40));
    }
}

#[test]
fn vectors_that_do_not_belong_to_their_texts_are_found_out_and_made_anew() {
    let world = World::with_lines(40);
    let right = provider(words("a"));
    world.fill(&right);
    mix_up(&world, &right, 40);
    let report = world.fill(&right);
    assert_eq!((report.discarded, report.embedded, report.coverage.embedded), (40, 40, 40));
}
