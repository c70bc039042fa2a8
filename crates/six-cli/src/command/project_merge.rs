//! `six project merge`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_runtime::merge::{Done, MergeError, Other, apply_merge, find_other, plan_merge};
use six_runtime::project::identity::Project;
use six_runtime::project::registry::root_of_common_dir;
use six_store::{Merged, StoreError, Taken};

use super::install::shown;
use super::project::six_home;
use crate::cli::MergeArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure};
use crate::output::{count, object, quoted};

/// Runs it.
pub(crate) fn run(context: &Context, args: &MergeArgs) -> Result<ExitCode, Failure> {
    if context.env.claudecode {
        return Err(Failure::misuse(
            "that two projects are one is a person's word, and this command was given by an agent",
            "ask the operator to run it in a terminal of their own",
        ));
    }
    let home = six_home(context)?;
    let here = context.project()?;
    let other = find_other(&context.env, &home, &here, &args.other, &context.dir(None)).map_err(|why| failed(&why))?;
    if args.dry_run {
        let store = Context::reader(&here)?;
        let merged = plan_merge(&store, &other).map_err(|why| failed(&why))?;
        context.print(&if context.json { told(&other, &merged, None) } else { text(&here, &other, &merged, None) });
        return Ok(ExitCode::SUCCESS);
    }
    let store = context.writer(&here)?;
    let done = apply_merge(&home, &here, &store, &other, context.now).map_err(|why| failed(&why))?;
    context.print(&if context.json {
        told(&other, &done.merged, Some(&done))
    } else {
        text(&here, &other, &done.merged, Some(&done))
    });
    context.say("six ingest reads what changed since, and six health looks at the whole");
    Ok(ExitCode::SUCCESS)
}

fn failed(why: &MergeError) -> Failure {
    let again = "put that right, then run this again";
    let (exit, next) = match why {
        MergeError::Same { .. } => (Exit::Misuse, String::from("nothing to do; six project list names all projects")),
        MergeError::Unknown(_) => (Exit::Misuse, String::from("six project list names all projects")),
        MergeError::NotInstalled { dir, .. } => (
            Exit::Misuse,
            format!("name a project that has a memory (six project list), or six install {}", quoted(dir)),
        ),
        MergeError::Copied { found, .. } => {
            let root = quoted(root_of_common_dir(found));
            (Exit::Misuse, format!("six --project {root} project adopt, or six --project {root} project split"))
        }
        MergeError::Store { why, .. } => (Exit::Store, next_for(why)),
        MergeError::InUse(_) => (Exit::Store, String::from("wait for the other six to end, then run this again")),
        MergeError::Waiting { .. } => {
            (Exit::Store, String::from("six worker in the other folder, then run this again"))
        }
        MergeError::Spool { .. } | MergeError::Registry(_) | MergeError::HandOver(_) => {
            (Exit::Misuse, String::from(again))
        }
    };
    Failure::new(exit, why, next)
}

fn next_for(why: &StoreError) -> String {
    String::from(match why {
        StoreError::NoStore => "six install in the other folder makes it one, then run this again",
        StoreError::OlderSchema { .. } => "six ingest in the other folder brings it up to date, then run this again",
        StoreError::NewerSchema { .. } => "install the newer six again: ./install.sh",
        StoreError::Busy => "wait for the other six to end, then run this again",
        _ => "six health in the other folder",
    })
}

