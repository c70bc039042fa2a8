//! Who wrote a record that the host files under "user".

use super::content::{Block, text_of};
use super::envelope::{Said, judge_said};
use super::transcript::{Head, QueuedCommand, User};

/// The writer of a user record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Author {
    /// A person's own words, typed or piped in.
    Operator,
    /// A person's call of a command or skill of the project.
    SlashCommand,
    /// A person's call of a command that is built into the client.
    LocalCommand,
    /// What such a command printed.
    LocalCommandOutput,
    /// A person's `!` shell line.
    ShellInput,
    /// What that line printed.
    ShellOutput,
    /// A tool's result.
    Tool,
    /// Background work has ended.
    TaskNotification,
    /// The summary that stands for a compacted conversation.
    CompactSummary,
    /// A hook's objection.
    HookFeedback,
    /// The note that a person stopped the turn.
    Interruption,
    /// The client's own additions: expanded commands, caveats, the paths of pictures.
    Meta,
    /// The prompt that an agent gave to its sub-agent, or a program to a session that it opened for a review.
    Subagent,
    /// The plan of an agent, handed over to a session with an empty context.
    Plan,
    /// Some other program.
    Machine,
}

impl Author {
    /// A person's prompt: what a rewind takes back, with all that followed it.
    pub fn is_prompt(self) -> bool {
        matches!(self, Self::Operator | Self::SlashCommand | Self::ShellInput)
    }

    /// Who wrote a user record. Fields decide; where an old client wrote none, the text's tags do.
    pub fn of_user(head: &Head, user: &User) -> Self {
        if user.is_compact_summary {
            return Self::CompactSummary;
        }
        if user.content.iter().any(|block| matches!(block, Block::ToolResult { .. })) {
            return Self::Tool;
        }
        let text = text_of(&user.content);
        let by_text = Self::of_text(&text);
        if user.row_source.as_deref() == Some("hook") {
            return Self::HookFeedback;
        }
        match user.origin_kind.as_deref() {
            Some("human") => return Self::of_human(by_text),
            Some("task-notification") => return Self::TaskNotification,
            Some(_) => return Self::Machine,
            None => {}
        }
        if head.is_meta {
            return if by_text == Some(Self::HookFeedback) { Self::HookFeedback } else { Self::Meta };
        }
        if let Some(author) = by_text {
            return author;
        }
        if head.is_sidechain || head.agent_id.is_some() {
            return Self::Subagent;
        }
        match (user.prompt_source.as_deref(), user.row_source.as_deref()) {
            (Some("system"), _) | (None, Some("harness")) => Self::Machine,
            _ => Self::Operator,
        }
    }

    /// Who wrote a message that came while a turn ran.
    pub fn of_queued(queued: &QueuedCommand) -> Self {
        let by_text = Self::of_text(&text_of(&queued.content));
        match (queued.origin_kind.as_deref(), queued.mode.as_deref()) {
            (Some("human"), _) => Self::of_human(by_text),
            (Some("task-notification"), _) | (None, Some("task-notification")) => Self::TaskNotification,
            (Some(_), _) => Self::Machine,
            (None, _) => by_text.unwrap_or(Self::Operator),
        }
    }

    /// A person may quote any tag, so of the tags only the client's form of a command counts.
    fn of_human(by_text: Option<Self>) -> Self {
        by_text.filter(|author| matches!(author, Self::SlashCommand | Self::ShellInput)).unwrap_or(Self::Operator)
    }

