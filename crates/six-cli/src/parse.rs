//! From the words of the command line to a command.

use std::ffi::OsString;

use chrono::{FixedOffset, NaiveDate, NaiveTime};
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use six_core::record::UnixMs;

use crate::cli::Cli;
use crate::output::complain;
use crate::wish::meant;

/// Parses, or prints an answer (help, version, an error with the command that was meant) and ends the process.
///
/// What is searched for may look like a flag (`six search --no-verify`): a word that is no flag and near to none is a
/// word of the query.
pub(crate) fn parse(words: impl Iterator<Item = OsString>) -> Cli {
    let words: Vec<OsString> = words.collect();
    try_parse(words.clone()).unwrap_or_else(|fault| match meant(fault.kind(), &words) {
        Some(failure) => {
            complain(&failure);
            std::process::exit(failure.exit as i32)
        }
        None => fault.exit(),
    })
}

fn try_parse(mut words: Vec<OsString>) -> Result<Cli, clap::Error> {
    loop {
        let fault = match Cli::try_parse_from(&words) {
            Ok(cli) => return Ok(cli),
            Err(fault) => fault,
        };
        let Some(at) = word_of_a_query(&fault, &words) else { return Err(fault) };
        let word = words.remove(at);
        if !words.iter().any(|word| word == "--") {
            words.push(OsString::from("--"));
        }
        words.push(word);
    }
}

/// Where the word stands that clap took for an unknown flag of `search`.
fn word_of_a_query(fault: &clap::Error, words: &[OsString]) -> Option<usize> {
    let is_search = words.iter().any(|word| word == "search");
    let has_advice = fault.get(ContextKind::SuggestedArg).is_some();
    if fault.kind() != ErrorKind::UnknownArgument || !is_search || has_advice {
        return None;
    }
    let Some(ContextValue::String(unknown)) = fault.get(ContextKind::InvalidArg) else { return None };
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
    words.iter().take(end).position(|word| {
        let word = word.to_string_lossy();
        // Clap names the flag alone: of `--x=3` the `--x`, of `-abc` the first letter that it does not know.
        match unknown.strip_prefix('-').filter(|letter| !letter.starts_with('-')) {
            Some(letter) => word.starts_with('-') && !word.starts_with("--") && word.contains(letter),
            None => word.starts_with(unknown.as_str()),
        }
    })
}

/// When a local day begins that is typed as `2026-03-14`.
pub(crate) fn parse_day(text: &str, offset: FixedOffset) -> Option<UnixMs> {
    let date = NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?;
    let midnight = date.and_time(NaiveTime::MIN).and_utc().timestamp_millis();
    Some(UnixMs(midnight - i64::from(offset.local_minus_utc()) * 1000))
}

/// Milliseconds of a span of time as it is typed: `30m`, `12h`, `7d`, `2w`.
pub(crate) fn parse_span(text: &str) -> Option<i64> {
    let (end, unit) = text.char_indices().last()?;
    let ms = match unit {
        'm' => 60_000,
        'h' => 3_600_000,
        'd' => UnixMs::DAY_MS,
        'w' => 7 * UnixMs::DAY_MS,
        _ => return None,
    };
    i64::from(text.get(..end)?.parse::<u32>().ok()?).checked_mul(ms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Command;

    fn parsed(line: &str) -> Result<Cli, clap::Error> {
        try_parse(line.split(' ').map(OsString::from).collect())
    }

    fn query(line: &str) -> (Vec<String>, bool) {
        match parsed(line).unwrap() {
            Cli { command: Command::Search(args), json, .. } => (args.query, json),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_are_flags_wherever_they_stand() {
        assert_eq!(query("six search retry budget --json"), (vec!["retry".into(), "budget".into()], true));
        assert_eq!(query("six search --json retry"), (vec!["retry".into()], true));
    }

    #[test]
    fn a_word_that_only_looks_like_a_flag_is_searched_for() {
        assert_eq!(query("six search --no-verify --json").0, ["--no-verify"]);
        assert_eq!(query("six search commit --no-verify").0, ["commit", "--no-verify"]);
        assert_eq!(query("six search -xzf").0, ["-xzf"]);
        assert_eq!(query("six search -- --json").0, ["--json"]);
        assert_eq!(query("six search --json -x lantern"), (vec!["lantern".into(), "-x".into()], true));
    }

    #[test]
    fn a_mistyped_flag_gets_advice_and_other_commands_take_no_words() {
        assert!(parsed("six search retry --limt 3").is_err());
        assert!(parsed("six status --no-verify").is_err());
    }
}