fn rows(merged: &Merged) -> [(&'static str, Taken); 6] {
    [
        ("record", merged.records),
        ("thread", merged.threads),
        ("subsystem", merged.subsystems),
        ("session", merged.sessions),
        ("file", merged.files),
        ("entry", merged.entries),
    ]
}

fn told(other: &Other, merged: &Merged, done: Option<&Done>) -> String {
    let taken: serde_json::Map<String, Value> = rows(merged)
        .into_iter()
        .map(|(name, taken)| (name.to_owned(), json!({"new": taken.new, "known": taken.known})))
        .collect();
    let renamed: Vec<_> = merged.renamed.iter().map(|(from, to)| json!({"from": from, "to": to})).collect();
    let places = done.map(|done| places(done).collect::<Vec<_>>());
    let kept = other.store_dir.to_string_lossy();
    let body = json!({
        "other": {"id": other.id, "store": kept},
        "merged": done.is_some(),
        "taken": taken,
        "renamed": renamed,
        "folders": places,
    });
    object("project_merge", body)
}

fn places(done: &Done) -> impl Iterator<Item = String> {
    done.joined.0.iter().map(|place| shown(root_of_common_dir(place)))
}

fn text(here: &Project, other: &Other, merged: &Merged, done: Option<&Done>) -> String {
    let mut lines = vec![match done {
        Some(_) => format!("{} is a part of {} now", other.id, shown(&here.root)),
        None => format!("{} would become a part of {}", other.id, shown(&here.root)),
    }];
    for (noun, taken) in rows(merged).into_iter().filter(|(_, taken)| taken.new + taken.known > 0) {
        let known = if taken.known > 0 { format!(", {} here already", taken.known) } else { String::new() };
        lines.push(format!("  {}{known}", new_of(taken.new, noun)));
    }
    let renamed = merged.renamed.iter();
    lines.extend(renamed.map(|(from, to)| format!("  {from} is another one here: taken as {to}")));
    lines.extend(done.iter().flat_map(|done| places(done)).map(|folder| format!("  {folder} has this memory")));
    let verb = if done.is_some() { "is" } else { "would be" };
    lines.push(format!("  its own store {verb} kept as it was: {}", shown(&other.store_dir)));
    lines.join("\n")
}

fn new_of(n: u64, noun: &str) -> String {
    if noun == "entry" {
        format!("{n} new {}", if n == 1 { "entry" } else { "entries" })
    } else {
        count(n, &format!("new {noun}"))
    }
}

#[cfg(test)]
mod tests {
    use six_core::record::ProjectId;
    use six_runtime::project::identity::Standing;
    use six_runtime::project::join::Joined;

    use super::*;

    fn sides() -> (Project, Other) {
        let id = |letter: &str| ProjectId::parse(&letter.repeat(ProjectId::LEN)).unwrap();
        let here = Project {
            id: id("a"),
            root: "/home/ada/api".into(),
            common_dir: None,
            worktree: false,
            store_dir: "/home/ada/six/a".into(),
            standing: Standing::Listed,
        };
        (here, Other { id: id("b"), store_dir: "/home/ada/six/b".into() })
    }

    fn merged() -> Merged {
        Merged {
            records: Taken { new: 3, known: 1 },
            entries: Taken { new: 1, known: 40 },
            files: Taken { new: 2, known: 0 },
            renamed: vec![("4k2".to_owned(), "9zz".to_owned())],
            ..Merged::default()
        }
    }

    #[test]
    fn a_dry_run_counts_what_it_would_take() {
        let (here, other) = sides();
        insta::assert_snapshot!(text(&here, &other, &merged(), None), @r"
        bbbbbbbbbbbbbbbbbbbbbbbbbb would become a part of /home/ada/api
          3 new records, 1 here already
          2 new files
          1 new entry, 40 here already
          4k2 is another one here: taken as 9zz
          its own store would be kept as it was: /home/ada/six/b
        ");
    }

    #[test]
    fn a_merge_says_what_it_took_and_who_has_this_memory_now() {
        let (here, other) = sides();
        let done = Done { merged: merged(), joined: Joined(vec!["/home/ada/web/.git".into()]) };
        insta::assert_snapshot!(text(&here, &other, &done.merged, Some(&done)), @r"
        bbbbbbbbbbbbbbbbbbbbbbbbbb is a part of /home/ada/api now
          3 new records, 1 here already
          2 new files
          1 new entry, 40 here already
          4k2 is another one here: taken as 9zz
          /home/ada/web has this memory
          its own store is kept as it was: /home/ada/six/b
        ");
    }

    #[test]
    fn every_refusal_names_the_next_step() {
        let (here, other) = sides();
        let store = |why| MergeError::Store { path: other.store_dir.join("memory.db"), why };
        let refusals = [
            MergeError::Same { named: "../web".to_owned(), id: here.id },
            MergeError::Unknown("nowhere".to_owned()),
            MergeError::Copied { found: "/home/ada/copy/.git".into(), listed: "/home/ada/web/.git".into() },
            store(StoreError::NoStore),
            store(StoreError::OlderSchema { found: 1, known: 2 }),
            store(StoreError::NewerSchema { found: 3, known: 2 }),
            store(StoreError::Busy),
            MergeError::Waiting { left: 2, spool: "/home/ada/six/b/spool".into() },
        ];
        let told: Vec<String> = refusals.iter().map(|why| failed(why).to_string()).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        six: ../web is this project already (aaaaaaaaaaaaaaaaaaaaaaaaaa)
          next: nothing to do; six project list names all projects
        six: there is no project and no folder nowhere
          next: six project list names all projects
        six: /home/ada/copy/.git is a copy of /home/ada/web/.git
          next: six --project /home/ada/copy project adopt, or six --project /home/ada/copy project split
        six: the store /home/ada/six/b/memory.db can't be merged: there is no store
          next: six install in the other folder makes it one, then run this again
        six: the store /home/ada/six/b/memory.db can't be merged: the store has schema 1, this binary needs 2
          next: six ingest in the other folder brings it up to date, then run this again
        six: the store /home/ada/six/b/memory.db can't be merged: the store has schema 3, this binary knows 2
          next: install the newer six again: ./install.sh
        six: the store /home/ada/six/b/memory.db can't be merged: the store is in use by another process
          next: wait for the other six to end, then run this again
        six: 2 events wait in /home/ada/six/b/spool and can't be taken in
          next: six worker in the other folder, then run this again
        ");
    }
}
