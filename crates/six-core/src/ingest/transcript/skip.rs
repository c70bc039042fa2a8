//! Why a record or a piece of a record gave no entry.

use crate::event::Author;

/// A reason that is counted per file. The set is closed, so that a hostile file can't make the counters grow. Lines that
/// are no record are counted under the words of [`crate::event::LineFault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Skip {
    /// What the host keeps for itself: titles, modes, snapshots, progress, queues, requests, unknown types.
    State,
    /// An attachment that is no queued prompt: hook output, our own blocks, reminders, files, listings.
    Attachment,
    /// A `system` record.
    System,
    /// What the host added in the user's name: expansions, caveats.
    Meta,
    /// Background work has ended.
    Notification,
    /// Feedback of a hook.
    Hook,
    /// Some other program wrote it.
    Machine,
    /// Output of a command that ran in the host: `/exit`, `!ls`.
    CommandOutput,
    /// A built-in command, which never reaches the model.
    BuiltInCommand,
    /// "Request interrupted by user".
    Interrupt,
    /// A message about a failed call of the API, in the assistant's name.
    ApiError,
    /// A placeholder that the host wrote in the assistant's name.
    Placeholder,
    /// Hidden reasoning.
    Thinking,
    /// A picture.
    Image,
    /// The output of a tool; its call is kept, with the outcome.
    ToolOutput,
    /// A message without text, or with nothing but what was cut out.
    Empty,
    /// A block of a message that this version does not know.
    Block,
}

impl Skip {
    /// The word in the store and in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Attachment => "attachment",
            Self::System => "system",
            Self::Meta => "meta",
            Self::Notification => "notification",
            Self::Hook => "hook",
            Self::Machine => "machine",
            Self::CommandOutput => "command-output",
            Self::BuiltInCommand => "built-in-command",
            Self::Interrupt => "interrupt",
            Self::ApiError => "api-error",
            Self::Placeholder => "placeholder",
            Self::Thinking => "thinking",
            Self::Image => "image",
            Self::ToolOutput => "tool-output",
            Self::Empty => "empty",
            Self::Block => "block",
        }
    }

    /// Why nothing of this author's is kept; `None` if it is.
    pub(super) const fn of_author(author: Author) -> Option<Self> {
        match author {
            Author::Operator
            | Author::SlashCommand
            | Author::ShellInput
            | Author::Tool
            | Author::CompactSummary
            | Author::Subagent
            | Author::Plan => None,
            Author::LocalCommand => Some(Self::BuiltInCommand),
            Author::LocalCommandOutput | Author::ShellOutput => Some(Self::CommandOutput),
            Author::TaskNotification => Some(Self::Notification),
            Author::HookFeedback => Some(Self::Hook),
            Author::Interruption => Some(Self::Interrupt),
            Author::Meta => Some(Self::Meta),
            Author::Machine => Some(Self::Machine),
        }
    }
}
