//! Install and uninstall over settings files of any layout.

use super::{HOOK_BINARIES, HookEntry, is_our_program, plan_install, plan_uninstall, undo, validate_hooks};
use proptest::prelude::*;
use serde_json::{Value, json};

fn wanted() -> Vec<HookEntry> {
    let entry = |(event, binary): &(&str, &str)| HookEntry {
        event: (*event).to_owned(),
        matcher: Some("Edit|Write".to_owned()).filter(|_| event.contains("Tool")),
        command: format!("C:/Users/sam/six \"é\"/{binary}.exe"),
        args: vec!["--via".to_owned(), "settings".to_owned()],
        timeout_s: 5,
        status_message: Some("six".to_owned()),
    };
    HOOK_BINARIES.iter().map(entry).collect()
}

fn foreign_handler() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({"type": "command", "command": "node /w/six-notes/my-hook.js"})),
        Just(json!({"type": "command", "command": "say six-stop", "timeout": 0.5})),
        Just(json!({"type": "http", "url": "https://example.invalid/é{[\"]}"})),
    ]
}

fn our_handler() -> impl Strategy<Value = Value> {
    (0..HOOK_BINARIES.len(), any::<bool>()).prop_map(|(at, exec)| {
        let mut handler = json!({"type": "command", "command": format!("/old/{}", HOOK_BINARIES[at].1)});
        if exec {
            handler["args"] = json!(["--old"]);
        }
        handler
    })
}

fn settings(handler: BoxedStrategy<Value>, least: usize) -> impl Strategy<Value = Value> {
    let group = (proptest::collection::vec(handler, least..3), any::<bool>()).prop_map(|(handlers, matched)| {
        if matched { json!({"matcher": "Bash", "hooks": handlers}) } else { json!({"hooks": handlers}) }
    });
    let event = prop_oneof![Just("Stop"), Just("PreToolUse"), Just("SessionStart"), Just("Notification")];
    let hooks = proptest::collection::btree_map(event, proptest::collection::vec(group, least..3), least..4);
    let foreign = proptest::collection::btree_map(
        "[a-z]{1,4}",
        prop_oneof![Just(json!("x")), Just(json!([])), Just(json!({})), Just(json!({"k": [1, null, {"hooks": []}]}))],
        0..3,
    );
    (foreign, proptest::option::of(hooks)).prop_map(|(foreign, hooks)| {
        let mut root = json!(foreign);
        if let Some(hooks) = hooks {
            root["hooks"] = json!(hooks);
        }
        root
    })
}

/// Writes a value with white space of all sorts.
fn written(value: &Value, spaces: &mut dyn FnMut() -> &'static str) -> String {
    let list = |items: Vec<String>, spaces: &mut dyn FnMut() -> &'static str| {
        let mut text = String::from(spaces());
        for (at, item) in items.into_iter().enumerate() {
            text += if at > 0 { "," } else { "" };
            text += if at > 0 { spaces() } else { "" };
            text += &item;
            text += spaces();
        }
        text
    };
    match value {
        Value::Object(members) => {
            let items = members
                .iter()
                .map(|(name, value)| {
                    let name = serde_json::to_string(name).unwrap().replace("ok", "\\u006fk");
                    format!("{name}{}:{}{}", spaces(), spaces(), written(value, spaces))
                })
                .collect();
            format!("{{{}}}", list(items, spaces))
        }
        Value::Array(values) => {
            let items = values.iter().map(|value| written(value, spaces)).collect();
            format!("[{}]", list(items, spaces))
        }
        other => other.to_string(),
    }
}

fn texts(value: impl Strategy<Value = Value>) -> impl Strategy<Value = String> {
    const STYLES: [&[&str]; 4] =
        [&[""], &["", " ", "\n", "\t", "\n    "], &["\r\n", "\r\n\t", "", " "], &["\n  ", "\n", "\n\n", "  "]];
    let picks = proptest::collection::vec(any::<u8>(), 1..60);
    (value, picks, 0..STYLES.len(), any::<bool>(), any::<bool>()).prop_map(|(value, picks, style, mark, last_end)| {
        let mut at = 0;
        let mut spaces = || {
            at += 1;
            STYLES[style][usize::from(picks[at % picks.len()]) % STYLES[style].len()]
        };
        let body = written(&value, &mut spaces);
        let (before, after) = (if mark { "\u{feff}" } else { "" }, if last_end { spaces() } else { "" });
        format!("{before}{body}{after}")
    })
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap()
}

proptest! {
    #[test]
    fn an_install_is_complete_idempotent_and_can_be_taken_back(
        text in texts(settings(prop_oneof![foreign_handler(), our_handler()].boxed(), 0))
    ) {
        let edit = plan_install(&text, &wanted()).unwrap();
        prop_assert_eq!(validate_hooks(&edit.text), Ok(()));
        prop_assert_eq!(undo(&edit.text, &edit.spans), Some(text.clone()));
        prop_assert!(edit.added.len() <= HOOK_BINARIES.len());
        for entry in wanted() {
            let groups = parsed(&edit.text)["hooks"][&entry.event].clone();
            prop_assert!(groups.to_string().contains(&serde_json::to_string(&entry.command).unwrap()));
        }
        let again = plan_install(&edit.text, &wanted()).unwrap();
        prop_assert_eq!((again.text, again.spans.len()), (edit.text, 0));
    }

    #[test]
    fn uninstall_gives_back_the_bytes_before_the_install(text in texts(settings(foreign_handler().boxed(), 1))) {
        let edit = plan_install(&text, &wanted()).unwrap();
        prop_assert_eq!(plan_uninstall(&edit.text, is_our_program).unwrap().text, text);
    }

    #[test]
    fn uninstall_leaves_all_that_is_foreign_and_nothing_of_ours(
        text in texts(settings(prop_oneof![foreign_handler(), our_handler()].boxed(), 0))
    ) {
        let edit = plan_uninstall(&text, is_our_program).unwrap();
        prop_assert_eq!(undo(&edit.text, &edit.spans), Some(text.clone()));
        prop_assert!(!edit.text.contains("/old/six-"));
        for foreign in ["node /w/six-notes", "say six-stop", "example.invalid"] {
            prop_assert_eq!(edit.text.matches(foreign).count(), text.matches(foreign).count());
        }
        let (mut before, mut after) = (parsed(&text), parsed(&edit.text));
        before["hooks"].take();
        after["hooks"].take();
        prop_assert_eq!(before, after);
    }

    #[test]
    fn any_text_is_answered(text in r#"[\[\]{}:,"/*\\ \n\u{feff}éa0-9]{0,40}"#) {
        let _ = plan_install(&text, &wanted());
        let _ = plan_uninstall(&text, is_our_program);
    }
}
