//! Everything that real clients wrote is read: payloads of every hook event, transcripts from client 1.0 on.
//!
//! The data is not part of the repository. `SIX_SHARED` names its folder; without one these tests say so and pass.
#![expect(clippy::disallowed_methods, reason = "the data is read from files; only the library may touch none")]
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests, outside of a test function")]

use six_core::event::wire::HostEvent;
use six_core::event::{
    Attachment, Author, Block, Body, Event, LineFault, Link, PayloadFault, Record, StartSource, judge_abandoned,
    parse_payload, parse_records,
};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn shared(folder: &str) -> Option<PathBuf> {
    let root = std::env::var_os("SIX_SHARED")
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared")), PathBuf::from);
    // Both layouts occur: the data folder itself, or its parent.
    let found = [root.join("data").join(folder), root.join(folder)].into_iter().find(|path| path.is_dir());
    if found.is_none() {
        println!("skipped: shared data absent ({folder} under {})", root.display());
    }
    found
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path, extension));
        } else if path.extension().is_some_and(|found| found == extension) {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn read_records(path: &Path) -> Vec<Result<Record, LineFault>> {
    let bytes = fs::read(path).unwrap();
    bytes.split_inclusive(|byte| *byte == b'\n').flat_map(parse_records).collect()
}

fn records_of(case: &str) -> Option<Vec<Vec<Record>>> {
    let folder = shared(&format!("host/transcripts/{case}"))?;
    Some(
        files(&folder, "jsonl")
            .iter()
            .map(|file| read_records(file).into_iter().map(Result::unwrap).collect())
            .collect(),
    )
}

fn said(record: &Record) -> Option<String> {
    let content = match &record.body {
        Body::User(user) if Author::of_user(&record.head, user) == Author::Operator => &user.content,
        Body::Assistant(answer) => &answer.content,
        _ => return None,
    };
    content.iter().find_map(|block| match block {
        Block::Text(text) => Some(text.clone()),
        _ => None,
    })
}

/// What is in force, and what was said in abandoned branches.
fn told(records: &[Record]) -> (Vec<String>, Vec<String>) {
    let linked: Vec<(&Record, Link<&str>)> = records.iter().filter_map(|r| Some((r, r.link()?))).collect();
    let links: Vec<Link<&str>> = linked.iter().map(|(_, link)| link.clone()).collect();
    let leaf = linked.iter().rfind(|(record, _)| record.can_be_leaf()).map(|(_, link)| link.uuid);
    let abandoned: BTreeSet<usize> =
        leaf.map(|leaf| judge_abandoned(&links, &leaf)).unwrap_or_default().into_iter().collect();
    let told = |taken_back: bool| {
        let which = linked.iter().enumerate().filter(|(at, _)| abandoned.contains(at) == taken_back);
        which.filter_map(|(_, (record, _))| said(record)).collect()
    };
    (told(false), told(true))
}

#[test]
fn every_payload_is_read_as_its_event() {
    let Some(folder) = shared("host/payloads") else { return };
    let mut seen = BTreeSet::new();
    for file in files(&folder, "json") {
        let payload =
            parse_payload(&fs::read(&file).unwrap()).unwrap_or_else(|fault| panic!("{}: {fault}", file.display()));
        let name = file.file_stem().unwrap().to_string_lossy().split('-').next().unwrap().to_owned();
        assert_eq!(payload.event.name(), name);
        assert!(!matches!(payload.event, HostEvent::Unknown(_)), "{name}");
        assert!(payload.common.session_id.is_some() && payload.common.transcript_path.is_some(), "{name}");
        seen.insert(name);
    }
    assert_eq!(seen.len(), 33);
}

#[test]
fn no_field_of_a_payload_is_overlooked() {
    let Some(folder) = shared("host/payloads") else { return };
    // What the design leaves out on purpose: the cost estimate of a model switch.
    let left_out = ["cache_ttl", "estimated_cache_write_usd", "pricing", "hook_event_name"];
    for file in files(&folder, "json") {
        let text = fs::read(&file).unwrap();
        let raw: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(&text).unwrap();
        let shown = format!("{:?}", parse_payload(&text).unwrap());
        for (field, _) in raw.iter().filter(|(field, value)| !value.is_null() && !left_out.contains(&field.as_str())) {
            let read = shown.contains(&format!("{field}: Some(")) || shown.contains(&format!("r#{field}: Some("));
            assert!(read, "{}: {field}", file.display());
        }
    }
}

#[test]
fn the_seven_events_become_typed_and_the_others_are_told_so() {
    let Some(folder) = shared("host/payloads") else { return };
    let mut reacted = BTreeMap::new();
    for file in files(&folder, "json") {
        let payload = parse_payload(&fs::read(&file).unwrap()).unwrap();
        let name = payload.event.name().to_owned();
        match Event::try_from(payload) {
            Ok(event) => {
                if let Event::SessionStart { source, .. } = &event {
                    assert!(!matches!(source, StartSource::Other(_)));
                }
                *reacted.entry(name).or_insert(0) += 1;
            }
            Err(fault) => assert_eq!(fault, PayloadFault::NotHandled { event: name }),
        }
    }
    let events: Vec<&str> = reacted.keys().map(String::as_str).collect();
    assert_eq!(
        events,
        ["PostToolUse", "PreCompact", "PreToolUse", "SessionEnd", "SessionStart", "Stop", "UserPromptSubmit"]
    );
}

#[test]
fn every_line_of_a_transcript_is_read() {
    for folder in ["host/transcripts", "transcripts"] {
        let Some(folder) = shared(folder) else { return };
        for file in files(&folder, "jsonl") {
            let commented = fs::read_to_string(&file).unwrap().lines().filter(|line| line.starts_with("//")).count();
            let faults: Vec<LineFault> = read_records(&file).into_iter().filter_map(Result::err).collect();
            assert_eq!(faults, vec![LineFault::NotJson; commented], "{}", file.display());
        }
    }
}

#[test]
fn conversation_records_have_their_head_and_their_content() {
    for folder in ["host/transcripts", "transcripts"] {
        let Some(folder) = shared(folder) else { return };
        for file in files(&folder, "jsonl") {
            for record in read_records(&file).into_iter().flatten() {
                let (Body::User(_) | Body::Assistant(_) | Body::Attachment(_) | Body::System(_)) = &record.body else {
                    continue;
                };
                let head = &record.head;
                assert!(head.uuid.is_some() && head.session_id.is_some() && head.cwd.is_some(), "{record:?}");
                assert!(head.timestamp.as_ref().is_some_and(|time| time.unix_ms.is_some()), "{record:?}");
                match &record.body {
                    Body::User(user) => assert!(!user.content.is_empty(), "{record:?}"),
                    Body::Assistant(answer) => {
                        assert!(!answer.content.is_empty() && answer.message_id.is_some(), "{record:?}");
                    }
                    Body::Attachment(Attachment::Other(kind)) => assert!(!kind.is_empty(), "{record:?}"),
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn authors_of_the_interactive_session_are_told_apart() {
    let Some(sessions) = records_of("interactive") else { return };
    let mut authors: BTreeMap<String, usize> = BTreeMap::new();
    for record in sessions.iter().flatten() {
        let author = match &record.body {
            Body::User(user) => Author::of_user(&record.head, user),
            Body::Attachment(Attachment::QueuedCommand(queued)) => {
                assert_eq!(queued.content, [Block::Text("Please also check the docs.".into())]);
                Author::of_queued(queued)
            }
            _ => continue,
        };
        *authors.entry(format!("{author:?}")).or_default() += 1;
    }
    let count = |author: &str| authors.get(author).copied().unwrap_or(0);
    assert_eq!((count("SlashCommand"), count("ShellInput"), count("ShellOutput")), (2, 1, 1), "{authors:?}");
    assert_eq!((count("Machine"), count("Subagent"), count("TaskNotification")), (0, 0, 0), "{authors:?}");
    assert!(count("Operator") >= 4, "{authors:?}");
}

#[test]
fn a_rewound_turn_is_abandoned() {
    let Some(sessions) = records_of("rewound") else { return };
    let (live, abandoned) = told(&sessions[0]);
    assert_eq!(
        live,
        [
            "Do we store cents?",
            "Yes, integer cents.",
            "What about the decimal module?",
            "Decimal would work at the edges only."
        ]
    );
    assert_eq!(abandoned, ["Could we switch to floats?", "No, please keep integers."]);
}

#[test]
fn an_interrupted_turn_stays_and_a_prompt_that_went_back_does_not() {
    let Some(sessions) = records_of("interrupted") else { return };
    let (live, abandoned) = told(&sessions[0]);
    assert_eq!(live.first().map(String::as_str), Some("Tell me the long story of this code."));
    assert!(live.iter().any(|text| text.starts_with("The ledger was first written")));
    assert_eq!(live.last().map(String::as_str), Some("Fine. Nothing was changed."));
    assert_eq!(abandoned, ["What is the first thing to do?"]);
}

#[test]
fn compaction_takes_nothing_back() {
    let Some(sessions) = records_of("compacted") else { return };
    let (live, abandoned) = told(&sessions[0]);
    assert_eq!(live.first().map(String::as_str), Some("Please number invoices per year."));
    assert_eq!(live.last().map(String::as_str), Some("Yes: numbering, counter table and migration are done."));
    assert_eq!(abandoned, [""; 0]);
}

#[test]
fn a_fork_repeats_records_under_their_own_uuids() {
    let Some(sessions) = records_of("resumed") else { return };
    for session in &sessions {
        let (live, abandoned) = told(session);
        assert_eq!(live.first().map(String::as_str), Some("Which port do we use?"));
        assert_eq!(abandoned, [""; 0]);
    }
    let uuids =
        |session: &[Record]| -> Vec<String> { session.iter().filter_map(|record| record.head.uuid.clone()).collect() };
    let (one, other) = (uuids(&sessions[0]), uuids(&sessions[1]));
    assert!(one.iter().filter(|uuid| other.contains(uuid)).count() > 10);
}

#[test]
fn little_of_what_people_said_counts_as_taken_back() {
    let Some(folder) = shared("transcripts") else { return };
    let (mut live, mut taken_back) = (0, 0);
    for file in files(&folder, "jsonl") {
        let records: Vec<Record> = read_records(&file).into_iter().flatten().collect();
        let (_, abandoned) = told(&records);
        taken_back += abandoned.len();
        live += records.iter().filter_map(said).count() - abandoned.len();
    }
    assert!(taken_back * 20 < live, "{taken_back} against {live}");
}
