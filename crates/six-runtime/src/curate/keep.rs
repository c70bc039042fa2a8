//! Keeps house among candidates: what says the same becomes one, what nobody says again expires. For the worker, which has
//! the vectors and the time.

use std::collections::{BTreeMap, BTreeSet};

use six_core::curate::{Likeness, SAME_SENSE};
use six_core::record::{Origin, Record, RecordId, RecordKind, RecordState, UnixMs};
use six_store::{Store, StoreError};

use crate::embed::Provider;

/// Days after which a candidate that was not said again is no longer shown for triage.
const PENDING_DAYS: i64 = 30;

/// Candidates that are compared in one run, the newest: a few milliseconds each where words allow that it repeats
/// another. Triage has long been overdue where more wait.
const MOST_COMPARED: usize = 200;

/// What became of candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kept {
    /// They are evidence of others now.
    pub merged: u64,
    /// They say what was refused before.
    pub rejected: u64,
}

/// Ends what has waited for triage for too long. Answers how much.
pub fn expire_stale(store: &Store, now: UnixMs) -> Result<u64, StoreError> {
    let oldest = UnixMs(now.0.saturating_sub(PENDING_DAYS * UnixMs::DAY_MS));
    store.expire_unseen(oldest, &format!("{PENDING_DAYS} days without further evidence"), now)
}

/// Makes candidates that nobody has had a hand in evidence of the records that say the same in other words, and refuses
/// those that say what was refused. A text that the provider does not read stays as it is.
pub fn merge_near(
    store: &Store,
    provider: &Provider,
    is_over: &dyn Fn() -> bool,
    now: UnixMs,
) -> Result<Kept, StoreError> {
    let candidates = store.untouched_candidates(MOST_COMPARED)?;
    if candidates.is_empty() {
        return Ok(Kept::default());
    }
    let states = [RecordState::Confirmed, RecordState::Rejected, RecordState::Pending];
    let mut standing: Vec<(Record, Likeness)> = store
        .records(None, &states)?
        .into_iter()
        .filter(|record| record.kind != RecordKind::Cheatsheet)
        .map(|record| {
            let likeness = Likeness::of_text(record.title.as_str());
            (record, likeness)
        })
        .collect();
    let mut unseen = BTreeSet::new();
    for (record, _) in standing.iter().filter(|(record, _)| record.state == RecordState::Rejected) {
        if store.is_refused_unseen(&record.id)? {
            unseen.insert(record.id.clone());
        }
    }
    standing.retain(|(record, _)| !unseen.contains(&record.id));
    let mut vectors = Vectors { provider, made: BTreeMap::new() };
    let mut kept = Kept::default();
    for candidate in &candidates {
        if is_over() {
            break;
        }
        let Some(other) = nearest(candidate, &standing, &mut vectors) else { continue };
        let (id, is_rejected) = (other.id.clone(), other.state == RecordState::Rejected);
        let gone = if is_rejected {
            store.reject_candidate(&candidate.id, &id, &format!("says the same as {id}, which was rejected"), now)?
        } else {
            store.merge_candidate(&candidate.id, &id, &format!("says the same as {id}"), now)?
        };
        if gone {
            kept.rejected += u64::from(is_rejected);
            kept.merged += u64::from(!is_rejected);
            standing.retain(|(record, _)| record.id != candidate.id);
        }
    }
    Ok(kept)
}

/// The record that a candidate repeats, the nearest if there are several.
fn nearest<'s>(
    candidate: &Record,
    standing: &'s [(Record, Likeness)],
    vectors: &mut Vectors<'_>,
) -> Option<&'s Record> {
    let said = Likeness::of_text(candidate.title.as_str());
    let mut best: Option<(f64, &Record)> = None;
    for (other, likeness) in standing {
        if !may_say_what(other.kind, candidate.kind) || !outranks(other, candidate) || !said.may_be_same(likeness) {
            continue;
        }
        let Some(cosine) = vectors.cosine(candidate, other) else { continue };
        if cosine >= SAME_SENSE && best.is_none_or(|(nearest, _)| cosine > nearest) {
            best = Some((cosine, other));
        }
    }
    best.map(|(_, record)| record)
}

/// What is decided may be told as a rule and the other way round. The title of a dead end names what failed as if it were
/// so.
fn may_say_what(one: RecordKind, other: RecordKind) -> bool {
    (one == RecordKind::DeadEnd) == (other == RecordKind::DeadEnd)
}

/// Which of two records stays: what was judged, then what a person said, then what was said first.
fn outranks(one: &Record, candidate: &Record) -> bool {
    let rank = |record: &Record| {
        (record.state == RecordState::Pending, record.origin != Origin::Operator, record.created, record.id.clone())
    };
    rank(one) < rank(candidate)
}

/// The vectors of titles, made when they are first asked for.
struct Vectors<'p> {
    provider: &'p Provider,
    made: BTreeMap<RecordId, Option<Vec<i8>>>,
}

