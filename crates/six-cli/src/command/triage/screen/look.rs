//! How things look. Colour only repeats what words and marks say.

use ratatui::style::{Color, Modifier, Style};

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Plain text.
    Text,
    /// What stands above a part.
    Label,
    /// What is to be judged.
    Title,
    /// The sentence itself.
    Quote,
    /// What stands round it.
    Faint,
    /// What arithmetic suggests.
    Suggestion,
    /// A verdict that was applied.
    Applied,
    /// Something that was not done.
    Refused,
    /// The marked line of a list.
    Marked,
}

/// Whether the terminal shows colour. Without it text is plain: `NO_COLOR` takes bold away too, as everywhere in `six`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) colour: bool,
}

impl Look {
    /// The style of a role.
    pub(super) const fn style(self, role: Role) -> Style {
        let plain = Style::new();
        if !self.colour {
            return plain;
        }
        match role {
            Role::Text => plain,
            Role::Label => plain.fg(Color::Cyan),
            Role::Title => plain.add_modifier(Modifier::BOLD),
            Role::Quote => plain.fg(Color::Green),
            Role::Faint => plain.add_modifier(Modifier::DIM),
            Role::Suggestion => plain.fg(Color::Yellow),
            Role::Applied => plain.fg(Color::Green).add_modifier(Modifier::BOLD),
            Role::Refused => plain.fg(Color::Red).add_modifier(Modifier::BOLD),
            Role::Marked => plain.add_modifier(Modifier::REVERSED),
        }
    }
}
