//! Keys as the screen means them, whatever bytes the terminal sends for them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// One press of a key. A control key that means the same as a named one is that one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    WordLeft,
    WordRight,
    Backspace,
    Delete,
    DeleteWord,
    DeleteBefore,
    DeleteAfter,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
}

/// The key of an event; `None` for a release and for keys that mean nothing here.
pub(super) fn parse_key(event: KeyEvent) -> Option<Key> {
    if event.kind == KeyEventKind::Release {
        return None;
    }
    let with = |modifier| event.modifiers.contains(modifier);
    match event.code {
        KeyCode::Char(c) if with(KeyModifiers::CONTROL) => parse_control(c),
        KeyCode::Char('b') if with(KeyModifiers::ALT) => Some(Key::WordLeft),
        KeyCode::Char('f') if with(KeyModifiers::ALT) => Some(Key::WordRight),
        KeyCode::Char(_) if with(KeyModifiers::ALT) => None,
        KeyCode::Char(c) => Some(Key::Char(c)),
        KeyCode::Backspace if with(KeyModifiers::ALT) || with(KeyModifiers::CONTROL) => Some(Key::DeleteWord),
        KeyCode::Left if with(KeyModifiers::ALT) || with(KeyModifiers::CONTROL) => Some(Key::WordLeft),
        KeyCode::Right if with(KeyModifiers::ALT) || with(KeyModifiers::CONTROL) => Some(Key::WordRight),
        code => parse_named(code),
    }
}

const fn parse_control(c: char) -> Option<Key> {
    match c {
        'a' => Some(Key::Home),
        'b' => Some(Key::Left),
        'c' => Some(Key::Interrupt),
        'd' => Some(Key::Delete),
        'e' => Some(Key::End),
        'f' => Some(Key::Right),
        'h' => Some(Key::Backspace),
        'k' => Some(Key::DeleteAfter),
        'n' => Some(Key::Down),
        'p' => Some(Key::Up),
        'u' => Some(Key::DeleteBefore),
        'w' => Some(Key::DeleteWord),
        'z' => Some(Key::Suspend),
        _ => None,
    }
}

const fn parse_named(code: KeyCode) -> Option<Key> {
    match code {
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Esc => Some(Key::Esc),
        KeyCode::Tab => Some(Key::Tab),
        KeyCode::BackTab => Some(Key::BackTab),
        KeyCode::Up => Some(Key::Up),
        KeyCode::Down => Some(Key::Down),
        KeyCode::Left => Some(Key::Left),
        KeyCode::Right => Some(Key::Right),
        KeyCode::Home => Some(Key::Home),
        KeyCode::End => Some(Key::End),
        KeyCode::PageUp => Some(Key::PageUp),
        KeyCode::PageDown => Some(Key::PageDown),
        KeyCode::Backspace => Some(Key::Backspace),
        KeyCode::Delete => Some(Key::Delete),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
        parse_key(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn ctrl_c_and_ctrl_z_are_never_letters() {
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Interrupt));
        assert_eq!(key(KeyCode::Char('z'), KeyModifiers::CONTROL), Some(Key::Suspend));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::NONE), Some(Key::Char('c')));
    }

    #[test]
    fn a_letter_with_a_modifier_gives_no_verdict() {
        assert_eq!(key(KeyCode::Char('y'), KeyModifiers::CONTROL), None);
        assert_eq!(key(KeyCode::Char('n'), KeyModifiers::ALT), None);
    }

    #[test]
    fn words_are_deleted_as_shells_do_it() {
        assert_eq!(key(KeyCode::Char('w'), KeyModifiers::CONTROL), Some(Key::DeleteWord));
        assert_eq!(key(KeyCode::Backspace, KeyModifiers::ALT), Some(Key::DeleteWord));
        assert_eq!(key(KeyCode::Left, KeyModifiers::CONTROL), Some(Key::WordLeft));
    }

    #[test]
    fn a_key_counts_once() {
        let mut event = KeyEvent::new(KeyCode::Char('y'), KeyModifiers::NONE);
        event.kind = KeyEventKind::Release;
        assert_eq!(parse_key(event), None);
    }
}