impl Vectors<'_> {
    /// `None` where one of the two has no vector.
    fn cosine(&mut self, one: &Record, other: &Record) -> Option<f64> {
        let one = self.of(one)?;
        let other = self.of(other)?;
        Some(dot(&one, &other) / (dot(&one, &one) * dot(&other, &other)).sqrt())
    }

    fn of(&mut self, record: &Record) -> Option<Vec<i8>> {
        if !self.made.contains_key(&record.id) {
            let reads = self.provider.reads(&record.title);
            // What can't be embedded is compared by its words alone, which extraction has done.
            let made = reads.then(|| self.provider.embed_document(&record.title).ok()).flatten();
            self.made.insert(record.id.clone(), made.map(|made| made.values));
        }
        self.made.get(&record.id)?.clone()
    }
}

fn dot(a: &[i8], b: &[i8]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use six_core::curate::Extracted;
    use six_core::record::SessionId;
    use six_core::text::{Redacted, Redactor};
    use six_store::Reading;

    use super::*;

    const NOW: UnixMs = UnixMs(1_770_000_000_000);

    fn record(id: &str, kind: RecordKind, title: &str) -> Record {
        let redact = |text: &str| Redactor::new().redact(text);
        Record {
            id: RecordId::new(id),
            kind,
            state: RecordState::Pending,
            origin: Origin::Agent,
            title: redact(title),
            body: redact(""),
            quote: redact(title),
            rejected: Vec::new(),
            revive_if: redact(""),
            scope: redact(""),
            thread: None,
            superseded_by: None,
            session: Some(SessionId::new("s1")),
            turn: Some(format!("turn of {id}")),
            anchors: Vec::new(),
            created: NOW,
            validated: NOW,
            evidence: redact(""),
            commits: Vec::new(),
            source_path: None,
            written_by: redact(""),
        }
    }

    fn stored(records: Vec<Record>) -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::create(&dir.path().join("memory.db"), NOW).unwrap();
        let extracted = Extracted { candidates: records, ..Extracted::default() };
        let reading = Reading { after: 0, through: 1 };
        store.apply_extraction(&SessionId::new("s1"), reading, &extracted, 1, NOW).unwrap().unwrap();
        (dir, store)
    }

    fn states(store: &Store) -> Vec<(String, RecordState)> {
        let mut records = store.records(None, &RecordState::ALL).unwrap();
        records.sort_by(|a, b| a.id.cmp(&b.id));
        records.into_iter().map(|record| (record.id.to_string(), record.state)).collect()
    }

    fn merged(store: &Store) -> Kept {
        merge_near(store, &Provider::embedded().unwrap(), &|| false, NOW).unwrap()
    }

    #[test]
    fn the_same_in_other_words_becomes_one_candidate_and_the_persons_words_stay() {
        let said = Record {
            origin: Origin::Operator,
            created: UnixMs(NOW.0 + 5),
            ..record("b", RecordKind::Decision, "The cache is keyed by tenant and locale")
        };
        let (_dir, store) = stored(vec![
            record("a", RecordKind::Decision, "Cache keys consist of tenant and locale"),
            said,
            record("c", RecordKind::DeadEnd, "Cache keys consist of tenant and locale"),
            record("d", RecordKind::Decision, "Amounts are stored as integer cents"),
        ]);
        assert_eq!(merged(&store), Kept { merged: 1, rejected: 0 });
        let expected = [("a", RecordState::Expired), ("b", RecordState::Pending)]
            .into_iter()
            .chain([("c", RecordState::Pending), ("d", RecordState::Pending)])
            .map(|(id, state)| (id.to_owned(), state))
            .collect::<Vec<_>>();
        assert_eq!(states(&store), expected);
        assert_eq!(merged(&store), Kept::default());
    }

    #[test]
    fn what_was_refused_stays_refused_in_other_words() {
        let (_dir, store) = stored(vec![
            record("a", RecordKind::Correction, "Always run the linter before committing"),
            record("b", RecordKind::Correction, "The linter has to run before every commit"),
            record("c", RecordKind::Correction, "Never run the linter before committing"),
        ]);
        store
            .judge_records(
                &[RecordId::new("a")],
                RecordState::Rejected,
                Origin::Operator,
                &Redacted::default(),
                None,
                NOW,
            )
            .unwrap();
        assert_eq!(merged(&store), Kept { merged: 0, rejected: 1 });
        let left = store.records(None, &[RecordState::Pending]).unwrap();
        assert_eq!(left.iter().map(|record| record.id.as_str()).collect::<Vec<_>>(), ["c"]);
    }

    #[test]
    fn three_that_say_the_same_end_as_one_whatever_the_order() {
        let same = [
            "Dates are stored as UTC milliseconds",
            "We store all dates in UTC milliseconds",
            "All our dates are stored in UTC milliseconds",
        ];
        for turned in 0..3 {
            let records = (0..3).map(|n| {
                let id = ["a", "b", "c"][n];
                record(id, RecordKind::Decision, same[(n + turned) % 3])
            });
            let (_dir, store) = stored(records.collect());
            assert_eq!(merged(&store).merged, 2);
            assert_eq!(store.records(None, &[RecordState::Pending]).unwrap().len(), 1);
        }
    }

    #[test]
    fn a_candidate_expires_after_thirty_days() {
        let (_dir, store) = stored(vec![record("a", RecordKind::Decision, "Dates are stored as UTC milliseconds")]);
        let after = |days: i64| UnixMs(NOW.0 + days * UnixMs::DAY_MS);
        assert_eq!((expire_stale(&store, after(30)).unwrap(), expire_stale(&store, after(31)).unwrap()), (0, 1));
    }
}
