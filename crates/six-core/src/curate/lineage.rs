//! The story of a thread, told by arithmetic: what was decided, what was tried, what replaced what, and what holds today.
//!
//! The lineage block tells it short, `six lineage` whole, and a model that words it anew is given the same lines.

use chrono::FixedOffset;

use crate::inject::{ItemKind, StoryRecord, ThreadStory, quoted};
use crate::record::{Record, RecordId, RecordKind, RecordState, Thread, UnixMs};
use crate::text::{PartsHash, Redacted, printable_line, utf16_len};

/// Version of what a story is told from. A newer one makes every prose that was told before stale.
const LINEAGE_VERSION: u32 = 1;

/// A thread's story as a model told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose {
    /// The story, on one line.
    pub text: Redacted,
    /// The name of the model.
    pub model: Redacted,
    /// When it was told.
    pub at: UnixMs,
}

/// How much of each part of a story is told, in UTF-16 units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Telling {
    pub(crate) name: usize,
    title: usize,
    why: usize,
    option: usize,
    /// Options and decisions in force that are named; the others are counted.
    options: usize,
    revive: usize,
    other_title: usize,
    /// How stored text is put between double quotes.
    quote: fn(&str, usize) -> String,
}

impl Telling {
    /// In a block: short enough that a story of a few steps fits whole.
    pub(crate) const BLOCK: Self =
        Self { name: 50, title: 70, why: 80, option: 30, options: 2, revive: 50, other_title: 40, quote: quoted };

    /// For who has asked for it.
    pub(crate) const WHOLE: Self = Self {
        name: usize::MAX,
        title: usize::MAX,
        why: usize::MAX,
        option: usize::MAX,
        options: usize::MAX,
        revive: usize::MAX,
        other_title: usize::MAX,
        quote: plain,
    };

    /// For a model that words it anew: a rationale's beginning says what it is about.
    pub(crate) const FOR_MODEL: Self = Self { why: 300, option: 120, options: 4, revive: 120, ..Self::WHOLE };

    /// A text between double quotes.
    pub(crate) fn quote(&self, text: &str, max_units: usize) -> String {
        (self.quote)(text, max_units)
    }

    fn options(&self, all: &[String], max_units: usize) -> String {
        let mut shown: Vec<String> =
            all.iter().take(self.options).map(|option| self.quote(option, max_units)).collect();
        let rest = all.len().saturating_sub(self.options);
        if rest > 0 {
            shown.push(format!("{rest} more"));
        }
        shown.join(", ")
    }

    /// One step: its date, what it was, why, and what became of it.
    pub(crate) fn step(&self, record: &StoryRecord, offset: FixedOffset) -> String {
        let what = if record.kind == ItemKind::DeadEnd { "dead end" } else { "decided" };
        let mut step = format!("   {} {what}: {}", record.at.date(offset), self.quote(&record.title, self.title));
        if !record.body.trim().is_empty() {
            step.extend(["; why ", self.quote(&record.body, self.why).as_str()]);
        }
        if record.kind == ItemKind::DeadEnd {
            if !record.revive_if.trim().is_empty() {
                step.extend(["; worth another try if ", self.quote(&record.revive_if, self.revive).as_str()]);
            }
        } else if !record.rejected.is_empty() {
            step.extend(["; rejected ", self.options(&record.rejected, self.option).as_str()]);
        }
        match (record.state, &record.superseded_by) {
            (RecordState::Confirmed, _) => {}
            (_, Some(by)) => step.extend(["; replaced by ", self.quote(by, self.other_title).as_str()]),
            (_, None) => step.push_str("; no longer in force"),
        }
        step
    }

    /// The newest steps that fit into so many UTF-16 units, oldest first, each with the end of its line, and how many
    /// older ones there are.
    pub(crate) fn newest_steps(
        &self,
        story: &ThreadStory,
        offset: FixedOffset,
        mut units: usize,
    ) -> (Vec<String>, u64) {
        let told: Vec<&StoryRecord> = story.records.iter().filter(|record| was_in_force(record.state)).collect();
        let mut steps = Vec::new();
        for record in told.iter().rev() {
            let step = self.step(record, offset);
            let needs = utf16_len(&step) + 1;
            if needs > units {
                break;
            }
            units -= needs;
            steps.push(step);
        }
        let older = (told.len() - steps.len()) as u64 + u64::from(story.older);
        steps.reverse();
        (steps, older)
    }

