//! What the hook before a tool asks: the records that warn of what a call touches.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use rusqlite::Connection;
use six_core::inject::{Candidates, TouchedQuery, idf, tool_key};
use six_core::record::{EntryKind, SessionId};
use six_core::text::Redacted;

use crate::error::Result;
use crate::evidence::candidate;
use crate::open::Store;
use crate::table::{anchor, body_fts, delivery, entry, meta, record, term};

impl Store {
    /// Confirmed records of the wanted kinds: first those that cite the changed file, then those that share a rare term or
    /// a program with the call, most matches first. The frequencies are those of the whole index, of all terms. How often
    /// an item was delivered is how often this session was told it before a tool.
    pub fn gather_touched(&self, query: &TouchedQuery, session: &SessionId) -> Result<Candidates> {
        self.read(|conn| {
            let corpus = meta::counter(conn, meta::BODIES)?;
            let programs: BTreeSet<&String> = query.programs.iter().collect();
            let terms: BTreeSet<&String> = query.terms.iter().chain(&query.programs).collect();
            let mut df = BTreeMap::new();
            let mut telling: Vec<&String> = Vec::new();
            for term in terms {
                let count = term::df(conn, term)?;
                df.insert(term.clone(), count);
                let weight = idf(count, corpus);
                let brings_in = corpus < query.small_corpus || weight >= query.rare_idf || programs.contains(term);
                if count > 0 && brings_in {
                    telling.push(term);
                }
            }
            let mut wanted = citing(conn, query.path.as_ref())?;
            wanted.retain(|(kind, _)| query.kinds.contains(kind));
            for found in most_matching(conn, query, matches(conn, &telling, &df, corpus, query.limit)?)? {
                if !wanted.contains(&found) {
                    wanted.push(found);
                }
            }
            wanted.truncate(query.limit);
            let mut items = Vec::new();
            for (kind, key) in wanted {
                if let Some(mut found) = candidate(conn, kind, &key, session)? {
                    found.delivered = delivery::count(conn, session, &tool_key(&found.item))?;
                    items.push(found);
                }
            }
            Ok(Candidates { corpus, df, items, ..Candidates::default() })
        })
    }
}

/// The records that hold any of the terms. Only where they are too many it is looked up which hold most of them.
fn matches(
    conn: &Connection,
    terms: &[&String],
    df: &BTreeMap<String, u64>,
    corpus: u64,
    limit: usize,
) -> Result<HashMap<i64, Matches>> {
    let bodies = body_fts::records_with_any(conn, terms)?;
    if bodies.len() <= limit {
        return Ok(bodies.into_iter().map(|body| (body, Matches::default())).collect());
    }
    let mut matches: HashMap<i64, Matches> = HashMap::new();
    for term in terms {
        let weight = idf(df.get(*term).copied().unwrap_or_default(), corpus);
        for body in body_fts::records_with(conn, term)? {
            matches.entry(body).or_default().add(weight);
        }
    }
    Ok(matches)
}

/// The terms that a body shares with a call.
#[derive(Debug, Clone, Copy, Default)]
struct Matches {
    count: u32,
    /// Of their inverse document frequencies.
    sum: f64,
}

impl Matches {
    fn add(&mut self, idf: f64) {
        self.count += 1;
        self.sum += idf;
    }
}

/// The wanted number of items in a stable order: most matches first, among equals those with the rarer ones.
fn most_matching(
    conn: &Connection,
    query: &TouchedQuery,
    matches: HashMap<i64, Matches>,
) -> Result<Vec<(EntryKind, String)>> {
    let mut bodies: Vec<(i64, Matches)> = matches.into_iter().collect();
    bodies.sort_by(|(a, ma), (b, mb)| mb.count.cmp(&ma.count).then(mb.sum.total_cmp(&ma.sum)).then(a.cmp(b)));
    let mut items = Vec::new();
    for (body, _) in bodies {
        items.extend(entry::records_of_body(conn, body)?.into_iter().filter(|(kind, _)| query.kinds.contains(kind)));
        if items.len() >= query.limit {
            break;
        }
    }
    Ok(items)
}

