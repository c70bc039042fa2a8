//! shim, replaced by the branch `event`
use std::path::PathBuf;
use crate::record::{PromptId, SessionId};
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context { pub session_id: SessionId, pub transcript_path: Option<PathBuf>, pub cwd: Option<PathBuf>, pub prompt_id: Option<PromptId>, pub agent: Option<Agent>, pub permission_mode: Option<String> }
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent { pub id: String, pub kind: String }
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartSource { Startup, Resume, Clear, Compact, Fork, Other(String) }
impl StartSource { pub fn as_str(&self) -> &str { match self { Self::Startup => "startup", Self::Resume => "resume", Self::Clear => "clear", Self::Compact => "compact", Self::Fork => "fork", Self::Other(s) => s } } }
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HookOutput { pub event: &'static str, pub additional_context: Option<String>, pub system_message: Option<String> }
impl HookOutput {
    pub fn session_start(context: String, system_message: Option<String>) -> Self { Self { event: "SessionStart", additional_context: Some(context), system_message } }
    pub fn user_prompt_submit(context: String) -> Self { Self { event: "UserPromptSubmit", additional_context: Some(context), system_message: None } }
    pub fn render(&self) -> String { String::new() }
}
