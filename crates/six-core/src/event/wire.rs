//! The hook payloads exactly as the host sends them: 34 events of client 2.1.332.
//!
//! Every field but the event's name is optional, since older clients lack many and a field of a wrong type reads as
//! absent. Unknown fields are ignored and an event that is not known is [`HostEvent::Unknown`]. What six makes of them is
//! [`super::Event`].

use super::json::lenient;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// One hook call's input.
#[derive(Debug, Clone, PartialEq)]
pub struct Payload {
    /// What every payload has.
    pub common: Common,
    /// What is the event's own.
    pub event: HostEvent,
}

impl Payload {
    /// Reads a payload whose `hook_event_name` has been taken out of `members` already.
    pub(super) fn read(name: &str, members: Map<String, Value>) -> Self {
        let common = Common::deserialize(&members).unwrap_or_default();
        Self { common, event: HostEvent::read(name, members) }
    }
}

/// Takes a field out of a payload; one of the wrong type, or `null`, is absent.
fn take<T: DeserializeOwned>(members: &mut Map<String, Value>, name: &str) -> Option<T> {
    let value = members.remove(name.trim_start_matches("r#")).filter(|value| !value.is_null())?;
    serde_json::from_value(value).ok()
}

/// The part that all events share.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Common {
    /// The session. Always sent; a payload without it can't be attributed.
    #[serde(deserialize_with = "lenient")]
    pub session_id: Option<String>,
    /// The session's transcript; the file need not exist yet.
    #[serde(deserialize_with = "lenient")]
    pub transcript_path: Option<String>,
    /// The current folder, which a `cd` of the Bash tool moves.
    #[serde(deserialize_with = "lenient")]
    pub cwd: Option<String>,
    /// The running or last prompt, from the first prompt of the process on.
    #[serde(deserialize_with = "lenient")]
    pub prompt_id: Option<String>,
    /// `default`, `plan`, `acceptEdits`, ... on turn and tool events.
    #[serde(deserialize_with = "lenient")]
    pub permission_mode: Option<String>,
    /// How hard the model works, on turn and tool events.
    #[serde(deserialize_with = "lenient")]
    pub effort: Option<Effort>,
    /// The sub-agent that the event comes from.
    #[serde(deserialize_with = "lenient")]
    pub agent_id: Option<String>,
    /// The sub-agent's type; empty for the hidden summariser of a compaction.
    #[serde(deserialize_with = "lenient")]
    pub agent_type: Option<String>,
}

/// The `effort` object.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Effort {
    /// `low`, `medium`, `high`, ...
    #[serde(deserialize_with = "lenient")]
    pub level: Option<String>,
}

/// The MCP server that a tool belongs to.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct McpServer {
    /// Its name in the configuration.
    #[serde(deserialize_with = "lenient")]
    pub name: Option<String>,
    /// Where it was configured.
    #[serde(deserialize_with = "lenient")]
    pub source: Option<String>,
}

