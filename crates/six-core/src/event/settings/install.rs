//! Wiring our hooks.

use super::document::{Container, Document, groups_of, handlers_of, hooks_of, program_of_handler};
use super::entry::{HookEntry, program_name};
use super::fault::SettingsFault;
use super::layout::Layout;
use super::schema::{validate_document, validate_hooks};
use super::splice::{Edit, Splice, Wired};
use jsonc_parser::ast::{Object, ObjectProp, Value};
use jsonc_parser::common::Ranged;
use serde::{Serialize, Serializer};

/// Plans how the wanted entries get into a settings file; an empty text stands for no file.
///
/// An entry is known again by its event and the file name of its command. One that is there keeps its place, its time-out
/// and its message; only a wrong path or wrong arguments are repaired. One that is missing comes at the end, in a group
/// of its own. Planned again on the result, nothing changes.
pub fn plan_install(text: &str, wanted: &[HookEntry]) -> Result<Edit, SettingsFault> {
    let document = Document::parse(text)?;
    validate_document(&document)?;
    let mut plan = Plan { layout: Layout::of(&document), splices: Vec::new(), added: Vec::new(), repaired: Vec::new() };
    if !wanted.is_empty() {
        plan.wire(&document, &by_event(wanted));
    }
    let (text, spans) = document.spliced(plan.splices);
    validate_hooks(&text)?;
    Ok(Edit { text, spans, added: plan.added, repaired: plan.repaired, removed: Vec::new() })
}

struct Plan<'a> {
    layout: Layout<'a>,
    splices: Vec<Splice>,
    added: Vec<Wired>,
    repaired: Vec<Wired>,
}

impl Plan<'_> {
    fn wire(&mut self, document: &Document, events: &[EventWire]) {
        let hooks = document.root.as_ref().and_then(hooks_of);
        let Some(hooks) = hooks else {
            let item = self.layout.item(Some("hooks"), &HooksWire(events));
            self.splices.push(match &document.root {
                Some(root) => self.layout.appended(&root.into(), &[item]),
                None => self.layout.whole_file(&item),
            });
            self.added.extend(events.iter().flat_map(|event| &event.groups).map(|group| wired(group.entry)));
            return;
        };
        let mut new_events = Vec::new();
        for event in events {
            if let Some(present) = hooks.get(event.name) {
                self.wire_event(present, event);
            } else {
                new_events.push(self.layout.item(Some(event.name), &event.groups));
                self.added.extend(event.groups.iter().map(|group| wired(group.entry)));
            }
        }
        if !new_events.is_empty() {
            self.splices.push(self.layout.appended(&hooks.into(), &new_events));
        }
    }

    fn wire_event(&mut self, present: &ObjectProp, event: &EventWire) {
        let mut new_groups = Vec::new();
        for group in &event.groups {
            let program = program_name(&group.entry.command);
            let mut ours = groups_of(present)
                .iter()
                .filter_map(handlers_of)
                .flat_map(|handlers| &handlers.elements)
                .filter(|handler| program_of_handler(handler).map(program_name) == Some(program))
                .filter_map(Value::as_object)
                .peekable();
            if ours.peek().is_none() {
                new_groups.push(self.layout.item(None, group));
                self.added.push(wired(group.entry));
            }
            ours.for_each(|handler| self.repair(handler, group.entry));
        }
        if let (false, Some(groups)) = (new_groups.is_empty(), present.value.as_array()) {
            self.splices.push(self.layout.appended(&groups.into(), &new_groups));
        }
    }

    fn repair(&mut self, handler: &Object, entry: &HookEntry) {
        let before = self.splices.len();
        if let Some(command) = handler.get_string("command").filter(|command| command.value != entry.command) {
            self.replace(command, &entry.command);
        }
        match handler.get("args") {
            Some(args) if !has_args(&args.value, &entry.args) => self.replace(&args.value, &entry.args),
            Some(_) => {}
            None => {
                let args = self.layout.item(Some("args"), &entry.args);
                self.splices.push(self.layout.appended(&Container::from(handler), &[args]));
            }
        }
        if self.splices.len() > before {
            self.repaired.push(wired(entry));
        }
    }

    fn replace(&mut self, old: &impl Ranged, new: &impl Serialize) {
        let inserted = serde_json::to_string(new).unwrap_or_default();
        self.splices.push(Splice { start: old.start(), end: old.end(), inserted });
    }
}

fn wired(entry: &HookEntry) -> Wired {
    Wired { event: entry.event.clone(), command: entry.command.clone() }
}