    /// The state today: which decisions are in force, the newest first, how many dead ends, and whether the matter is
    /// open.
    pub(crate) fn today(&self, story: &ThreadStory) -> String {
        let in_force = |kind| {
            let held = move |record: &&StoryRecord| record.state == RecordState::Confirmed && record.kind == kind;
            story.records.iter().rev().filter(held)
        };
        let decided: Vec<String> = in_force(ItemKind::Decision).map(|record| record.title.clone()).collect();
        let decided = if decided.is_empty() {
            "none of these decisions".to_owned()
        } else {
            self.options(&decided, self.other_title)
        };
        let dead_ends = match in_force(ItemKind::DeadEnd).count() {
            0 => String::new(),
            1 => "; 1 dead end".to_owned(),
            count => format!("; {count} dead ends"),
        };
        let open = if story.open { "open" } else { "closed" };
        format!("in force today: {decided}{dead_ends}; the matter is {open}")
    }
}

/// One line, between double quotes, as a terminal may show it. Nothing of it is left out.
fn plain(text: &str, max_units: usize) -> String {
    let line = printable_line(text);
    let (cut, was_cut) = crate::text::cut_utf16(&line, max_units);
    format!("\"{}{}\"", cut.replace('"', "'"), if was_cut { "…" } else { "" })
}

/// What nobody ever confirmed is nobody's story.
const fn was_in_force(state: RecordState) -> bool {
    matches!(state, RecordState::Confirmed | RecordState::Superseded | RecordState::Retired)
}

/// What a thread is told from: the decisions and dead ends among `records` that are in it and are or were in force, oldest
/// first. What replaced one is named by its title if it is among `records` and was in force itself, in whatever thread.
pub fn story_of(thread: &Thread, records: &[Record]) -> ThreadStory {
    let successor = |id: &RecordId| records.iter().find(|record| record.id == *id && was_in_force(record.state));
    let step = |record: &Record| {
        let kind = match record.kind {
            RecordKind::Decision => ItemKind::Decision,
            RecordKind::DeadEnd => ItemKind::DeadEnd,
            RecordKind::Correction | RecordKind::Cheatsheet => return None,
        };
        Some(StoryRecord {
            item: record.item(),
            kind,
            state: record.state,
            origin: record.origin,
            title: record.title.to_string(),
            body: record.body.to_string(),
            rejected: record.rejected.iter().map(ToString::to_string).collect(),
            revive_if: record.revive_if.to_string(),
            superseded_by: record.superseded_by.as_ref().and_then(successor).map(|by| by.title.to_string()),
            at: record.created,
        })
    };
    let mut told: Vec<&Record> = records
        .iter()
        .filter(|record| record.thread.as_ref() == Some(&thread.id) && was_in_force(record.state))
        .collect();
    told.sort_by(|a, b| a.created.cmp(&b.created).then_with(|| a.id.cmp(&b.id)));
    ThreadStory {
        id: thread.id.clone(),
        name: thread.name.to_string(),
        summary: thread.summary.to_string(),
        open: thread.open,
        records: told.into_iter().filter_map(step).collect(),
        older: 0,
        delivered: 0,
        prose: None,
    }
}

