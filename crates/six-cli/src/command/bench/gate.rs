//! `six bench gate`

use std::process::ExitCode;
use std::{fs, iter};

use serde::Serialize;
use serde_json::{Value, json};
use six_core::inject::Limits;
use six_runtime::config::Configuration;
use six_runtime::embed::Provider;
use six_runtime::project::identity::Project;

use self::label::{Labelled, built_in, parse_labels, unrelated};
use self::planted::Planted;
use self::play::Clock;
use self::reading::{Reading, read};
use self::relevance::{Outcome, Relevance, measure};
use self::scene::{Scene, Trials};
use self::sweep::{Moved, SweepRow, moves};
use super::corpus::provider;
use super::machine::{machine, versions};
use crate::cli::GateArgs;
use crate::command::config::config_failure;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::{count, object, quoted};

mod filler;
mod intent;
mod label;
mod planted;
mod play;
mod reading;
mod relevance;
mod scene;
mod share;
mod sweep;
mod text;

/// What was said in a store.
#[derive(Debug, Serialize)]
struct Tried {
    /// Distinct chunks: what frequencies are counted over.
    chunks: u64,
    #[serde(flatten)]
    came: Relevance,
    sweep: Vec<SweepRow>,
    /// Misses and false alarms, at the thresholds in force.
    wrong: Vec<Outcome>,
}

/// All that was measured.
#[derive(Debug)]
struct Measured {
    /// Where the labels come from.
    labels: String,
    intent: Reading,
    /// In a made-up store.
    made_up: Tried,
    /// In a copy of the project's own.
    own: Option<Tried>,
}

/// Runs it. A figure that misses what was promised is told and is no failure.
pub(crate) fn run(context: &Context, args: &GateArgs) -> Result<ExitCode, Failure> {
    let provider = provider()?;
    let bench = Bench::new(context, args, &provider)?;
    let (labels, prompts) = bench.labels()?;
    let measured = Measured {
        labels,
        intent: read(&prompts, bench.clock, &bench.limits)?,
        made_up: bench.in_made_up_store()?,
        own: bench.project.as_ref().map(|project| bench.in_own_store(project)).transpose()?,
    };
    context.print(&if context.json {
        object("bench-gate", bench.body(&measured))
    } else {
        text::render(&measured, args.verbose)
    });
    Ok(ExitCode::SUCCESS)
}

struct Bench<'a> {
    context: &'a Context,
    args: &'a GateArgs,
    provider: &'a Provider,
    clock: Clock,
    /// Whose store is tried as well.
    project: Option<Project>,
    /// The thresholds in force: the project's, if its store is tried, else the user's.
    limits: Limits,
    moves: Vec<Moved>,
    built_in: Vec<Labelled>,
    unrelated: Vec<Labelled>,
    planted: Vec<Planted>,
}

impl<'a> Bench<'a> {
    fn new(context: &'a Context, args: &'a GateArgs, provider: &'a Provider) -> Result<Self, Failure> {
        let damaged = |why| Failure::misuse(format_args!("the prompts inside this binary: {why}"), "./install.sh");
        let project = if args.store { Some(context.project()?) } else { None };
        let read = Configuration::read(&context.env, project.as_ref().map(|project| project.store_dir.as_path()));
        let limits = read.whole().map_err(|fault| config_failure(&fault))?.inject.limits;
        Ok(Self {
            context,
            args,
            provider,
            clock: Clock { now: context.now, offset: context.offset },
            moves: if args.sweep || context.json { moves(&limits) } else { Vec::new() },
            project,
            limits,
            built_in: built_in().map_err(damaged)?,
            unrelated: unrelated().map_err(damaged)?,
            planted: planted::built_in(context.now).map_err(damaged)?,
        })
    }

    /// The labelled prompts, with the name of where they come from.
    fn labels(&self) -> Result<(String, Vec<Labelled>), Failure> {
        let Some(file) = &self.args.labels else { return Ok((String::from("built-in"), self.built_in.clone())) };
        let path = self.context.dir(Some(file));
        let refused = |why: String| {
            let next = "six bench gate --labels FILE: one JSON object a line with text and intent (docs/benchmarks.md)";
            Failure::misuse(format_args!("{}: {why}", quoted(&path)), next)
        };
        let text = fs::read_to_string(&path).map_err(|fault| refused(format!("can't be read: {fault}")))?;
        let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let labels = parse_labels(&name, &text).map_err(refused)?;
        Ok((path.display().to_string(), labels))
    }

    fn in_made_up_store(&self) -> Result<Tried, Failure> {
        let scene = Scene::made_up(&self.built_in, &self.planted, self.provider, self.clock)?;
        self.tell("a made-up store", scene.chunks()?);
        let unrelated = scene.try_unrelated(&self.unrelated, &self.thresholds())?;
        Ok(self.tried(scene.chunks()?, unrelated, scene.try_planted(&self.planted, &self.thresholds())?))
    }

    /// Unrelated prompts meet what is stored there; then the made-up project is planted into the copy.
    fn in_own_store(&self, project: &Project) -> Result<Tried, Failure> {
        let own = Context::reader(project)?;
        let scene = Scene::copy_of(&own, self.provider, self.clock)?;
        drop(own);
        let chunks = scene.chunks()?;
        self.tell("a copy of the project's store", chunks);
        let unrelated = scene.try_unrelated(&self.unrelated, &self.thresholds())?;
        scene.plant(&self.planted)?;
        Ok(self.tried(chunks, unrelated, scene.try_planted(&self.planted, &self.thresholds())?))
    }

    fn tell(&self, place: &str, chunks: u64) {
        let prompts = self.unrelated.len() + self.planted.iter().map(|one| one.asks.len()).sum::<usize>();
        self.context.say(&format!("trying {prompts} prompts in {place} of {}", count(chunks, "chunk")));
    }

    /// The thresholds in force, then those moved.
    fn thresholds(&self) -> Vec<&Limits> {
        let moved = self.moves.iter().filter(|moved| !moved.in_force).map(|moved| &moved.limits);
        iter::once(&self.limits).chain(moved).collect()
    }

    fn tried(&self, chunks: u64, unrelated: Trials, planted: Trials) -> Tried {
        let mut trials = unrelated.into_iter().zip(planted).map(|(unrelated, planted)| [unrelated, planted].concat());
        let outcomes = trials.next().unwrap_or_default();
        let came = measure(&outcomes);
        let rows = self.moves.iter().filter_map(|moved| {
            Some(if moved.in_force {
                SweepRow::of(moved, &came)
            } else {
                SweepRow::of(moved, &measure(&trials.next()?))
            })
        });
        let sweep = rows.collect();
        Tried { chunks, came, sweep, wrong: outcomes.into_iter().filter(|one| !one.is_right()).collect() }
    }

    fn body(&self, measured: &Measured) -> Value {
        let mut body = json!({
            "labels": measured.labels,
            "intent": measured.intent,
            "store": measured.own,
            "limits": self.limits,
            "machine": machine(),
            "versions": versions(self.provider),
        });
        if let (Value::Object(body), Ok(Value::Object(made_up))) = (&mut body, serde_json::to_value(&measured.made_up))
        {
            body.extend(made_up);
        }
        body
    }
}