fn has_args(value: &Value, wanted: &[String]) -> bool {
    value.as_array().is_some_and(|args| {
        args.elements.len() == wanted.len()
            && args
                .elements
                .iter()
                .zip(wanted)
                .all(|(arg, wanted)| arg.as_string_lit().is_some_and(|arg| arg.value == wanted.as_str()))
    })
}

fn by_event(wanted: &[HookEntry]) -> Vec<EventWire<'_>> {
    let mut events: Vec<EventWire> = Vec::new();
    for entry in wanted {
        let group = GroupWire { entry };
        match events.iter_mut().find(|event| event.name == entry.event) {
            Some(event) => event.groups.push(group),
            None => events.push(EventWire { name: &entry.event, groups: vec![group] }),
        }
    }
    events
}

struct HooksWire<'a>(&'a [EventWire<'a>]);

struct EventWire<'a> {
    name: &'a str,
    groups: Vec<GroupWire<'a>>,
}

struct GroupWire<'a> {
    entry: &'a HookEntry,
}

impl Serialize for HooksWire<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|event| (event.name, &event.groups)))
    }
}

impl Serialize for GroupWire<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Group<'a> {
            #[serde(skip_serializing_if = "Option::is_none")]
            matcher: Option<&'a str>,
            hooks: [Handler<'a>; 1],
        }
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Handler<'a> {
            r#type: &'a str,
            command: &'a str,
            args: &'a [String],
            timeout: u32,
            #[serde(skip_serializing_if = "Option::is_none")]
            status_message: Option<&'a str>,
        }
        let entry = self.entry;
        let handler = Handler {
            r#type: "command",
            command: &entry.command,
            args: &entry.args,
            timeout: entry.timeout_s,
            status_message: entry.status_message.as_deref(),
        };
        Group { matcher: entry.matcher.as_deref(), hooks: [handler] }.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(event: &str, binary: &str) -> HookEntry {
        HookEntry {
            event: event.to_owned(),
            matcher: None,
            command: format!("/home/sam/bin/{binary}"),
            args: vec!["--via".to_owned(), "settings".to_owned()],
            timeout_s: 5,
            status_message: None,
        }
    }

    fn stop() -> Vec<HookEntry> {
        vec![entry("Stop", "six-stop")]
    }

    fn shown(text: &str) -> String {
        text.replace('\r', "␍").replace('\t', "→").replace('\u{feff}', "BOM")
    }

    #[test]
    fn no_file_becomes_a_tidy_one() {
        let wanted = [
            HookEntry {
                status_message: Some("six: recalling".to_owned()),
                ..entry("SessionStart", "six-session-start")
            },
            HookEntry { matcher: Some("Edit|Write".to_owned()), ..entry("PreToolUse", "six-pre-tool-use") },
        ];
        let edit = plan_install("", &wanted).unwrap();
        insta::assert_snapshot!(edit.text, @r#"
        {
          "hooks": {
            "SessionStart": [
              {
                "hooks": [
                  {
                    "type": "command",
                    "command": "/home/sam/bin/six-session-start",
                    "args": [
                      "--via",
                      "settings"
                    ],
                    "timeout": 5,
                    "statusMessage": "six: recalling"
                  }
                ]
              }
            ],
            "PreToolUse": [
              {
                "matcher": "Edit|Write",
                "hooks": [
                  {
                    "type": "command",
                    "command": "/home/sam/bin/six-pre-tool-use",
                    "args": [
                      "--via",
                      "settings"
                    ],
                    "timeout": 5
                  }
                ]
              }
            ]
          }
        }
        "#);
        assert_eq!(edit.added.len(), 2);
        assert_eq!(
            edit.added[1],
            Wired { event: "PreToolUse".into(), command: "/home/sam/bin/six-pre-tool-use".into() }
        );
    }

    #[test]
    fn an_empty_object_is_filled() {
        insta::assert_snapshot!(plan_install("{}", &stop()).unwrap().text, @r#"
        {
          "hooks": {
            "Stop": [
              {
                "hooks": [
                  {
                    "type": "command",
                    "command": "/home/sam/bin/six-stop",
                    "args": [
                      "--via",
                      "settings"
                    ],
                    "timeout": 5
                  }
                ]
              }
            ]
          }
        }
        "#);
    }

    #[test]
    fn foreign_hooks_order_and_odd_layout_stay() {
        let text = r#"{
    "zebra": [1,2,   3],

    "hooks" : {
        "Stop": [ {"hooks": [ { "type": "command", "command": "node /w/six-notes/my-hook.js" } ] } ],
        "PreToolUse": []
    },
    "model": "opus" }"#;
        let wanted = [
            entry("Stop", "six-stop"),
            entry("PreToolUse", "six-pre-tool-use"),
            entry("SessionEnd", "six-session-end"),
        ];
        insta::assert_snapshot!(plan_install(text, &wanted).unwrap().text, @r#"
        {
            "zebra": [1,2,   3],

            "hooks" : {
                "Stop": [ {"hooks": [ { "type": "command", "command": "node /w/six-notes/my-hook.js" } ] }, {"hooks":[{"type":"command","command":"/home/sam/bin/six-stop","args":["--via","settings"],"timeout":5}]} ],
                "PreToolUse": [
                    {
                        "hooks": [
                            {
                                "type": "command",
                                "command": "/home/sam/bin/six-pre-tool-use",
                                "args": [
                                    "--via",
                                    "settings"
                                ],
                                "timeout": 5
                            }
                        ]
                    }
                ],
                "SessionEnd": [
                    {
                        "hooks": [
                            {
                                "type": "command",
                                "command": "/home/sam/bin/six-session-end",
                                "args": [
                                    "--via",
                                    "settings"
                                ],
                                "timeout": 5
                            }
                        ]
                    }
                ]
            },
            "model": "opus" }
        "#);
    }

    #[test]
    fn byte_order_mark_line_ends_and_tabs_stay() {
        let text = "\u{feff}{\r\n\t\"model\": \"opus\"\r\n}\r\n";
        insta::assert_snapshot!(shown(&plan_install(text, &stop()).unwrap().text), @r#"
        BOM{␍
        →"model": "opus",␍
        →"hooks": {␍
        →→"Stop": [␍
        →→→{␍
        →→→→"hooks": [␍
        →→→→→{␍
        →→→→→→"type": "command",␍
        →→→→→→"command": "/home/sam/bin/six-stop",␍
        →→→→→→"args": [␍
        →→→→→→→"--via",␍
        →→→→→→→"settings"␍
        →→→→→→],␍
        →→→→→→"timeout": 5␍
        →→→→→}␍
        →→→→]␍
        →→→}␍
        →→]␍
        →}␍
        }␍
        "#);
    }

    #[test]
    fn a_file_on_one_line_stays_on_one_line() {
        insta::assert_snapshot!(plan_install(r#"{"model":"opus"}"#, &stop()).unwrap().text, @r#"{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"/home/sam/bin/six-stop","args":["--via","settings"],"timeout":5}]}]}}"#);
    }

    #[test]
    fn a_stale_path_is_repaired_where_it_stands_and_the_users_tuning_stays() {
        let text = r#"{"hooks": {"Stop": [{"matcher": "", "hooks": [
  {"type": "command", "command": "/old \u0070lace/six-stop", "args": ["--via", "settings"], "timeout": 9, "mine": true},
  {"type": "command", "command": "other"}]}]}}"#;
        let edit = plan_install(text, &stop()).unwrap();
        assert_eq!(edit.text, text.replace("/old \\u0070lace/six-stop", "/home/sam/bin/six-stop"));
        assert_eq!(edit.repaired, [wired(&stop()[0])]);
        assert_eq!(edit.added, []);
    }

    #[test]
    fn a_shell_entry_of_ours_becomes_an_exec_entry() {
        let text = r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "\"/a b/six-stop\""}]}]}}"#;
        insta::assert_snapshot!(plan_install(text, &stop()).unwrap().text, @r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "/home/sam/bin/six-stop", "args":["--via","settings"]}]}]}}"#);
    }

    #[test]
    fn a_second_run_changes_nothing() {
        let once = plan_install("{\n  \"model\": \"opus\"\n}\n", &stop()).unwrap();
        let twice = plan_install(&once.text, &stop()).unwrap();
        assert_eq!(twice, Edit { spans: vec![], added: vec![], ..once });
    }

    #[test]
    fn our_program_under_another_event_is_not_the_entry_that_is_wanted() {
        let text =
            r#"{"hooks": {"SubagentStop": [{"hooks": [{"type": "command", "command": "/x/six-stop", "args": []}]}]}}"#;
        let edit = plan_install(text, &stop()).unwrap();
        assert!(edit.text.contains(r#""command": "/x/six-stop""#));
        assert_eq!(edit.added.len(), 1);
    }

    #[test]
    fn what_cannot_be_edited_is_refused() {
        let fault = plan_install("{\n  \"hooks\": [ ]\n}", &stop()).unwrap_err();
        assert_eq!(fault.to_string(), "line 2, column 12: \"hooks\" must be an object");
        let fault = plan_install("\u{feff}{\r\n  // keep me\r\n  \"hooks\": {}\r\n}\r\n", &stop()).unwrap_err();
        assert_eq!(fault.line, 2);
    }
}