/// What a thread's story depends on, as one hash (hex): the thread, and every record of it and every one that replaced one
/// of them, in whatever order and state. Whoever confirms, rejects, edits, supersedes or renames anything there gets
/// another key.
pub fn story_key(thread: &Thread, records: &[Record]) -> String {
    let mut sorted: Vec<&Record> = records.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    let mut hash = PartsHash::new();
    hash.add(&LINEAGE_VERSION.to_string());
    hash.add(thread.id.as_str());
    hash.add(thread.name.as_str());
    hash.add(thread.summary.as_str());
    hash.add(if thread.open { "open" } else { "closed" });
    for record in sorted {
        hash.add(record.id.as_str());
        hash.add(record.kind.as_str());
        hash.add(record.state.as_str());
        hash.add(record.thread.as_ref().map_or("", |id| id.as_str()));
        hash.add(&record.created.0.to_string());
        hash.add(record.title.as_str());
        hash.add(record.body.as_str());
        hash.add(&record.rejected.len().to_string());
        for option in &record.rejected {
            hash.add(option.as_str());
        }
        hash.add(record.revive_if.as_str());
        hash.add(record.superseded_by.as_ref().map_or("", |id| id.as_str()));
        hash.add(record.written_by.as_str());
    }
    hash.finish()
}

/// The whole story, oldest step first: the same words as in a block, nothing left out.
pub fn compose(story: &ThreadStory, offset: FixedOffset) -> String {
    let whole = Telling::WHOLE;
    let mut lines = vec![format!("thread: {}", whole.quote(&story.name, whole.name))];
    if !story.summary.trim().is_empty() {
        lines.push(format!("   about: {}", whole.quote(&story.summary, usize::MAX)));
    }
    lines.extend(whole.newest_steps(story, offset, usize::MAX).0);
    lines.push(format!("   {}", whole.today(story)));
    lines.join("\n")
}

/// One step of a story, told whole.
pub fn compose_step(record: &StoryRecord, offset: FixedOffset) -> String {
    Telling::WHOLE.step(record, offset).trim_start().to_owned()
}

