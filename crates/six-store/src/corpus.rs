//! The signature of what a session start is made of, and what became of the starts.
//!
//! It moves only when the block ought to: with every correction that comes into force or leaves it, with the words of the
//! newest, with the newest decisions and dead ends, with the invariants. All of that is in the block's own hash, too, but this one is asked of
//! the tables by a way of its own, so that a block that goes on showing what was can be told. Open threads are left out: what
//! happens in them are records.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::Connection;
use six_core::health::{Arrival, BlockShown, RenderEvidence};
use six_core::ingest::StartTrace;
use six_core::record::UnixMs;
use six_core::text::sha256_hex;

use crate::error::Result;
use crate::open::Store;
use crate::table::{column, render, session};

/// Tells signatures of this kind. It changes with what is signed, so that no two kinds are compared.
const KIND: &str = "1:";

/// Corrections, the newest, of which the words are signed, too: an older one that is worded anew moves nothing.
const WORDED: usize = 20;

/// Blocks that are looked through: what has arrived of the ones before says nothing on today.
const LOOKED_THROUGH: usize = 50;

impl Store {
    /// What the last session starts showed, as of `now`: what a clock dated later says nothing.
    pub fn gather_render(&self, now: UnixMs) -> Result<RenderEvidence> {
        self.read(|conn| {
            let shown = render::newest_whole(conn, now, KIND, LOOKED_THROUGH)?;
            let arrival = arrival(conn, &shown)?;
            let mut whole: Vec<_> = Vec::new();
            for block in shown {
                let is_new = whole.iter().all(|known: &BlockShown| known.session != block.session);
                if is_new && whole.len() < RenderEvidence::COMPARED {
                    whole.push(block);
                }
            }
            Ok(RenderEvidence { whole, newest: render::newest(conn, now)?, arrival })
        })
    }
}

/// What became of the newest block of which that can be told.
///
/// It has not arrived where the model has answered, and the client writes down what hooks say at a start: it did so in this
/// session, or wrote a block of ours down in another one.
fn arrival(conn: &Connection, shown: &[BlockShown]) -> rusqlite::Result<Option<Arrival>> {
    // Who runs many sessions runs them with few clients.
    let mut clients: HashMap<(String, String), bool> = HashMap::new();
    for block in shown {
        let Some(trace) = session::trace_of(conn, &block.session, block.at)? else { continue };
        let arrived = match trace.start {
            StartTrace::Block => Some(true),
            _ if !trace.answered => None,
            StartTrace::Hooks => Some(false),
            StartTrace::Nothing => {
                let is_writer = match clients.entry((trace.client, trace.entrypoint)) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        let (client, entrypoint) = new.key();
                        let is_writer = session::writes_blocks(conn, client, entrypoint)?;
                        *new.insert(is_writer)
                    }
                };
                is_writer.then_some(false)
            }
        };
        if let Some(arrived) = arrived {
            return Ok(Some(Arrival { session: block.session.clone(), at: block.at, arrived }));
        }
    }
    Ok(None)
}

