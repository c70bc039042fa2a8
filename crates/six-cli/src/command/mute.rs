//! `six mute`

use std::process::ExitCode;

use serde_json::{Value, json};
use six_core::record::{Mute, SessionId, UnixMs};
use six_core::text::printable;

use crate::cli::MuteArgs;
use crate::context::Context;
use crate::failure::{Exit, Failure, store_failure};
use crate::output::object;
use crate::parse::parse_span;

/// Whom a command is about.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    /// One session.
    Session(SessionId),
    /// All sessions of the project.
    Project,
}

/// Runs it: exit code 1 when nothing was muted that was to be ended or listed.
pub(crate) fn run(context: &Context, args: &MuteArgs) -> Result<ExitCode, Failure> {
    if args.list {
        return list(context);
    }
    let target = target(context, args)?;
    if args.off { end(context, args, &target) } else { begin(context, args, target) }
}

/// The session that is named, or in which the command is given; else the project. A command that comes from inside the
/// host may have been given by the agent as well as by the person (`! six mute`), and an agent silences nobody but itself.
fn target(context: &Context, args: &MuteArgs) -> Result<Target, Failure> {
    let own = context.env.session.as_deref();
    let target = match (args.session.as_deref().or(own), args.whole_project) {
        (Some(session), false) => Target::Session(SessionId::new(session.trim())),
        _ => Target::Project,
    };
    let is_own = matches!(&target, Target::Session(session) if own == Some(session.as_str()));
    if context.env.claudecode && !is_own {
        return Err(Failure::misuse(
            "inside Claude Code only the session itself can be muted or unmuted: the command may be the agent's",
            "six mute (this session), or the same command in a terminal of your own",
        ));
    }
    if matches!(&target, Target::Session(session) if session.as_str().is_empty()) {
        return Err(Failure::misuse(
            "the session's id is empty",
            "six why --list shows turns, six why N their session",
        ));
    }
    Ok(target)
}

fn begin(context: &Context, args: &MuteArgs, target: Target) -> Result<ExitCode, Failure> {
    let until = parse_until(&args.how_long, context.now)?;
    let project = context.project()?;
    let store = context.writer(&project)?;
    let session = match target {
        Target::Session(session) => Some(session),
        Target::Project => None,
    };
    let failed = |fault| store_failure(&project, &fault);
    store.mute(&Mute { session, since: context.now, until }).map_err(failed)?;
    print(context, &store.mutes(context.now).map_err(failed)?);
    context.say("prompts, tools and session starts get nothing; rows are written as ever. To end it: six mute --off");
    Ok(ExitCode::SUCCESS)
}

fn end(context: &Context, args: &MuteArgs, target: &Target) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = context.writer(&project)?;
    let failed = |fault| store_failure(&project, &fault);
    let everything = *target == Target::Project && !args.whole_project;
    let ended = store.mutes(context.now).map_err(failed)?.into_iter().filter(|mute| match target {
        Target::Session(session) => mute.session.as_ref() == Some(session),
        Target::Project => everything || mute.session.is_none(),
    });
    let ended: Vec<Mute> = ended.collect();
    for mute in &ended {
        store.unmute(mute.session.as_ref()).map_err(failed)?;
    }
    let left = store.mutes(context.now).map_err(failed)?;
    print(context, &left);
    if ended.is_empty() {
        context.say("that was not muted");
        return Ok(Exit::Nothing.into());
    }
    if left.is_empty() && !context.json {
        context.say("nothing is muted any more");
    }
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context) -> Result<ExitCode, Failure> {
    let project = context.project()?;
    let store = Context::reader(&project)?;
    let mutes = store.mutes(context.now).map_err(|fault| store_failure(&project, &fault))?;
    print(context, &mutes);
    if mutes.is_empty() {
        context.say("nothing is muted");
        return Ok(Exit::Nothing.into());
    }
    Ok(ExitCode::SUCCESS)
}