fn citing(conn: &Connection, path: Option<&Redacted>) -> Result<Vec<(EntryKind, String)>> {
    let Some(path) = path else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for id in anchor::records_at(conn, path)? {
        if let Some(record) = record::one(conn, &id)? {
            found.push((record.kind.entry_kind(), id.to_string()));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use six_core::effect::Effect;
    use six_core::record::{Anchor, HookName, ItemId, RecordKind, RecordState};

    use super::*;
    use crate::testkit::*;

    fn ask(terms: &[&str], programs: &[&str], path: Option<&'static str>) -> TouchedQuery {
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        TouchedQuery {
            terms: own(terms),
            programs: own(programs),
            path: path.map(Redacted::literal),
            kinds: vec![EntryKind::DeadEnd, EntryKind::Correction],
            limit: 5,
            rare_idf: 3.0,
            small_corpus: 50,
        }
    }

    fn titles(store: &Store, query: &TouchedQuery) -> Vec<String> {
        let found = store.gather_touched(query, &SessionId::new("s1")).unwrap();
        found.items.into_iter().map(|item| item.title).collect()
    }

    fn filled() -> Scratch {
        let s = Scratch::new();
        let lines: Vec<String> = (0..60).map(|n| format!("npm line{n}")).collect();
        s.store.commit(&doc_batch("a.md", &lines.join("\n"))).unwrap();
        s
    }

    #[test]
    fn only_confirmed_dead_ends_and_corrections_warn() {
        let s = Scratch::new();
        for state in RecordState::ALL {
            let title = format!("outbox {}", state.as_str());
            s.store.add_record(&record(state.as_str(), RecordKind::DeadEnd, state, &title, ""), "x").unwrap();
        }
        s.store
            .add_record(&record("d", RecordKind::Decision, RecordState::Confirmed, "outbox decided", ""), "x")
            .unwrap();
        s.store
            .add_record(&record("c", RecordKind::Correction, RecordState::Confirmed, "outbox rule", ""), "x")
            .unwrap();
        assert_eq!(titles(&s.store, &ask(&["outbox"], &[], None)), ["outbox confirmed", "outbox rule"]);
    }

    #[test]
    fn a_program_brings_in_what_names_it_however_common_it_is() {
        let s = filled();
        s.store
            .add_record(&record("r", RecordKind::Correction, RecordState::Confirmed, "use pnpm, not npm", ""), "x")
            .unwrap();
        assert_eq!(titles(&s.store, &ask(&["npm"], &[], None)).len(), 0, "as a word it is common");
        assert_eq!(titles(&s.store, &ask(&["npm"], &["npm"], None)), ["use pnpm, not npm"]);
    }

    #[test]
    fn what_cites_the_file_comes_first_and_what_cites_another_does_not_come() {
        let s = filled();
        for (id, path) in [("r1", "src/a.rs"), ("r2", "src/b.rs")] {
            let mut new = record(id, RecordKind::DeadEnd, RecordState::Confirmed, id, "");
            new.anchors = vec![Anchor::of_path(text(path))];
            s.store.add_record(&new, "x").unwrap();
        }
        s.store.add_record(&record("r3", RecordKind::DeadEnd, RecordState::Confirmed, "backoff", ""), "x").unwrap();
        assert_eq!(titles(&s.store, &ask(&["backoff"], &[], Some("src/b.rs"))), ["r2", "backoff"]);
        s.store.set_state("r2", RecordState::Retired, "x", NOW).unwrap();
        assert_eq!(titles(&s.store, &ask(&[], &[], Some("src/b.rs"))).len(), 0);
    }

    #[test]
    fn where_too_many_match_those_that_share_most_come() {
        let s = filled();
        for n in 0..30 {
            let title = format!("queue number{n}");
            s.store
                .add_record(&record(&format!("r{n}"), RecordKind::DeadEnd, RecordState::Confirmed, &title, ""), "x")
                .unwrap();
        }
        let query = TouchedQuery { rare_idf: 0.0, ..ask(&["queue", "number27"], &[], None) };
        let found = titles(&s.store, &query);
        assert_eq!((found.len(), found[0].as_str()), (5, "queue number27"));
    }

    #[test]
    fn what_was_told_before_a_tool_is_counted_apart_from_what_was_told_on_a_prompt() {
        let s = Scratch::new();
        s.store.add_record(&record("r1", RecordKind::DeadEnd, RecordState::Confirmed, "outbox", ""), "x").unwrap();
        let delivered = || {
            let found = s.store.gather_touched(&ask(&["outbox"], &[], None), &SessionId::new("s1")).unwrap();
            found.items[0].delivered
        };
        let tell = |event: &str, item: ItemId| {
            let beat = heartbeat(event, HookName::PreToolUse);
            s.store.open_heartbeat(&beat).unwrap();
            let effect = Effect::Deliver { session: SessionId::new("s1"), items: vec![item], at: NOW };
            s.store.apply(&beat.id, &[effect], NOW).unwrap();
        };
        tell("e1", ItemId::new("dead_end:r1"));
        assert_eq!(delivered(), 0);
        tell("e2", tool_key(&ItemId::new("dead_end:r1")));
        assert_eq!(delivered(), 1);
    }
}