/// Declares one struct per event, and the enum over them, so that an event's name, type and fields stand in one place.
/// Fields are taken one by one: a derived reader for each event would be a tenth of a hook's own code.
macro_rules! host_events {
    ($( $(#[$doc:meta])* $event:ident { $( $(#[$field_doc:meta])* $field:ident: $type:ty, )* } )*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Default, PartialEq)]
            pub struct $event {
                $( $(#[$field_doc])* pub $field: Option<$type>, )*
            }
        )*

        /// The event's own part of a payload.
        #[derive(Debug, Clone, PartialEq)]
        pub enum HostEvent {
            $( $(#[$doc])* $event($event), )*
            /// An event of another client version, by its name.
            Unknown(String),
        }

        impl HostEvent {
            fn read(name: &str, mut members: Map<String, Value>) -> Self {
                match name {
                    $( stringify!($event) => Self::$event($event {
                        $( $field: take(&mut members, stringify!($field)), )*
                    }), )*
                    _ => Self::Unknown(name.to_owned()),
                }
            }

            /// `hook_event_name` as the host writes it.
            pub fn name(&self) -> &str {
                match self {
                    $( Self::$event(_) => stringify!($event), )*
                    Self::Unknown(name) => name,
                }
            }
        }
    };
}

host_events! {
    /// A session begins, goes on, or was compacted.
    SessionStart {
        /// `startup`, `resume`, `clear`, `compact` or `fork`.
        source: String,
        /// The model, when interactive or after a compaction.
        model: String,
        /// The session's title (declared, never seen).
        session_title: String,
        /// Resume and fork: age of the last answer.
        seconds_since_last_response: f64,
        /// Resume and fork: tokens of the conversation so far.
        context_tokens: u64,
        /// Resume and fork.
        prompt_cache_likely_expired: bool,
        /// Resume and fork.
        estimated_cache_write_usd: f64,
    }
    /// A session ends.
    SessionEnd {
        /// `clear`, `resume`, `prompt_input_exit`, `other` or `logout`.
        reason: String,
    }
    /// A prompt was sent, by a person or by the machine.
    UserPromptSubmit {
        /// The text as typed.
        prompt: String,
        /// Declared, never seen.
        source: String,
        /// Declared, never seen.
        session_title: String,
    }
    /// A slash command or skill was expanded.
    UserPromptExpansion {
        /// `slash_command`, ...
        expansion_type: String,
        /// Without the slash.
        command_name: String,
        /// What followed the name.
        command_args: String,
        /// Where the command is defined.
        command_source: String,
        /// The text as typed.
        prompt: String,
    }
    /// A tool is about to run.
    PreToolUse {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The call.
        tool_use_id: String,
        /// For tools of MCP servers.
        mcp_server: McpServer,
    }
    /// A tool has run.
    PostToolUse {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// Its structured result: an object, a list or a string.
        tool_response: Value,
        /// The call.
        tool_use_id: String,
        /// How long it took.
        duration_ms: f64,
        /// For tools of MCP servers.
        mcp_server: McpServer,
    }
    /// A tool has failed.
    PostToolUseFailure {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The call.
        tool_use_id: String,
        /// What the model is told.
        error: String,
        /// The user interrupted it.
        is_interrupt: bool,
        /// How long it took.
        duration_ms: f64,
        /// For tools of MCP servers.
        mcp_server: McpServer,
    }
    /// All tools of one answer have run.
    PostToolBatch {
        /// The calls with their responses as the model sees them.
        tool_calls: Vec<Value>,
    }
    /// The user is about to be asked whether a tool may run.
    PermissionRequest {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// Rules that would make the question needless.
        permission_suggestions: Vec<Value>,
        /// For tools of MCP servers.
        mcp_server: McpServer,
    }
    /// A tool was refused in auto mode.
    PermissionDenied {
        /// The tool.
        tool_name: String,
        /// Its arguments.
        tool_input: Value,
        /// The call.
        tool_use_id: String,
        /// Why.
        reason: String,
    }
    /// A turn has ended by itself.
    Stop {
        /// This turn goes on because a Stop hook made it.
        stop_hook_active: bool,
        /// The answer, which may not be in the transcript yet.
        last_assistant_message: String,
        /// Sub-agents and shells that still run.
        background_tasks: Vec<Value>,
        /// Scheduled prompts.
        session_crons: Vec<Value>,
    }
    /// A turn has ended by an error of the API.
    StopFailure {
        /// The kind of error.
        error: String,
        /// What the user sees.
        last_assistant_message: String,
    }
    /// A sub-agent begins; which one is in the common part.
    SubagentStart {}
    /// A sub-agent, or the hidden summariser, has ended.
    SubagentStop {
        /// This run goes on because a hook made it.
        stop_hook_active: bool,
        /// The sub-agent's own transcript.
        agent_transcript_path: String,
        /// Its answer.
        last_assistant_message: String,
        /// Sub-agents and shells that still run.
        background_tasks: Vec<Value>,
        /// Scheduled prompts.
        session_crons: Vec<Value>,
    }
    /// The conversation is about to be compacted.
    PreCompact {
        /// `manual` or `auto`.
        trigger: String,
        /// What the user typed after `/compact`.
        custom_instructions: String,
    }
    /// The conversation was compacted.
    PostCompact {
        /// `manual` or `auto`.
        trigger: String,
        /// The summary with its tags.
        compact_summary: String,
    }
    /// The client wants attention.
    Notification {
        /// What the user reads.
        message: String,
        /// `permission_prompt`, `idle_prompt`, `elicitation_response`, ...
        notification_type: String,
        /// Its heading.
        title: String,
    }
    /// A `CLAUDE.md` or a rule was read.
    InstructionsLoaded {
        /// The file.
        file_path: String,
        /// `Project`, `User`, ...
        memory_type: String,
        /// `session_start`, `include`, `compact`, ...
        load_reason: String,
        /// The file that includes it.
        parent_file_path: String,
    }
    /// The model is about to change.
    PreModelSwitch {
        /// Old model.
        from_model: String,
        /// New model.
        to_model: String,
        /// As asked for.
        requested_model: String,
        /// Who asked.
        source: String,
        /// Tokens of the conversation.
        context_tokens: u64,
        /// The cache would be lost.
        prompt_cache_warm: bool,
    }
    /// The model has changed.
    PostModelSwitch {
        /// Old model.
        from_model: String,
        /// New model.
        to_model: String,
        /// As asked for.
        requested_model: String,
        /// Who asked.
        source: String,
        /// Tokens of the conversation.
        context_tokens: u64,
        /// The cache was lost.
        prompt_cache_warm: bool,
    }
    /// `--init` or `--maintenance`, before the session starts.
    Setup {
        /// `init` or `maintenance`.
        trigger: String,
    }
    /// A to-do item was made.
    TaskCreated {
        /// Its number.
        task_id: String,
        /// Its title.
        task_subject: String,
        /// Its text.
        task_description: String,
    }
    /// A to-do item was done.
    TaskCompleted {
        /// Its number.
        task_id: String,
        /// Its title.
        task_subject: String,
        /// Its text.
        task_description: String,
    }
    /// An MCP server asks the user something.
    Elicitation {
        /// The server.
        mcp_server_name: String,
        /// `form` or `url`.
        mode: String,
        /// The question.
        message: String,
        /// Shape of the answer.
        requested_schema: Value,
    }
    /// The user has answered an MCP server.
    ElicitationResult {
        /// The server.
        mcp_server_name: String,
        /// `form` or `url`.
        mode: String,
        /// `accept`, `decline` or `cancel`.
        action: String,
        /// The answer.
        content: Value,
    }
    /// A settings file has changed.
    ConfigChange {
        /// Which kind of settings.
        source: String,
        /// The file.
        file_path: String,
    }
    /// The Bash tool has changed the folder.
    CwdChanged {
        /// Before.
        old_cwd: String,
        /// After.
        new_cwd: String,
    }
    /// A watched file has changed.
    FileChanged {
        /// The file.
        file_path: String,
        /// `add`, `change` or `unlink`.
        event: String,
    }
    /// A folder was added to the session.
    DirectoryAdded {
        /// The folder.
        directory: String,
        /// Who added it.
        source: String,
    }
    /// A worktree is wanted; a hook here replaces the client's own work.
    WorktreeCreate {
        /// Its name.
        name: String,
    }
    /// A worktree was removed.
    WorktreeRemove {
        /// Its folder.
        worktree_path: String,
    }
    /// A piece of the answer was streamed.
    MessageDisplay {
        /// The turn.
        turn_id: String,
        /// The message.
        message_id: String,
        /// Number of the piece.
        index: u64,
        /// It is the last piece.
        r#final: bool,
        /// The text.
        delta: String,
    }
    /// A skill is about to run a shell line of its own.
    PreSkillShellCommand {
        /// `Bash`.
        tool_name: String,
        /// The command.
        tool_input: Value,
        /// The call.
        tool_use_id: String,
        /// The skill.
        command_name: String,
        /// Where it is defined.
        command_source: String,
        /// `user` or the model.
        invoked_by: String,
    }
    /// A teammate has nothing to do (declared, never seen).
    TeammateIdle {
        /// Its name.
        teammate_name: String,
        /// Its team.
        team_name: String,
    }
}