fn parse_until(how_long: &str, now: UnixMs) -> Result<Option<UnixMs>, Failure> {
    if how_long == MuteArgs::UNTIL_UNMUTED {
        return Ok(None);
    }
    let span = parse_span(how_long).filter(|span| *span > 0).ok_or_else(|| {
        Failure::misuse(
            format_args!("--for {how_long:?} is no time"),
            format_args!("30m, 2h, 1d, 1w, or {}", MuteArgs::UNTIL_UNMUTED),
        )
    })?;
    Ok(Some(UnixMs(now.0.saturating_add(span))))
}

fn print(context: &Context, mutes: &[Mute]) {
    context.print(&if context.json {
        object("mute", json!({"mutes": mutes_json(mutes)}))
    } else {
        mutes.iter().map(|mute| format!("muted  {}", mute_words(mute, context))).collect::<Vec<_>>().join("\n")
    });
}

/// One silence in words: whose, and until when.
pub(crate) fn mute_words(mute: &Mute, context: &Context) -> String {
    let whose = mute
        .session
        .as_ref()
        .map_or_else(|| String::from("the whole project"), |id| format!("session {}", printable(id.as_str())));
    let until = mute.until.map_or_else(|| String::from("it is unmuted"), |at| at.minute(context.offset));
    format!("{whose}, until {until}")
}

/// Silences as programs read them.
pub(crate) fn mutes_json(mutes: &[Mute]) -> Vec<Value> {
    let scope = |mute: &Mute| if mute.session.is_some() { "session" } else { "project" };
    let one = |mute: &Mute| {
        json!({
            "scope": scope(mute),
            "session": mute.session,
            "since": mute.since.rfc3339(),
            "until": mute.until.map(UnixMs::rfc3339),
        })
    };
    mutes.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> MuteArgs {
        MuteArgs {
            session: None,
            whole_project: false,
            how_long: MuteArgs::UNTIL_UNMUTED.to_owned(),
            off: false,
            list: false,
        }
    }

    fn inside() -> Context {
        let mut context = Context::fixed();
        context.env.claudecode = true;
        context.env.session = Some("s-1".into());
        context
    }

    fn session(id: &str) -> Target {
        Target::Session(SessionId::new(id))
    }

    #[test]
    fn inside_a_session_it_is_about_that_session_and_elsewhere_about_the_project() {
        assert_eq!(target(&inside(), &args()).unwrap(), session("s-1"));
        assert_eq!(target(&Context::fixed(), &args()).unwrap(), Target::Project);
        let named = MuteArgs { session: Some("s-2".into()), ..args() };
        assert_eq!(target(&Context::fixed(), &named).unwrap(), session("s-2"));
    }

    #[test]
    fn an_agent_silences_nobody_but_itself() {
        let others = MuteArgs { session: Some("s-2".into()), ..args() };
        let all = MuteArgs { whole_project: true, ..args() };
        for refused in [others, all] {
            assert_eq!(target(&inside(), &refused).unwrap_err().exit, Exit::Misuse);
        }
        let mut nameless = inside();
        nameless.env.session = None;
        insta::assert_snapshot!(target(&nameless, &args()).unwrap_err(), @"
        six: inside Claude Code only the session itself can be muted or unmuted: the command may be the agent's
          next: six mute (this session), or the same command in a terminal of your own
        ");
    }

    #[test]
    fn a_time_is_an_age_or_none() {
        let now = UnixMs(0);
        assert_eq!(parse_until("2h", now).unwrap(), Some(UnixMs(7_200_000)));
        assert_eq!(parse_until("until-unmuted", now).unwrap(), None);
        for wrong in ["", "2", "0h", "-2h", "2y", "tomorrow"] {
            assert!(parse_until(wrong, now).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_person_reads_whose_and_until_when() {
        let context = Context::fixed();
        let mute =
            |session: Option<&str>, until| Mute { session: session.map(SessionId::new), since: context.now, until };
        let told = [mute(None, None), mute(Some("5e55\u{1b}[2J"), Some(UnixMs(context.now.0 + 7_200_000)))];
        let told: Vec<String> = told.iter().map(|mute| mute_words(mute, &context)).collect();
        insta::assert_snapshot!(told.join("\n"), @"
        the whole project, until it is unmuted
        session 5e55�[2J, until 2026-01-01 02:00
        ");
    }
}
