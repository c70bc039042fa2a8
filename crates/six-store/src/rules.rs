//! Corrections that stand in memory files, kept in step with them: words that nobody has reviewed are never in force, and
//! a person's word holds as long as the file says the same.

use rusqlite::Connection;
use six_core::ingest::rule_source;
use six_core::record::{Author, Record, RecordState, UnixMs};
use six_core::text::Redacted;

use crate::error::Result;
use crate::records::{change, insert};
use crate::table::{record, record_history};

/// Why a rule that its file states in other words waits again.
pub(crate) const EDITED: &str = "the file was edited";
const GONE: &str = "the file is gone";
const NO_RULE: &str = "the file states no rule any more";
const REFUSED: &str = "a person has refused these words before";
const BACK: &str = "the file says the same again";

/// Why a file states nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Without {
    /// It is not there.
    File,
    /// It is there.
    Rule,
}

/// Puts what the memory file at `path` states in the place of what it stated before.
pub(crate) fn replace_rules(conn: &Connection, path: &Redacted, stated: &[Record], at: UnixMs) -> Result<()> {
    retire_others(conn, path, stated, Without::Rule, at)?;
    for new in stated {
        match record::one(conn, &new.id)? {
            None => enter(conn, new, at)?,
            Some(old) if old.quote == new.quote => take_back_retirement(conn, &old, at)?,
            Some(old) => reopen(conn, &old, new, at)?,
        }
    }
    Ok(())
}

/// A rule that a person has refused in another file, or had from elsewhere, stays refused.
fn enter(conn: &Connection, new: &Record, at: UnixMs) -> Result<()> {
    insert(conn, new, &Author::Agent)?;
    if is_refused(conn, new)? {
        note(conn, new, &Record { state: RecordState::Rejected, ..new.clone() }, REFUSED, at)?;
    }
    Ok(())
}

