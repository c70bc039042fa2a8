//! What people type where another command does what they want: the error names that one.

use std::ffi::OsString;

use clap::error::ErrorKind;
use six_core::record::RecordState;
use six_core::text::printable;

use crate::failure::Failure;

/// Stands for what was typed behind the words, in the command that is named.
const ID: &str = "ID";

/// First word, second word (nothing: whatever it is, [`ID`]: any that is there), and the command that does it.
const WISHES: [(&str, &str, &str); 27] = [
    ("triage", "list", "six triage --list"),
    ("triage", "apply", "six triage --apply FILE"),
    ("triage", "undo", "six triage --undo last"),
    ("triage", "review", "six triage --review"),
    ("triage", "confirm", CONFIRM),
    ("triage", "reject", REJECT),
    (
        "triage",
        ID,
        "six show ID, then confirm or reject it by its kind: six decision confirm ID, six correction reject ID",
    ),
    ("confirm", "", CONFIRM),
    ("reject", "", REJECT),
    ("retire", "", "six decision retire ID, or dead-end, or correction: the kind that six show ID tells"),
    ("supersede", "", "six decision supersede OLD NEW, or dead-end, or correction: the kind that six show ID tells"),
    ("edit", "", "six decision edit ID, or dead-end, or correction: the kind that six show ID tells"),
    ("add", "", "six decision add TITLE, six dead-end add TITLE or six correction add TITLE"),
    ("list", "", "six decision list, six dead-end list, six correction list or six triage --list"),
    ("undo", "", "six triage --undo last"),
    ("inbox", "", "six triage --list"),
    ("pending", "", "six triage --list"),
    ("review", "", "six triage --review"),
    ("history", "", "six log ID"),
    ("rule", "", "six correction list"),
    ("rules", "", "six correction list"),
    ("corrections", "", "six correction list"),
    ("decisions", "", "six decision list"),
    ("dead-ends", "", "six dead-end list"),
    ("threads", "", "six thread list"),
    ("story", "", "six lineage THREAD"),
    ("find", "", "six search QUERY"),
];

const CONFIRM: &str = "six decision confirm ID, or dead-end, or correction: the kind that six triage --list tells";
const REJECT: &str = "six decision reject ID, or dead-end, or correction: the kind that six triage --list tells";

/// Kinds of records, as commands call them.
const KINDS: [&str; 3] = ["decision", "dead-end", "correction"];

/// What to answer to words that clap refused, where what was wanted is known.
pub(crate) fn meant(refused: ErrorKind, words: &[OsString]) -> Option<Failure> {
    if !matches!(refused, ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument) {
        return None;
    }
    let typed: Vec<String> = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let plain = plain_words(&typed);
    let next = state_of_list(&plain, &typed).or_else(|| command_for(&plain))?;
    let typed = typed.join(" ");
    Some(Failure::misuse(format_args!("there is no command \"six {}\"", printable(&typed)), next))
}

/// The words that are no flags and no values of the global one that takes a value.
fn plain_words(typed: &[String]) -> Vec<&str> {
    let mut plain = Vec::new();
    let mut is_value = false;
    for word in typed {
        if !is_value && !word.starts_with('-') {
            plain.push(word.as_str());
        }
        is_value = word == "--project";
    }
    plain
}

/// `six decision list --pending`: a state as a flag.
fn state_of_list(plain: &[&str], typed: &[String]) -> Option<String> {
    let [kind, "list", ..] = plain else { return None };
    let flag = |word: &String| RecordState::parse(word.strip_prefix("--")?);
    let state = typed.iter().find_map(flag).filter(|_| KINDS.contains(kind))?;
    Some(format!("six {kind} list --state {}", state.as_str()))
}

fn command_for(plain: &[&str]) -> Option<String> {
    let (first, second) = (plain.first()?, plain.get(1));
    let is_meant = |(one, two, _): &&(&str, &str, &str)| {
        one == first && (two.is_empty() || second == Some(two) || *two == ID && second.is_some())
    };
    let (_, two, next) = WISHES.iter().find(is_meant)?;
    let at = if two.is_empty() || *two == ID { 1 } else { 2 };
    Some(plain.get(at).map_or_else(|| (*next).to_owned(), |id| next.replace(ID, &printable(id))))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::Cli;

    fn answer(line: &str) -> Option<Failure> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        meant(Cli::try_parse_from(&words).unwrap_err().kind(), &words)
    }

    #[test]
    fn what_is_often_typed_wrong_is_answered_with_the_command_that_does_it() {
        let told: Vec<String> = [
            "six triage list",
            "six triage undo",
            "six triage confirm 8953",
            "six triage 8953",
            "six --project /tmp confirm 8953 --json",
            "six reject",
            "six undo",
            "six history 8953",
            "six rules",
            "six decision list --pending",
            "six --json correction list --confirmed",
        ]
        .into_iter()
        .map(|line| answer(line).unwrap().to_string())
        .collect();
        insta::assert_snapshot!(told.join("\n"), @r#"
        six: there is no command "six triage list"
          next: six triage --list
        six: there is no command "six triage undo"
          next: six triage --undo last
        six: there is no command "six triage confirm 8953"
          next: six decision confirm 8953, or dead-end, or correction: the kind that six triage --list tells
        six: there is no command "six triage 8953"
          next: six show 8953, then confirm or reject it by its kind: six decision confirm 8953, six correction reject 8953
        six: there is no command "six --project /tmp confirm 8953 --json"
          next: six decision confirm 8953, or dead-end, or correction: the kind that six triage --list tells
        six: there is no command "six reject"
          next: six decision reject ID, or dead-end, or correction: the kind that six triage --list tells
        six: there is no command "six undo"
          next: six triage --undo last
        six: there is no command "six history 8953"
          next: six log 8953
        six: there is no command "six rules"
          next: six correction list
        six: there is no command "six decision list --pending"
          next: six decision list --state pending
        six: there is no command "six --json correction list --confirmed"
          next: six correction list --state confirmed
        "#);
    }

    #[test]
    fn of_what_nobody_means_by_it_clap_speaks() {
        for line in ["six decisio list", "six triage --lst", "six status --pending", "six decision list --pendign"] {
            assert!(answer(line).is_none(), "{line}");
        }
    }

    #[test]
    fn every_command_that_is_named_is_one() {
        let commands = WISHES.iter().flat_map(|(_, _, next)| next.split("six ").skip(1));
        for command in commands {
            let is_word = |word: &&str| word.starts_with(|c: char| c.is_ascii_lowercase());
            let words = command.split([',', ':', ' ']).take_while(is_word).take(2);
            let words: Vec<&str> = ["six"].into_iter().chain(words).chain(["--help"]).collect();
            let kind = Cli::try_parse_from(&words).map_or_else(|fault| fault.kind(), |cli| panic!("{cli:?}"));
            assert!(kind == ErrorKind::DisplayHelp, "{words:?}: {kind:?}");
        }
    }
}