/// The signature, where a block shows `newest` decisions and dead ends.
pub(crate) fn signature(conn: &Connection, newest: usize) -> rusqlite::Result<String> {
    let mut signed = String::new();
    let mut sign = |parts: &[&str]| {
        for part in parts {
            signed.push_str(part);
            signed.push('\0');
        }
    };
    // The index alone gives the ids; a text costs a look at its row.
    let mut stmt = conn.prepare_cached(
        "SELECT id FROM record WHERE state = 'confirmed' AND kind = 'correction' ORDER BY created_unix_ms, id",
    )?;
    let mut rows = stmt.query([])?;
    while let Some(row) = rows.next()? {
        sign(&["correction", row.get_ref(0)?.as_str()?]);
    }
    let mut stmt = conn.prepare_cached(
        "SELECT title FROM record WHERE id IN (SELECT id FROM record WHERE state = 'confirmed' AND kind = 'correction' \
         ORDER BY created_unix_ms DESC, id LIMIT ?1) ORDER BY id",
    )?;
    let mut rows = stmt.query([column::int(WORDED)])?;
    while let Some(row) = rows.next()? {
        sign(&["worded", row.get_ref(0)?.as_str()?]);
    }
    // Of each kind by the index, and the texts of those alone.
    let mut stmt = conn.prepare_cached(
        "SELECT r.id, r.title, r.body FROM record r JOIN ( \
             SELECT id, created_unix_ms AS made FROM ( \
                 SELECT id, created_unix_ms FROM record WHERE state = 'confirmed' AND kind = 'decision' \
                 ORDER BY created_unix_ms DESC, id LIMIT ?1) \
             UNION ALL SELECT id, created_unix_ms FROM ( \
                 SELECT id, created_unix_ms FROM record WHERE state = 'confirmed' AND kind = 'dead_end' \
                 ORDER BY created_unix_ms DESC, id LIMIT ?1) \
             ORDER BY made DESC, id LIMIT ?1) n ON n.id = r.id ORDER BY r.id",
    )?;
    let mut rows = stmt.query([column::int(newest)])?;
    while let Some(row) = rows.next()? {
        sign(&["recent", row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?, row.get_ref(2)?.as_str()?]);
    }
    let mut stmt = conn.prepare_cached(
        "SELECT path, title FROM entry WHERE kind = 'memory' AND path > '' AND path GLOB '*invariant_*' ORDER BY path",
    )?;
    let mut rows = stmt.query([])?;
    while let Some(row) = rows.next()? {
        let file = row.get_ref(0)?.as_str()?.rsplit(['/', '\\']).next().unwrap_or_default();
        if file.starts_with("invariant_") {
            sign(&["invariant", file, row.get_ref(1)?.as_str()?]);
        }
    }
    Ok(format!("{KIND}{}", sha256_hex(signed)))
}

#[cfg(test)]
mod tests {
    use chrono::FixedOffset;
    use six_core::effect::Effect;
    use six_core::event::StartSource;
    use six_core::health::{BlockSize, HealthReport};
    use six_core::ingest::{Mode, SessionSeen, StartTrace};
    use six_core::record::{
        Boundary, Edge, Entry, EntryKind, Evidence, HookName, Record, RecordKind, RecordState, SessionId, Source,
    };
    use six_core::session::{CitedStates, Scene, StartView, render_start};

    use super::*;
    use crate::testkit::*;

    const SHOWN: usize = 2;

    fn later(ms: i64) -> UnixMs {
        UnixMs(NOW.0 + ms)
    }

    fn add(s: &Scratch, id: &str, kind: RecordKind, ms: i64) {
        let new = Record { created: later(ms), ..record(id, kind, RecordState::Confirmed, id, "") };
        s.store.add_record(&new, "operator").unwrap();
    }

    fn view(s: &Scratch) -> StartView {
        s.store.gather_start(&SessionId::new("s"), SHOWN, 2).unwrap()
    }

    /// The block's own hash, and the signature.
    fn both(s: &Scratch) -> (String, String) {
        let (view, cited) = (view(s), CitedStates::new());
        let corpus = view.corpus.clone();
        let scene = Scene {
            source: &StartSource::Startup,
            folder: "",
            health: &HealthReport::off(),
            offset: FixedOffset::east_opt(0).unwrap(),
            cited: &cited,
        };
        (render_start(scene, &Evidence::Seen(view)).hash, corpus)
    }

    fn write(s: &Scratch, sql: &str) {
        s.store.conn.execute_batch(sql).unwrap();
    }

    fn filled() -> Scratch {
        let s = Scratch::new();
        for (id, kind, ms) in [
            ("old", RecordKind::Decision, 1),
            ("d1", RecordKind::Decision, 2),
            ("e1", RecordKind::DeadEnd, 3),
            ("c1", RecordKind::Correction, 1),
        ] {
            add(&s, id, kind, ms);
        }
        let memory = entry(Source::Memory, EntryKind::Memory, "mem/invariant_a.md", "Money is cents");
        s.store.commit(&batch(Source::Memory, "mem/invariant_a.md", Mode::Replace, vec![memory])).unwrap();
        s
    }