fn is_refused(conn: &Connection, new: &Record) -> Result<bool> {
    let said = folded(new);
    for known in record::in_state(conn, Some(new.kind), RecordState::Rejected)? {
        if folded(&known) == said {
            let steps = record_history::of_record(conn, &known.id)?;
            let last = steps.iter().rev().find(|step| step.from != Some(step.to));
            if last.is_some_and(|step| step.author == Author::Operator) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Its words without case, blanks and marks.
fn folded(record: &Record) -> String {
    let said = [record.title.as_str(), record.body.as_str()].concat();
    said.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Retires what the memory file at `path` stated, which is proven to be gone.
pub(crate) fn remove_rules(conn: &Connection, path: &Redacted, at: UnixMs) -> Result<()> {
    retire_others(conn, path, &[], Without::File, at)
}

/// What a person has refused, and what is over anyway, stays as it is.
fn retire_others(conn: &Connection, path: &Redacted, stated: &[Record], why: Without, at: UnixMs) -> Result<()> {
    let known = record::of_source(conn, &rule_source(path))?;
    for gone in known.iter().filter(|known| stated.iter().all(|new| new.id != known.id)) {
        if matches!(gone.state, RecordState::Pending | RecordState::Confirmed) {
            let reason = if why == Without::File { GONE } else { NO_RULE };
            note(conn, gone, &Record { state: RecordState::Retired, ..gone.clone() }, reason, at)?;
        }
    }
    Ok(())
}

/// A file that comes back with the same words (a folder that was not mounted, a project that was moved) has the state that
/// it had: what a person said of these words holds.
fn take_back_retirement(conn: &Connection, old: &Record, at: UnixMs) -> Result<()> {
    let Some(last) = record_history::of_record(conn, &old.id)?.pop() else { return Ok(()) };
    match last.from {
        Some(before) if old.state == RecordState::Retired && [GONE, NO_RULE].contains(&last.reason.as_str()) => {
            note(conn, old, &Record { state: before, ..old.clone() }, BACK, at)
        }
        _ => Ok(()),
    }
}

/// Other words are another claim: nobody has reviewed it, and nothing has replaced it.
fn reopen(conn: &Connection, old: &Record, new: &Record, at: UnixMs) -> Result<()> {
    let reworded = Record {
        state: new.state,
        origin: new.origin,
        title: new.title.clone(),
        body: new.body.clone(),
        quote: new.quote.clone(),
        written_by: new.written_by.clone(),
        superseded_by: None,
        created: new.created,
        validated: new.validated,
        ..old.clone()
    };
    note(conn, old, &reworded, EDITED, at)
}

/// The model writes these files: whatever becomes of a record by them, a person has not said.
fn note(conn: &Connection, old: &Record, new: &Record, reason: &'static str, at: UnixMs) -> Result<()> {
    change(conn, old, new, &Author::Agent, &Redacted::literal(reason), None, at)
}

#[cfg(test)]
mod tests {
    use six_core::ingest::{Batch, DocumentFile, Mode, parse_rule};
    use six_core::record::{Origin, RecordKind, Source};
    use six_core::text::Redactor;

    use super::*;
    use crate::testkit::*;

    const FILE: &str = "/m/feedback_pnpm.md";
    const PNPM: &str = "Use pnpm.\n\nThe lockfile is pnpm's.";

    fn later(ms: i64) -> UnixMs {
        UnixMs(NOW.0 + ms)
    }

    fn stated(path: &str, said: &str, now: UnixMs) -> Record {
        let file = DocumentFile { path, path_hash: "0f", source: Source::Memory, at: None, bytes: said.as_bytes() };
        parse_rule(&file, now, Redactor::new()).unwrap()
    }

    /// The file is read and says this, or nothing that is a rule.
    fn read(s: &Scratch, path: &str, said: Option<&str>, ms: i64) {
        let rules = said.map(|said| stated(path, said, later(ms))).into_iter().collect();
        let mut batch = Batch { rules: Some(rules), ..batch(Source::Memory, path, Mode::Replace, Vec::new()) };
        batch.file.tried = later(ms);
        s.store.commit(&batch).unwrap();
    }

    fn only(s: &Scratch) -> Record {
        let mut all = s.store.records(None, &RecordState::ALL).unwrap();
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    fn judge(s: &Scratch, state: RecordState) {
        s.store.judge_records(&[only(s).id], state, Origin::Operator, &text(""), None, later(1)).unwrap();
    }

    fn history(s: &Scratch) -> Vec<String> {
        let sql = "SELECT ifnull(state_from, '-') || '>' || state_to || ' ' || author || ' ' || reason FROM record_history \
                   ORDER BY id";
        let mut statement = s.store.conn.prepare(sql).unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(rusqlite::Result::unwrap).collect()
    }

    fn found(s: &Scratch) -> usize {
        s.store.search(&query("pnpm")).unwrap().hits.len()
    }

    #[test]
    fn a_file_gives_one_record_that_waits_however_often_it_is_read() {
        let s = Scratch::new();
        for ms in 0..3 {
            read(&s, FILE, Some(PNPM), ms);
        }
        let one = only(&s);
        assert_eq!((one.kind, one.state, one.origin), (RecordKind::Correction, RecordState::Pending, Origin::Agent));
        assert_eq!(history(&s), ["->pending agent "]);
        assert_eq!(found(&s), 0);
        s.assert_whole();
    }

    #[test]
    fn an_edit_takes_a_confirmed_rule_out_of_force_until_a_person_has_seen_it() {
        let s = Scratch::new();
        read(&s, FILE, Some(PNPM), 0);
        judge(&s, RecordState::Confirmed);
        assert_eq!(found(&s), 1);
        read(&s, FILE, Some("Use pnpm.\n\nAnd never the lockfile."), 5);
        let one = only(&s);
        assert_eq!((one.state, one.body.as_str()), (RecordState::Pending, "And never the lockfile."));
        assert_eq!((one.created, found(&s)), (later(5), 0), "the words are new, and wait as new ones do");
        assert_eq!(
            history(&s),
            ["->pending agent ", "pending>confirmed operator ", "confirmed>pending agent the file was edited"]
        );
        let before: String = s
            .store
            .conn
            .query_row("SELECT before_json FROM record_history WHERE reason <> ''", [], |row| row.get(0))
            .unwrap();
        assert!(before.contains(r#""body":"The lockfile is pnpm's.""#), "{before}");
        judge(&s, RecordState::Confirmed);
        assert_eq!(s.store.search(&query("lockfile")).unwrap().hits[0].text, "Use pnpm.\nAnd never the lockfile.");
        s.assert_whole();
    }

    #[test]
    fn a_refusal_holds_as_long_as_the_file_says_the_same() {
        let s = Scratch::new();
        read(&s, FILE, Some(PNPM), 0);
        judge(&s, RecordState::Rejected);
        read(&s, FILE, Some(PNPM), 2);
        read(&s, FILE, None, 3);
        s.store.remove_files(Source::Memory, &[format!("hash of {FILE}")], later(4)).unwrap();
        read(&s, FILE, Some(PNPM), 5);
        assert_eq!((only(&s).state, history(&s).len()), (RecordState::Rejected, 2));
        read(&s, FILE, Some("Use npm."), 6);
        assert_eq!(only(&s).state, RecordState::Pending);
    }

    #[test]
    fn a_persons_wording_stays_as_long_as_the_file_says_the_same() {
        let s = Scratch::new();
        read(&s, FILE, Some(PNPM), 0);
        s.store.conn.execute("UPDATE record SET title = 'pnpm, never npm'", []).unwrap();
        judge(&s, RecordState::Confirmed);
        read(&s, FILE, Some(PNPM), 2);
        assert_eq!((only(&s).state, only(&s).title.as_str()), (RecordState::Confirmed, "pnpm, never npm"));
    }

    #[test]
    fn a_file_that_is_gone_or_states_no_rule_retires_its_record() {
        for is_there in [true, false] {
            let s = Scratch::new();
            read(&s, FILE, Some(PNPM), 0);
            judge(&s, RecordState::Confirmed);
            let reason = if is_there {
                read(&s, FILE, None, 2);
                NO_RULE
            } else {
                s.store.remove_files(Source::Memory, &[format!("hash of {FILE}")], later(2)).unwrap();
                GONE
            };
            assert_eq!((only(&s).state, found(&s)), (RecordState::Retired, 0));
            assert_eq!(history(&s).last().unwrap(), &format!("confirmed>retired agent {reason}"));
            s.assert_whole();
        }
    }

    #[test]
    fn a_file_that_comes_back_unchanged_has_the_state_that_it_had_and_another_text_waits() {
        for (said, state, hits) in [(PNPM, RecordState::Confirmed, 1), ("Use npm.", RecordState::Pending, 0)] {
            let s = Scratch::new();
            read(&s, FILE, Some(PNPM), 0);
            judge(&s, RecordState::Confirmed);
            s.store.remove_files(Source::Memory, &[format!("hash of {FILE}")], later(2)).unwrap();
            read(&s, "/moved/feedback_pnpm.md", Some(said), 3);
            assert_eq!((only(&s).state, found(&s)), (state, hits), "{said}");
            assert_eq!(only(&s).validated, if state == RecordState::Confirmed { later(1) } else { later(3) });
            s.assert_whole();
        }
    }

    #[test]
    fn what_a_person_retired_does_not_come_back_with_its_file() {
        let s = Scratch::new();
        read(&s, FILE, Some(PNPM), 0);
        judge(&s, RecordState::Confirmed);
        judge(&s, RecordState::Retired);
        s.store.remove_files(Source::Memory, &[format!("hash of {FILE}")], later(2)).unwrap();
        read(&s, FILE, Some(PNPM), 3);
        assert_eq!(only(&s).state, RecordState::Retired);
    }

    #[test]
    fn what_waited_when_its_file_went_waits_again_and_a_renamed_file_is_another_rule() {
        let s = Scratch::new();
        read(&s, FILE, Some(PNPM), 0);
        s.store.remove_files(Source::Memory, &[format!("hash of {FILE}")], later(1)).unwrap();
        assert_eq!(only(&s).state, RecordState::Retired);
        read(&s, FILE, Some(PNPM), 2);
        assert_eq!(only(&s).state, RecordState::Pending);
        s.store.remove_files(Source::Memory, &[format!("hash of {FILE}")], later(3)).unwrap();
        read(&s, "/m/feedback_npm.md", Some(PNPM), 3);
        assert_eq!(s.store.records(None, &[RecordState::Pending]).unwrap().len(), 1);
        assert_eq!(s.store.records(None, &[RecordState::Retired]).unwrap().len(), 1);
    }

    #[test]
    fn what_a_person_refused_stays_refused_in_whatever_file_it_stands() {
        let s = Scratch::new();
        read(&s, FILE, Some(PNPM), 0);
        judge(&s, RecordState::Rejected);
        read(&s, "/m/feedback_tools.md", Some("use  PNPM\n\nThe lockfile is pnpm's"), 5);
        read(&s, "/m/feedback_other.md", Some("Use npm.\n\nThe lockfile is npm's."), 6);
        let all = s.store.records(None, &RecordState::ALL).unwrap();
        let states: Vec<RecordState> = all.iter().map(|record| record.state).collect();
        assert_eq!(states, [RecordState::Pending, RecordState::Rejected, RecordState::Rejected]);
        assert!(history(&s).iter().any(|step| step.ends_with(REFUSED)));
    }
}
