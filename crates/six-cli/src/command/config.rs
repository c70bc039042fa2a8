//! `six config`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::config::{ConfigProblem, KEYS, Key};
use six_runtime::config::{ConfigError, ConfigFile, Configuration, Level};
use six_runtime::curate::judge_writer;
use six_runtime::embed::judge_server;
use six_runtime::home::SixHome;

use super::install::home_path;
use super::refused::check_person;
use crate::cli::{ConfigCommand, ConfigPlace};
use crate::context::Context;
use crate::failure::{Failure, nearest};
use crate::output::{object, quoted};

/// Runs it.
pub(crate) fn run(context: &Context, verb: &ConfigCommand) -> Result<ExitCode, Failure> {
    match verb {
        ConfigCommand::List => {
            let read = read(context)?;
            context.print(&if context.json { list_json(&read) } else { list_text(&read) });
        }
        ConfigCommand::Get { key } => {
            let (key, read) = (find(key)?, read(context)?);
            context.print(&if context.json {
                object("config", key_json(key, &read))
            } else {
                shown(&key.read(&read.config))
            });
        }
        ConfigCommand::Set { key, value, place } => {
            let key = find(key)?;
            let value = key.parse(value).ok_or_else(|| {
                let next = format_args!("six config set {} VALUE; its default is {}", key.name, shown(&key.default()));
                let found = key.takes.show_unfit(value);
                Failure::misuse(format_args!("{} takes {}, not {found}", key.name, key.takes), next)
            })?;
            check_is_its_to_set(context, key.name)?;
            let file = file(context, *place)?;
            file.set(key, value).map_err(|fault| config_failure(&fault))?;
            note_model_change(context, key);
            say_change(context, key, &file);
        }
        ConfigCommand::Unset { key, place } => {
            check_is_its_to_set(context, key)?;
            let file = file(context, *place)?;
            let was_set = file.unset(key).map_err(|fault| config_failure(&fault))?;
            match Key::find(key) {
                Some(key) => {
                    note_model_change(context, key);
                    say_change(context, key, &file);
                }
                None if was_set => {}
                None => return Err(unknown(key)),
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Keys by which texts of the project get to a server, a model words what is remembered, or six goes silent.
const OF_A_PERSON: [&str; 5] =
    ["embed.ollama.endpoint", "embed.ollama.allow_remote", "capture.synthesis", "capture.model", "inject.emission"];

/// Keys that say which model makes the vectors.
const OF_THE_MODEL: [&str; 2] = ["embed.ollama.model", "embed.provider"];

fn check_is_its_to_set(context: &Context, key: &str) -> Result<(), Failure> {
    if OF_A_PERSON.contains(&key) { check_person(context) } else { Ok(()) }
}

/// What is wrong with a file of configuration, and what helps.
pub(crate) fn config_failure(fault: &ConfigError) -> Failure {
    let ConfigError::Fault { level, path, fault: found } = fault else {
        return Failure::misuse(fault, "put that right, then run this again");
    };
    let place = if *level == Level::Machine { " --machine" } else { "" };
    let next = match &found.problem {
        ConfigProblem::UnknownKey(name) => {
            format!("{}six config unset {}{place}", meant(name), quoted(name.as_ref()))
        }
        ConfigProblem::BadValue { name, .. } => format!("six config set {name} VALUE{place}"),
        ConfigProblem::Duplicate(name) => format!("take one \"{name}\" out of {}", quoted(path)),
        ConfigProblem::Syntax(_) | ConfigProblem::NotText | ConfigProblem::NotAnObject => {
            format!("put the line right, or delete the file: {}", quoted(path))
        }
    };
    Failure::misuse(fault, next)
}

fn read(context: &Context) -> Result<Configuration, Failure> {
    // Outside of a project there still are the settings of the machine.
    let project = context.project().ok();
    let mut read = Configuration::read(&context.env, project.as_ref().map(|project| project.store_dir.as_path()));
    match read.faults.pop() {
        None => Ok(read),
        Some(fault) => Err(config_failure(&fault)),
    }
}

fn file(context: &Context, place: ConfigPlace) -> Result<ConfigFile, Failure> {
    if place.machine {
        let home = SixHome::resolve(&context.env).map_err(|fault| config_failure(&fault.into()))?;
        return Ok(ConfigFile::of_machine(&home));
    }
    Ok(ConfigFile::of_project(&context.project()?.store_dir))
}

fn find(name: &str) -> Result<&'static Key, Failure> {
    Key::find(name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Failure {
    Failure::misuse(format_args!("{name} is no key"), format_args!("{}six config list", meant(name)))
}

/// `you may mean X: `, if any key is near.
fn meant(name: &str) -> String {
    let names: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    let group = || names.iter().find(|key| key.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'))).copied();
    group().or_else(|| nearest(name, &names)).map_or_else(String::new, |key| format!("you may mean {key}: "))
}

/// A project may have held sessions for weeks in which nothing was to be embedded; with another model all is, and that no
/// run has got on since is no news. The setting is made, so nothing of this can fail it.
fn note_model_change(context: &Context, key: &Key) {
    if OF_THE_MODEL.contains(&key.name)
        && let Some(store) = context.quick_writer()
    {
        let _ = store.note_model_change(context.now);
    }
}

fn say_change(context: &Context, key: &Key, file: &ConfigFile) {
    let level = file.level();
    let read = Configuration::read(&context.env, project_dir(context, level).as_deref());
    // Told and not refused: the keys of a server are set one after the other.
    let judged = match key.name.split_once('.') {
        Some(("embed", rest)) if rest.starts_with("ollama.") => judge_server(&read.config.embed.ollama),
        Some(("capture", _)) => judge_writer(&read.config),
        _ => Ok(()),
    };
    if let Err(why) = judged {
        context.say(&format!("no server can be asked as it is set now: {why}"));
    }
    if context.json {
        context.print(&object("config", key_json(key, &read)));
        return;
    }
    let by = source(key, &read);
    let wins = if by == "project" && level == Level::Machine { ", which wins over the machine's" } else { "" };
    context.say(&format!(
        "{} is {} ({by}{wins}); {}",
        key.name,
        shown(&key.read(&read.config)),
        home_path(file.path(), &context.env)
    ));
}

/// The store folder of the project, which a change of the machine's file does without.
fn project_dir(context: &Context, level: Level) -> Option<std::path::PathBuf> {
    let project = context.project();
    debug_assert!(level == Level::Machine || project.is_ok(), "its file was written");
    project.ok().map(|project| project.store_dir)
}

fn source(key: &Key, read: &Configuration) -> &'static str {
    read.set_by(key).map_or("default", Level::as_str)
}

/// A value as a person writes it: text without quotes, all else as JSON.
fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn list_text(read: &Configuration) -> String {
    let mut lines = Vec::new();
    for key in KEYS {
        let default =
            read.set_by(key).map(|level| format!("  ({}; default {})", level.as_str(), shown(&key.default())));
        let (value, default) = (shown(&key.read(&read.config)), default.unwrap_or_else(|| String::from("  (default)")));
        lines.push(format!("{:<30}{value}{default}", key.name));
        lines.push(format!("  {}", key.what));
    }
    lines.join("\n")
}

fn list_json(read: &Configuration) -> String {
    object("config", json!({"keys": KEYS.iter().map(|key| key_json(key, read)).collect::<Vec<_>>()}))
}

fn key_json(key: &Key, read: &Configuration) -> Value {
    json!({
        "key": key.name,
        "value": key.read(&read.config),
        "default": key.default(),
        "from": source(key, read),
        "takes": key.takes.to_string(),
        "what": key.what,
    })
}

#[cfg(test)]
mod tests {
    use six_runtime::home::Environment;

    use super::*;

    fn world() -> (tempfile::TempDir, Context, ConfigFile) {
        let dir = tempfile::tempdir().unwrap();
        let env = Environment { six_home: Some(dir.path().join("six")), ..Environment::default() };
        let file = ConfigFile::of_machine(&SixHome::resolve(&env).unwrap());
        let mut context = Context::fixed();
        context.env = env;
        (dir, context, file)
    }

    fn failure(context: &Context, text: &str, file: &ConfigFile) -> String {
        std::fs::write(file.path(), text).unwrap();
        let said = read(context).unwrap_err().to_string();
        said.replace(&file.path().display().to_string(), "FILE")
    }

    #[test]
    fn a_list_says_what_holds_where_it_comes_from_and_what_it_is_for() {
        let (_dir, context, file) = world();
        file.set(Key::find("store.quota_mib").unwrap(), 512.into()).unwrap();
        file.set(Key::find("embed.ollama.fallback").unwrap(), "all-minilm".into()).unwrap();
        insta::assert_snapshot!(list_text(&read(&context).unwrap()), @r#"
        capture.model                 qwen2.5:3b  (default)
          the model of the Ollama server that words candidates and tells stories
        capture.synthesis             false  (default)
          let a model of the Ollama server word candidates and tell stories, in the background; it decides nothing
        derived.code_graph            null  (default)
          the file or folder of a code graph, whose age health watches; null = there is none
        derived.project_state         null  (default)
          the file or folder that a script writes the project's state to, whose age health watches; null = none
        embed.deadline_ms             0  (default)
          how many milliseconds longer a prompt may take for the Ollama server; 0 never asks it there
        embed.ollama.allow_remote     false  (default)
          let the Ollama server be another machine, which then reads every text that it gets a vector or words for
        embed.ollama.endpoint         http://127.0.0.1:11434  (default)
          where the Ollama server listens
        embed.ollama.fallback         all-minilm  (machine; default null)
          the model of the Ollama server for when the first can't be used
        embed.ollama.model            nomic-embed-text  (default)
          the model of the Ollama server
        embed.provider                embedded  (default)
          what makes vectors: the model inside six, or an Ollama server
        embed.transcripts             off  (default)
          which messages of sessions get vectors; all are found by their words
        guard.dead_ends               note  (default)
          what happens before a tool does what a dead end warns of: a note, or one refusal with the reason
        health.deprecated_terms       []  (default)
          words and phrases that the project has given up, which its CLAUDE.md must not use
        health.gate                   on  (default)
          whether the health checks run: off says so in their line
        health.warmup_ms              8000  (default)
          how many milliseconds a session's start may wait for an Ollama server to load its model
        ingest.ledgers                ["docs/ledger/*.md","LEDGER.md","*.ledger.md"]  (default)
          which documents are append-only ledgers, as patterns of a .gitignore
        inject.budget                 1600  (default)
          characters (UTF-16 units) that all blocks of one prompt may take
        inject.emission               on  (default)
          what happens with a block: print it, only decide and record it, or decide nothing
        inject.max_deliveries         3  (default)
          times that one subsystem, decision or dead end is shown in one session
        inject.max_items              5  (default)
          items in one block
        inject.max_rule_deliveries    1  (default)
          times that one correction or cheatsheet is shown in one session
        inject.max_stale_deliveries   3  (default)
          times that one item is told to be stale in one session
        inject.max_thread_deliveries  2  (default)
          times that one thread is told in one session
        inject.min_cosine             0.34  (default)
          likeness in meaning from which an item passes alone; 0.08 more for every tenfold of items; 1 = never
        inject.min_matches            2  (default)
          words of a prompt that have to stand in an item
        inject.min_rare               1  (default)
          rare ones among them
        inject.min_weight             1.05  (default)
          what they have to weigh together (idf; half for those outside the title), in weights of a word found nowhere
        inject.rare_idf               3.0  (default)
          idf from which a word is rare: 3 = in one chunk of twenty, 4.6 = in one of a hundred
        inject.subagents              false  (default)
          look at prompts inside sub-agents as well
        inject.word_cosine            0.2  (default)
          likeness in meaning that words need beside them, where it is known; grows likewise
        search.fusion                 convex  (default)
          how what words find and what vectors find become one ranking
        store.quota_mib               512  (machine; default 1024)
          size of the store from which on no more transcripts and commits are taken in
        "#);
        let key = key_json(Key::find("store.quota_mib").unwrap(), &read(&context).unwrap());
        insta::assert_snapshot!(key.to_string(), @r#"{"default":1024,"from":"machine","key":"store.quota_mib","takes":"a whole number from 1 to 1073741824","value":512,"what":"size of the store from which on no more transcripts and commits are taken in"}"#);
    }

    #[test]
    fn a_broken_file_is_told_with_its_line_and_what_helps() {
        let (_dir, context, file) = world();
        file.set(Key::find("store.quota_mib").unwrap(), 512.into()).unwrap();
        insta::assert_snapshot!(failure(&context, "{\n\"serach.fusion\": \"rrf\"}", &file), @r#"
        six: FILE: line 2: "serach.fusion" is no key
          next: you may mean search.fusion: six config unset serach.fusion --machine
        "#);
        insta::assert_snapshot!(failure(&context, "{\"store\": {\"quota_mib\": 3}}", &file), @r#"
        six: FILE: line 1: "store" is no key
          next: you may mean store.quota_mib: six config unset store --machine
        "#);
        insta::assert_snapshot!(failure(&context, "{\n\"search.fusion\": 3}", &file), @r#"
        six: FILE: line 2: "search.fusion" takes one of convex, rrf, not 3
          next: six config set search.fusion VALUE --machine
        "#);
        insta::assert_snapshot!(failure(&context, "{\n\"search.fusion\": ", &file), @"
        six: FILE: line 2: not JSON: EOF while parsing a value
          next: put the line right, or delete the file: FILE
        ");
    }

    #[test]
    fn a_typo_gets_the_nearest_key() {
        insta::assert_snapshot!(find("search.fuson").unwrap_err(), @"
        six: search.fuson is no key
          next: you may mean search.fusion: six config list
        ");
        insta::assert_snapshot!(find("colour").unwrap_err(), @"
        six: colour is no key
          next: six config list
        ");
    }
}