    #[test]
    fn the_signature_moves_with_everything_that_the_block_shows_and_so_does_the_block() {
        let s = filled();
        let mut seen = vec![both(&s)];
        assert!(seen[0].1.starts_with(KIND));
        let is_new = |seen: &[(String, String)], now: &(String, String)| {
            seen.iter().all(|before| before.0 != now.0 && before.1 != now.1)
        };
        for change in [
            "UPDATE record SET title = 'other' WHERE id = 'd1'",
            "UPDATE record SET body = 'why' WHERE id = 'e1'",
            "UPDATE record SET title = 'other' WHERE id = 'c1'",
            "UPDATE record SET state = 'retired' WHERE id = 'd1'",
            "UPDATE record SET state = 'retired' WHERE id = 'c1'",
            "UPDATE entry SET title = 'Money is whole cents' WHERE kind = 'memory'",
            "UPDATE entry SET path = 'mem/notes.md' WHERE kind = 'memory'",
        ] {
            write(&s, change);
            let now = both(&s);
            assert!(is_new(&seen, &now), "{change}");
            seen.push(now);
        }
        add(&s, "d9", RecordKind::Decision, 9);
        assert!(is_new(&seen, &both(&s)), "a new decision");
    }

    #[test]
    fn the_signature_stays_with_what_the_block_does_not_show() {
        let s = filled();
        let before = view(&s).corpus;
        let said = vec![prompt("0b0e0000-0000-4000-8000-000000000001", "why retry?"), answer("a2", "jitter")];
        s.store.commit(&batch(Source::Transcript, "t.jsonl", Mode::Append, said)).unwrap();
        s.store.commit(&doc_batch("docs/invariant_b.md", "# A document")).unwrap();
        write(&s, "UPDATE record SET title = 'other', body = 'other' WHERE id = 'old'");
        write(&s, "UPDATE record SET validated_unix_ms = 7, served_unix_ms = 7, served_count = 7");
        let pending = record("p", RecordKind::Decision, RecordState::Pending, "p", "");
        s.store.add_record(&pending, "operator").unwrap();
        add(&s, "older", RecordKind::Decision, 0);
        assert_eq!(view(&s).corpus, before);
    }

    #[test]
    fn records_of_one_moment_are_chosen_as_they_are_shown() {
        let s = Scratch::new();
        for (id, kind) in [("x4", RecordKind::DeadEnd), ("x1", RecordKind::Decision), ("x3", RecordKind::Decision)] {
            add(&s, id, kind, 5);
        }
        let before = view(&s);
        let told: Vec<&str> = before.recent.iter().map(|one| one.id.as_str()).collect();
        assert_eq!(told, ["x1", "x3"]);
        write(&s, "UPDATE record SET title = 'other' WHERE id = 'x4'");
        assert_eq!(view(&s).corpus, before.corpus);
        write(&s, "UPDATE record SET title = 'other' WHERE id = 'x3'");
        assert_ne!(view(&s).corpus, before.corpus);
    }

    struct Block {
        session: &'static str,
        detail: &'static str,
        ms: i64,
        hash: &'static str,
        corpus: &'static str,
    }

    fn show(s: &Scratch, block: &Block) {
        let (session, at) = (SessionId::new(block.session), later(block.ms));
        let beat = heartbeat(&format!("e{}", block.ms), HookName::SessionStart);
        s.store.open_heartbeat(&beat).unwrap();
        let start = Boundary { session: session.clone(), edge: Edge::Start, detail: text(block.detail), at };
        let shown = Effect::Render {
            session,
            at,
            hash: block.hash.into(),
            corpus: block.corpus.into(),
            over: String::new(),
            units: 9,
            line: String::new(),
        };
        s.store.apply(&beat.id, &[Effect::Boundary(start), shown], at).unwrap();
    }

    fn startup(s: &Scratch, session: &'static str, ms: i64) {
        show(s, &Block { session, detail: "startup", ms, hash: "h", corpus: "1:c" });
    }

