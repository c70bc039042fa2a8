//! `six bench speed`

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde_json::{Value, json};
use six_runtime::atomic::create_private_dir;
use six_runtime::embed::Provider;
use six_runtime::home::SixHome;

use self::figure::{Figure, head};
use self::stage::Stage;
use super::corpus::provider;
use super::machine::{cores, load, machine, versions};
use crate::cli::SpeedArgs;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{bytes, object, print};

mod embedding;
mod figure;
mod hooks;
pub(super) mod library;
mod reading;
mod space;
mod stage;
pub(super) mod text;

/// What was measured.
#[derive(Default)]
struct Measured {
    figures: Vec<Figure>,
    /// Hooks that are not beside this binary.
    absent: Vec<String>,
}

/// Runs it. A figure that misses its budget is told and is no failure.
pub(crate) fn run(context: &Context, args: &SpeedArgs) -> Result<ExitCode, Failure> {
    let provider = provider()?;
    let run = Run { context, args, provider: &provider };
    let about = machine();
    if !context.json {
        let cpu = about["cpu"].as_str().unwrap_or_default();
        print(&format!("six {} on {cpu}, {} cores", env!("CARGO_PKG_VERSION"), about["cores"]));
        print(&head());
    }
    if load().is_some_and(|load| load > quiet_load()) {
        context.say("this machine has other work to do: what is measured now is too long");
    }
    let mut measured = Measured::default();
    run.ingest(&mut measured)?;
    run.add(&mut measured, embedding::time_embedding(&provider)?);
    for chunks in &args.sizes {
        run.store(*chunks, &mut measured)?;
    }
    measured.absent.sort();
    measured.absent.dedup();
    let body = run.body(&measured, &about);
    let history = append(context, &body);
    if context.json {
        let mut body = body;
        if let (Value::Object(body), Ok(history)) = (&mut body, &history) {
            body.insert(String::from("history"), json!(history));
        }
        context.print(&object("bench-speed", body));
    } else {
        for absent in &measured.absent {
            print(&format!("not measured: {absent} is not beside this six"));
        }
    }
    match history {
        Ok(path) => context.say(&format!("appended to {}", path.display())),
        Err(why) => context.say(&format!("the history was not written: {why}")),
    }
    Ok(ExitCode::SUCCESS)
}

/// The load up to which there is room for what is measured: half of the cores.
fn quiet_load() -> f64 {
    f64::from(u32::try_from(cores()).unwrap_or(u32::MAX)) / 2.0
}

struct Run<'a> {
    context: &'a Context,
    args: &'a SpeedArgs,
    provider: &'a Provider,
}

impl Run<'_> {
    /// First ingest: of made-up sessions, and of real ones where they were named.
    fn ingest(&self, measured: &mut Measured) -> Result<(), Failure> {
        let stage = Stage::install()?;
        let written = reading::write_sessions(&stage, self.args.sessions)?;
        self.context.say(&format!("reading {} of made-up sessions", bytes(written)));
        self.add(measured, reading::time_ingest(&stage, &[], written, "made-up sessions")?);
        self.add(measured, vec![space::measure(&stage.store()?, "made-up sessions", "no vectors")?]);
        if let Some(folder) = &self.args.transcripts {
            let stage = Stage::install()?;
            let (files, found) = reading::find_sessions(&self.context.dir(Some(folder)))?;
            self.context.say(&format!("reading {} of real sessions", bytes(found)));
            self.add(measured, reading::time_ingest(&stage, &files, found, "real sessions")?);
            self.add(measured, vec![space::measure(&stage.store()?, "real sessions", "no vectors")?]);
        }
        Ok(())
    }

    /// A made-up store of that size: searches in it, hooks beside it, what it takes on the disk.
    fn store(&self, chunks: usize, measured: &mut Measured) -> Result<(), Failure> {
        let on = format!("{chunks} chunks");
        let stage = Stage::install()?;
        self.context.say(&format!("making a store of {on}"));
        let store = stage.store()?;
        let known = library::fill(&store, chunks)?;
        self.add(measured, vec![space::measure(&store, &on, "no vectors")?]);
        library::fill_vectors(&store, &self.provider.model())?;
        self.add(measured, vec![space::measure(&store, &on, "every text with a vector")?]);
        self.add(measured, library::time_searches(&store, self.provider, chunks, &on)?);
        drop(store);
        self.context.say(&format!("{} runs of each hook beside it", self.args.runs));
        let timed = hooks::time_hooks(&stage, chunks, &on, &known, self.args.runs.get())?;
        self.add(measured, timed.figures);
        measured.absent.extend(timed.absent);
        self.add(measured, vec![space::measure(&stage.store()?, &on, "with the hooks' rows")?]);
        Ok(())
    }

    /// Shows figures as they come: the whole takes minutes.
    fn add(&self, measured: &mut Measured, figures: Vec<Figure>) {
        if !self.context.json {
            for figure in &figures {
                print(&figure.line());
            }
        }
        measured.figures.extend(figures);
    }

    fn body(&self, measured: &Measured, about: &Value) -> Value {
        json!({
            "at": self.context.now.rfc3339(),
            "machine": about,
            "versions": versions(self.provider),
            "sizes": self.args.sizes,
            "runs": self.args.runs,
            "figures": measured.figures,
            "not_measured": measured.absent,
        })
    }
}

/// Adds the run to the history of this machine, one JSON object a line.
fn append(context: &Context, body: &Value) -> Result<PathBuf, String> {
    let home = SixHome::resolve(&context.env).map_err(|fault| fault.to_string())?;
    let path = home.root().join("bench-history.jsonl");
    let told = |fault: std::io::Error| format!("{}: {fault}", path.display());
    create_private_dir(home.root()).map_err(told)?;
    let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(told)?;
    file.write_all(format!("{}\n", object("bench-speed", body.clone())).as_bytes()).map_err(told)?;
    Ok(path)
}