    /// What the form of a text tells, if anything.
    fn of_text(text: &str) -> Option<Self> {
        match judge_said(text) {
            Said::Form(form) => Some(form.author),
            Said::Own(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Attachment, Body, parse_line};

    fn author(members: &str, content: &str) -> Author {
        let content = serde_json::to_string(content).unwrap();
        let line = format!(r#"{{"type":"user","message":{{"content":{content}}}{members}}}"#);
        let record = parse_line(line.as_bytes()).unwrap();
        let Body::User(user) = record.body else { panic!() };
        Author::of_user(&record.head, &user)
    }

    #[test]
    fn a_current_client_says_it_in_fields() {
        let human = r#","origin":{"kind":"human"},"promptSource":"typed""#;
        assert_eq!(author(human, "Use pnpm."), Author::Operator);
        assert_eq!(author(human, "<task-notification> is what I see, why?"), Author::Operator);
        assert_eq!(
            author(human, "<command-message>x</command-message>\n<command-name>/x</command-name>"),
            Author::SlashCommand
        );
        assert_eq!(author(r#","promptSource":"sdk","rowSource":"local""#, "Which port?"), Author::Operator);
        let note = r#","origin":{"kind":"task-notification"},"promptSource":"system","rowSource":"recorded""#;
        assert_eq!(author(note, "<task-notification>…"), Author::TaskNotification);
        assert_eq!(author(r#","origin":{"kind":"teammate"}"#, "hello"), Author::Machine);
        assert_eq!(author(r#","promptSource":"system""#, "wake up"), Author::Machine);
        assert_eq!(author(r#","isCompactSummary":true"#, "So far: …"), Author::CompactSummary);
        assert_eq!(author(r#","isMeta":true,"rowSource":"hook""#, "tests fail"), Author::HookFeedback);
        assert_eq!(author(r#","rowSource":"harness""#, "[Request interrupted by user]"), Author::Interruption);
        assert_eq!(author(r#","rowSource":"harness""#, "anything else"), Author::Machine);
        assert_eq!(author(r#","isMeta":true"#, "Base directory for this skill: /x"), Author::Meta);
        assert_eq!(author(r#","isSidechain":true,"agentId":"a-1""#, "Count the tests."), Author::Subagent);
    }

    #[test]
    fn an_old_client_says_it_in_tags() {
        for (text, expected) in [
            ("Use pnpm.", Author::Operator),
            ("<task-notification>\n<task-id>1</task-id>", Author::TaskNotification),
            (
                "<command-message>init is analyzing…</command-message>\n<command-name>/init</command-name>",
                Author::SlashCommand,
            ),
            ("<command-name>/exit</command-name>\n<command-message>exit</command-message>", Author::LocalCommand),
            ("<local-command-stdout>Bye!</local-command-stdout>", Author::LocalCommandOutput),
            ("<bash-input>ls</bash-input>", Author::ShellInput),
            ("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>", Author::ShellOutput),
            ("[Request interrupted by user for tool use]", Author::Interruption),
            (
                "This session is being continued from a previous conversation that ran out of context.",
                Author::CompactSummary,
            ),
            ("Stop hook feedback:\n- tests fail", Author::HookFeedback),
            ("<teammate-message teammate_id=\"x\">hi</teammate-message>", Author::Machine),
            ("Implement the following plan:\n\n# Number invoices per year", Author::Plan),
            ("Implement the following plan: first the tests.", Author::Operator),
            ("<system-reminder>a</system-reminder>", Author::Machine),
            ("<system-reminder>a</system-reminder>\nWhy is it slow?", Author::Operator),
            ("<ide_opened_file>The user opened x.</ide_opened_file>", Author::Machine),
            ("<ide_opened_file>The user opened x.</ide_opened_file>\nExplain it.", Author::Operator),
        ] {
            assert_eq!(author("", text), expected, "{text}");
        }
    }

    #[test]
    fn a_tools_result_is_no_ones_prompt() {
        let line =
            br#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}}"#;
        let record = parse_line(line).unwrap();
        let Body::User(user) = record.body else { panic!() };
        assert_eq!(Author::of_user(&record.head, &user), Author::Tool);
    }

    #[test]
    fn a_queued_message_has_an_author_too() {
        for (members, expected) in [
            (r#""origin":{"kind":"human"},"prompt":"Also the docs.""#, Author::Operator),
            (r#""commandMode":"prompt","prompt":"Also the docs.""#, Author::Operator),
            (r#""commandMode":"task-notification","prompt":"done""#, Author::TaskNotification),
            (r#""origin":{"kind":"cron"},"prompt":"tick""#, Author::Machine),
            (r#""prompt":"<task-notification>…""#, Author::TaskNotification),
        ] {
            let line = format!(r#"{{"type":"attachment","attachment":{{"type":"queued_command",{members}}}}}"#);
            let Body::Attachment(Attachment::QueuedCommand(queued)) = parse_line(line.as_bytes()).unwrap().body else {
                panic!()
            };
            assert_eq!(Author::of_queued(&queued), expected, "{members}");
        }
    }
}
