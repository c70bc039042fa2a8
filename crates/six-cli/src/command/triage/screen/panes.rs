//! Words of the screen: what the keys do, what can be chosen.

use unicode_width::UnicodeWidthStr;

use super::evidence::{Row, similar_line};
use super::look::Role;
use super::mode::{Mode, ThreadChoice};
use super::state::State;
use super::width::one_line;

/// What can be chosen at the moment.
pub(super) struct Choices {
    pub(super) name: &'static str,
    pub(super) lines: Vec<String>,
    /// Index of the marked line.
    pub(super) at: usize,
    pub(super) when_empty: &'static str,
}

/// The choices of a picker; `None` when nothing is being chosen.
pub(super) fn choices(state: &State) -> Option<Choices> {
    match &state.mode {
        Mode::Thread(picker) => Some(Choices {
            name: "threads",
            lines: picker.choices.iter().map(thread_line).collect(),
            at: picker.at,
            when_empty: "type the name of a new thread",
        }),
        Mode::Record(_, picker) => Some(Choices {
            name: "records",
            lines: picker.choices.iter().map(similar_line).collect(),
            at: picker.at,
            when_empty: "type words of the other record",
        }),
        _ => None,
    }
}

fn thread_line(choice: &ThreadChoice) -> String {
    match choice {
        ThreadChoice::Known(_, name) => one_line(name),
        ThreadChoice::New(name) => format!("new thread: {}", one_line(name)),
    }
}

/// What the keys do in a mode, the most wanted first.
const fn words(mode: &Mode) -> &'static [&'static str] {
    match mode {
        Mode::List => &[
            "c:confirm",
            "r:reject",
            "?:help",
            "q:leave",
            "u:undo",
            "e:title",
            "t:thread",
            "m:merge",
            "s:supersede",
            "x:kind",
            "a:all",
            "space:next",
            "/:filter",
        ],
        Mode::Whole | Mode::Help => &["q:back", "j k space PgUp g G:scroll"],
        Mode::Title(_) => &["Enter:take", "Esc:drop", "Ctrl-W:delete a word"],
        Mode::Filter(_) => &["Enter:keep", "Esc:show all"],
        Mode::Thread(_) => &["Enter:take", "Esc:back", "Up Down:choose", "or type to narrow"],
        Mode::Record(..) => &["Enter:take", "Esc:back", "Up Down:choose", "or type to search"],
    }
}

/// As many of a mode's keys as fit.
pub(super) fn keys(mode: &Mode, columns: usize) -> String {
    let mut line = String::new();
    for word in words(mode) {
        let gap = if line.is_empty() { "" } else { " " };
        if line.width() + gap.len() + word.width() > columns {
            break;
        }
        line.push_str(gap);
        line.push_str(word);
    }
    line
}

/// Every key, with what it does. Narrow enough for the smallest screen.
const HELP: [(&str, &str); 24] = [
    ("", "A verdict is applied at once"),
    ("c y", "confirm: it is so"),
    ("r n", "reject: not so, or not worth it"),
    ("m", "merge: evidence of another record"),
    ("s", "supersede: another replaced it"),
    ("u", "undo the last verdict, and so on"),
    ("", "Edits go with the verdict (*)"),
    ("e", "edit the title"),
    ("t", "set the thread, or a new one"),
    ("x", "make it the next kind: D, E, C"),
    ("", "Moving"),
    ("space Tab", "next, without a verdict"),
    ("j k", "down, up; also the arrows"),
    ("PgDn PgUp", "a page down, up"),
    ("g G", "first, last"),
    ("J K", "scroll the evidence"),
    ("a Enter", "the whole text"),
    ("/", "only what has these words"),
    ("", "Leaving"),
    ("q Esc", "leave; what is judged stays"),
    ("Ctrl-C", "leave at once"),
    ("Ctrl-Z", "stop; fg comes back"),
    ("", "D decision   E dead end"),
    ("", "C correction S cheatsheet"),
];

/// [`HELP`] as lines.
pub(super) fn help() -> Vec<Row> {
    let row = |(key, does): &(&str, &str)| match *key {
        "" => Row { role: Role::Label, text: (*does).to_owned() },
        key => Row { role: Role::Text, text: format!("  {key:<10}{does}") },
    };
    HELP.iter().map(row).collect()
}