/// The state of a thread today, told whole.
pub fn compose_today(story: &ThreadStory) -> String {
    Telling::WHOLE.today(story)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::record::{Origin, ThreadId};

    const DAY: i64 = UnixMs::DAY_MS;
    /// 2026-01-02.
    const START: i64 = 1_767_312_000_000;

    pub(in crate::curate) fn thread() -> Thread {
        Thread {
            id: ThreadId::new("t1"),
            name: Redacted::literal("Job queue"),
            summary: Redacted::literal("Where jobs wait"),
            open: true,
            created: UnixMs(START),
            merged_into: None,
        }
    }

    fn record(id: &str, kind: RecordKind, state: RecordState, title: &'static str, day: i64) -> Record {
        let (title, at) = (Redacted::literal(title), UnixMs(START + day * DAY));
        Record {
            state,
            thread: Some(ThreadId::new("t1")),
            ..Record::pending(RecordId::new(id), kind, Origin::Operator, title, at)
        }
    }

    pub(in crate::curate) fn postgres() -> Record {
        Record {
            body: Redacted::literal("One thing less to run."),
            ..record("r3", RecordKind::Decision, RecordState::Confirmed, "Queue in Postgres", 40)
        }
    }

    /// A decision, the one that replaced it, a dead end between them, and what is no part of the story.
    pub(in crate::curate) fn records() -> Vec<Record> {
        let redis = Record {
            body: Redacted::literal("It was there already."),
            rejected: ["Kafka: too much to run", "SQS: not on our machines", "files: no order"]
                .map(Redacted::literal)
                .to_vec(),
            superseded_by: Some(RecordId::new("r3")),
            ..record("r1", RecordKind::Decision, RecordState::Superseded, "Queue in Redis", 0)
        };
        let streams = Record {
            body: Redacted::literal("Consumer groups lost their place at every deploy."),
            revive_if: Redacted::literal("deploys keep the connection"),
            ..record("r2", RecordKind::DeadEnd, RecordState::Confirmed, "Streams with consumer groups", 20)
        };
        let waits = record("r4", RecordKind::Decision, RecordState::Pending, "Queue in files", 50);
        let rule = record("r5", RecordKind::Correction, RecordState::Confirmed, "Never poll", 60);
        vec![postgres(), rule, streams, waits, redis]
    }

    fn utc() -> FixedOffset {
        FixedOffset::east_opt(0).unwrap()
    }

    #[test]
    fn a_story_is_told_whole_with_what_was_rejected_what_failed_and_what_replaced_what() {
        insta::assert_snapshot!(compose(&story_of(&thread(), &records()), utc()), @r#"
        thread: "Job queue"
           about: "Where jobs wait"
           2026-01-02 decided: "Queue in Redis"; why "It was there already."; rejected "Kafka: too much to run", "SQS: not on our machines", "files: no order"; replaced by "Queue in Postgres"
           2026-01-22 dead end: "Streams with consumer groups"; why "Consumer groups lost their place at every deploy."; worth another try if "deploys keep the connection"
           2026-02-11 decided: "Queue in Postgres"; why "One thing less to run."
           in force today: "Queue in Postgres"; 1 dead end; the matter is open
        "#);
    }

    #[test]
    fn what_replaced_a_step_from_outside_the_thread_is_named_and_is_no_step_of_it() {
        let away = Record { thread: None, ..postgres() };
        let all: Vec<Record> = records().into_iter().map(|r| if r.id == away.id { away.clone() } else { r }).collect();
        let story = story_of(&thread(), &all);
        let told: Vec<_> = story.records.iter().map(|r| (r.title.as_str(), r.superseded_by.as_deref())).collect();
        assert_eq!(told, [("Queue in Redis", Some("Queue in Postgres")), ("Streams with consumer groups", None)]);
    }

    #[test]
    fn a_key_does_not_depend_on_the_order_of_records() {
        let mut turned = records();
        turned.reverse();
        assert_eq!(story_key(&thread(), &turned), story_key(&thread(), &records()));
        assert_eq!(story_key(&thread(), &records()).len(), 64);
    }

    #[test]
    fn whatever_is_changed_in_a_thread_gives_another_key() {
        type Change = fn(&mut Thread, &mut Vec<Record>);
        let changes: [(&str, Change); 15] = [
            ("rename", |thread, _| thread.name = Redacted::literal("Jobs")),
            ("summary", |thread, _| thread.summary = Redacted::literal("Jobs")),
            ("close", |thread, _| thread.open = false),
            ("confirm", |_, all| all[3].state = RecordState::Confirmed),
            ("reject", |_, all| all[3].state = RecordState::Rejected),
            ("retire", |_, all| all[0].state = RecordState::Retired),
            ("kind", |_, all| all[0].kind = RecordKind::DeadEnd),
            ("title", |_, all| all[0].title = Redacted::literal("Queue in a table")),
            ("why", |_, all| all[0].body = Redacted::literal("Less to run.")),
            ("rejected", |_, all| drop(all[4].rejected.pop())),
            ("revive", |_, all| all[2].revive_if = Redacted::default()),
            ("supersede", |_, all| all[4].superseded_by = Some(RecordId::new("r2"))),
            ("written by", |_, all| all[3].written_by = Redacted::literal("made-up")),
            ("added", |_, all| all.push(record("r6", RecordKind::Decision, RecordState::Pending, "x", 70))),
            ("taken out", |_, all| drop(all.remove(1))),
        ];
        let mut keys = vec![story_key(&thread(), &records())];
        for (name, change) in changes {
            let (mut thread, mut all) = (thread(), records());
            change(&mut thread, &mut all);
            let key = story_key(&thread, &all);
            assert!(!keys.contains(&key), "{name}");
            keys.push(key);
        }
    }

    #[test]
    fn words_that_move_from_one_field_to_the_next_give_another_key() {
        let key = |title, body| {
            let moved = Record { title: Redacted::literal(title), body: Redacted::literal(body), ..postgres() };
            story_key(&thread(), &[moved])
        };
        assert_ne!(key("ab", "c"), key("a", "bc"));
    }

    #[test]
    fn stored_text_can_t_pose_as_a_line_of_the_story() {
        let forged = Record { title: Redacted::literal("a\"\n   today: closed\u{1b}[2J"), ..postgres() };
        let told = compose(&story_of(&thread(), &[forged]), utc());
        assert_eq!(told.lines().count(), 4, "{told}");
        assert!(!told.contains('\u{1b}') && told.contains("decided: \"a' today: closed"), "{told}");
    }
}
