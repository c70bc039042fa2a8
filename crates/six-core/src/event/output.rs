//! What a hook may print: one line with one JSON object, or nothing.

use serde::Serialize;
use thiserror::Error;

/// Longest `additionalContext` that reaches the model whole, in UTF-16 units, per hook.
///
/// Measured on client 2.1.332: one unit more, and the model gets a file name and the first 2 000 characters, without a
/// word to the user.
pub const CONTEXT_LIMIT_UNITS: usize = 10_000;

/// A text that the host would not deliver whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OutputFault {
    /// The context is over [`CONTEXT_LIMIT_UNITS`].
    #[error("the context of {units} UTF-16 units is over the host's limit of {CONTEXT_LIMIT_UNITS}")]
    ContextTooLong {
        /// Its length.
        units: usize,
    },
}

/// The output of a hook of one of the four events that may speak to the model.
///
/// There is none for the others: the host adds whatever `PreCompact` prints to the instructions of the summary, takes a
/// Stop hook's context as an order to go on, and accepts none from `SessionEnd`. Those hooks print nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookOutput {
    event_name: &'static str,
    context: Option<String>,
    denial: Option<String>,
    system_message: Option<String>,
}

impl HookOutput {
    /// For a `SessionStart` hook.
    pub fn session_start() -> Self {
        Self::of("SessionStart")
    }

    /// For a `UserPromptSubmit` hook.
    pub fn user_prompt_submit() -> Self {
        Self::of("UserPromptSubmit")
    }

    /// For a `PreToolUse` hook; the model reads the context after the tool's result.
    pub fn pre_tool_use() -> Self {
        Self::of("PreToolUse")
    }

    /// For a `PostToolUse` hook.
    pub fn post_tool_use() -> Self {
        Self::of("PostToolUse")
    }

    fn of(event_name: &'static str) -> Self {
        Self { event_name, context: None, denial: None, system_message: None }
    }

    /// What the model reads; an empty text is none.
    pub fn with_context(self, text: impl Into<String>) -> Result<Self, OutputFault> {
        let text = text.into();
        let units = text.encode_utf16().count();
        if units > CONTEXT_LIMIT_UNITS {
            return Err(OutputFault::ContextTooLong { units });
        }
        Ok(Self { context: Some(text).filter(|text| !text.is_empty()), ..self })
    }

    /// Refuses the call of a tool for this reason, which the model reads instead of the result. Only for
    /// [`pre_tool_use`](Self::pre_tool_use); there is no way to permit one. The reason is held to the limit of a context.
    pub fn with_denial(self, reason: impl Into<String>) -> Result<Self, OutputFault> {
        let reason = reason.into();
        let units = reason.encode_utf16().count();
        if units > CONTEXT_LIMIT_UNITS {
            return Err(OutputFault::ContextTooLong { units });
        }
        Ok(Self { denial: Some(reason).filter(|reason| !reason.is_empty()), ..self })
    }

    /// What the user reads, and the model does not; an empty text is none.
    #[must_use]
    pub fn with_system_message(self, text: impl Into<String>) -> Self {
        Self { system_message: Some(text.into()).filter(|text| !text.is_empty()), ..self }
    }

    /// What the model reads.
    pub fn context(&self) -> Option<&str> {
        self.context.as_deref()
    }

    /// Why the call of a tool is refused.
    pub fn denial(&self) -> Option<&str> {
        self.denial.as_deref()
    }

    /// One line of JSON without a line end, or an empty string when there is nothing to say.
    pub fn render(&self) -> String {
        let is_specific = self.context.is_some() || self.denial.is_some();
        if !is_specific && self.system_message.is_none() {
            return String::new();
        }
        let wire = Wire {
            hook_specific_output: is_specific.then(|| Specific {
                hook_event_name: self.event_name,
                additional_context: self.context.as_deref(),
                permission_decision: self.denial.as_ref().map(|_| "deny"),
                permission_decision_reason: self.denial.as_deref(),
            }),
            system_message: self.system_message.as_deref(),
        };
        serde_json::to_string(&wire).unwrap_or_default()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Wire<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    hook_specific_output: Option<Specific<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_and_message_are_one_line_in_the_hosts_words() {
        let output =
            HookOutput::session_start().with_context("a \"b\"\nü\u{1}").unwrap().with_system_message("6 green");
        insta::assert_snapshot!(output.render(), @r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"a \"b\"\nü\u0001"},"systemMessage":"6 green"}"#);
    }

    #[test]
    fn each_event_names_itself() {
        let rendered: Vec<String> =
            [HookOutput::user_prompt_submit(), HookOutput::pre_tool_use(), HookOutput::post_tool_use()]
                .into_iter()
                .map(|output| output.with_context("x").unwrap().render())
                .collect();
        insta::assert_snapshot!(rendered.join("\n"), @r#"
        {"hookSpecificOutput":{"hookEventName":"UserPromptSubmit","additionalContext":"x"}}
        {"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"x"}}
        {"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"x"}}
        "#);
    }

    #[test]
    fn a_refusal_gives_its_reason_and_is_the_only_decision_that_there_is() {
        let output = HookOutput::pre_tool_use().with_denial("tried \"before\"").unwrap();
        assert_eq!(output.denial(), Some("tried \"before\""));
        insta::assert_snapshot!(output.render(), @r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"tried \"before\""}}"#);
        assert_eq!(HookOutput::pre_tool_use().with_denial("").unwrap().render(), "");
        assert!(HookOutput::pre_tool_use().with_denial("a".repeat(10_001)).is_err());
    }

    #[test]
    fn a_message_alone_carries_no_event() {
        insta::assert_snapshot!(HookOutput::pre_tool_use().with_system_message("hello").render(), @r#"{"systemMessage":"hello"}"#);
    }

    #[test]
    fn nothing_to_say_is_no_byte() {
        assert_eq!(HookOutput::session_start().with_context("").unwrap().with_system_message("").render(), "");
    }

    #[test]
    fn the_limit_counts_utf16_units() {
        let output = HookOutput::user_prompt_submit;
        assert!(output().with_context("a".repeat(10_000)).is_ok());
        assert!(output().with_context("漢".repeat(10_000)).is_ok());
        assert!(output().with_context("🙏".repeat(5_000)).is_ok());
        let over = output().with_context(format!("{}a", "🙏".repeat(5_000)));
        assert_eq!(over, Err(OutputFault::ContextTooLong { units: 10_001 }));
    }
}