    #[test]
    fn the_newest_whole_blocks_of_three_sessions_are_compared() {
        let s = Scratch::new();
        assert_eq!(s.store.gather_render(NOW).unwrap(), RenderEvidence::default());
        let block = |session, detail, ms| Block { session, detail, ms, hash: "h", corpus: "1:c" };
        for shown in [
            block("s0", "startup", 0),
            block("s1", "unknown", 1),
            block("s2", "startup", 2),
            block("s2", "resume", 3),
            block("s2", "compact", 4),
            block("s3", "clear", 5),
            block("s3", "startup", 6),
            block("s4", "fork", 7),
            Block { hash: "", ..block("s5", "startup", 8) },
            Block { corpus: "", ..block("s6", "startup", 9) },
            Block { corpus: "0:older", ..block("s7", "startup", 10) },
            block("s8", "startup", 99),
        ] {
            show(&s, &shown);
        }
        let seen = s.store.gather_render(later(20)).unwrap();
        let whole: Vec<_> = seen.whole.iter().map(|one| (one.session.as_str(), one.at)).collect();
        assert_eq!(whole, [("s3", later(6)), ("s2", later(2)), ("s1", later(1))]);
        assert_eq!(seen.newest, Some(BlockSize { at: later(10), units: 9, over: String::new() }));
    }

    fn transcript(s: &Scratch, session: &str, client: &str, start: StartTrace, answered: Option<i64>) {
        let entries = answered.into_iter().map(|ms| Entry {
            session: Some(SessionId::new(session)),
            at: Some(later(ms)),
            ..answer(&format!("{session} {ms}"), "Done.")
        });
        let mut told = batch(Source::Transcript, session, Mode::Append, entries.collect());
        told.sessions = vec![SessionSeen {
            id: SessionId::new(session),
            first: None,
            last: None,
            client: client.into(),
            entrypoint: "cli".into(),
            prompts: 1,
            start,
        }];
        s.store.commit(&told).unwrap();
    }

    fn arrival(s: &Scratch) -> Option<(String, bool)> {
        let arrival = s.store.gather_render(later(100)).unwrap().arrival;
        arrival.map(|arrival| (arrival.session.to_string(), arrival.arrived))
    }

    #[test]
    fn a_block_is_missed_only_where_the_client_writes_such_things_down_and_the_model_has_answered() {
        let s = Scratch::new();
        startup(&s, "old client", 1);
        transcript(&s, "old client", "2.0.1", StartTrace::Nothing, Some(9));
        startup(&s, "unanswered", 2);
        transcript(&s, "unanswered", "2.1.332", StartTrace::Hooks, None);
        startup(&s, "no transcript", 3);
        assert_eq!(arrival(&s), None);

        transcript(&s, "unanswered", "2.1.332", StartTrace::Nothing, Some(9));
        assert_eq!(arrival(&s), Some(("unanswered".into(), false)), "what other hooks said is there");

        startup(&s, "good", 10);
        transcript(&s, "good", "2.1.332", StartTrace::Block, None);
        assert_eq!(arrival(&s), Some(("good".into(), true)), "the next one has it");

        startup(&s, "silent", 20);
        transcript(&s, "silent", "2.1.400", StartTrace::Nothing, Some(30));
        assert_eq!(arrival(&s), Some(("good".into(), true)), "of that version nothing is known");
        transcript(&s, "silent", "2.1.332", StartTrace::Nothing, None);
        assert_eq!(arrival(&s), Some(("silent".into(), false)), "the version that wrote it down in another session");
        transcript(&s, "silent", "2.1.332", StartTrace::Block, None);
        assert_eq!(arrival(&s), Some(("silent".into(), true)), "read at last");
    }

    #[test]
    fn an_answer_from_before_the_block_says_nothing() {
        let s = Scratch::new();
        startup(&s, "s1", 10);
        transcript(&s, "s1", "2.1.332", StartTrace::Hooks, Some(9));
        assert_eq!(arrival(&s), None);
    }

    #[test]
    fn records_that_are_set_back_are_no_news_twice() {
        let s = filled();
        let before = view(&s).corpus;
        s.store.set_state("d1", RecordState::Retired, "operator", NOW).unwrap();
        let between = view(&s).corpus;
        s.store.set_state("d1", RecordState::Confirmed, "operator", NOW).unwrap();
        assert_ne!(between, before);
        assert_eq!(view(&s).corpus, before);
    }
}
