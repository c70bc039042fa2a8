//! A standing correction is shown where it matters, once, and nowhere else.

use testkit::{Scratch, payload};

fn installed() -> Scratch {
    let scratch = Scratch::new();
    let sections: Vec<String> =
        (0..400).map(|n| format!("## Part {n}\n\nThe rope of part {n} is checked.\n")).collect();
    scratch.write("docs/parts.md", &sections.join("\n"));
    scratch.commit("docs: the parts");
    scratch.six(&["install", "--no-templates"]).ok();
    scratch.six(&["correction", "add", "Use pnpm, not npm", "--why", "the lockfile is pnpm's"]).ok();
    scratch
}

fn told(scratch: &Scratch, number: u16, prompts: &[&str]) -> Vec<bool> {
    let mut session = scratch.session(number);
    prompts
        .iter()
        .map(|prompt| {
            let run = scratch.answer("user-prompt-submit", &payload::user_prompt(&mut session, prompt));
            run.context().is_some_and(|told| told.contains("<correction>") && told.contains("Use pnpm, not npm"))
        })
        .collect()
}

#[test]
fn whoever_installs_a_package_is_told_and_whoever_styles_a_page_is_not() {
    let scratch = installed();
    let asked = [
        "Install the date picker package.",
        "Add lodash as a dependency with npm.",
        "Make the sidebar of the page blue.",
    ];
    let each: Vec<bool> =
        asked.iter().zip(1..).flat_map(|(prompt, number)| told(&scratch, number, &[prompt])).collect();
    assert_eq!(each, [true, true, false]);
}

#[test]
fn it_is_said_once_a_session_and_again_after_a_compaction() {
    let scratch = installed();
    let asked = ["Install the date picker package.", "Install the colour picker package.", "Thanks, looks good"];
    assert_eq!(told(&scratch, 1, &asked), [true, false, false]);
    let _ = scratch.answer("session-start", &payload::session_start(&scratch.session(1), "compact"));
    assert_eq!(told(&scratch, 1, &asked[..1]), [true]);
}

#[test]
fn a_question_about_it_is_no_rule() {
    let scratch = installed();
    let _ = told(&scratch, 1, &["why pnpm?"]);
    assert_eq!(scratch.store_rows("SELECT 1 FROM record").len(), 1);
}

#[test]
fn one_that_waits_or_was_rejected_is_not_shown() {
    let scratch = Scratch::new();
    scratch.six(&["install", "--no-templates", "--no-ingest"]).ok();
    scratch.six_as_agent(&["correction", "add", "Use pnpm, not npm"]).ok();
    assert_eq!(told(&scratch, 1, &["Install the date picker package."]), [false]);
    let id = scratch.store_rows("SELECT id FROM record")[0]["id"].as_str().expect("an id").to_owned();
    scratch.six(&["correction", "reject", &id]).ok();
    assert_eq!(told(&scratch, 2, &["Install the date picker package."]), [false]);
}
