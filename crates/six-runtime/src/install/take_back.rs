//! Decides how one file gets back to what it was before us.

use super::change::FileKind;
use super::exclude::cut_line;
use super::manifest::FileEntry;
use six_core::event::settings::{SettingsFault, is_our_program, plan_uninstall, undo};
use six_core::text::sha256_hex;
use std::path::PathBuf;

/// How a file changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It has its earlier bytes again.
    Restored(Vec<u8>),
    /// It did not exist before, and does not now.
    Removed,
    /// The user changed it since: only what is ours was cut out.
    Cut(Vec<u8>),
}

/// A file that stays although we wrote it, since the user changed it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept(pub PathBuf);

/// The answer for one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing of ours is in it.
    Nothing,
    /// It changes.
    Change(Outcome),
    /// It is the user's now.
    Keep,
}

/// Judges a file that exists. Without an entry, it is a settings file that may hold entries of ours all the same.
pub(super) fn judge_take_back(kind: FileKind, entry: Option<&FileEntry>, now: &[u8]) -> Result<Verdict, SettingsFault> {
    let earlier = entry.and_then(|entry| earlier(entry, now));
    match (kind, earlier) {
        (FileKind::Settings, earlier) => judge_settings(entry, earlier, now),
        (_, Some(Earlier::NoFile)) => Ok(Verdict::Change(Outcome::Removed)),
        (_, Some(Earlier::Bytes(bytes))) => Ok(changed(Outcome::Restored(bytes), now)),
        (FileKind::Exclude, None) => {
            let cut = cut_line(now);
            Ok(if cut == now { Verdict::Nothing } else { Verdict::Change(Outcome::Cut(cut)) })
        }
        (FileKind::Template, None) => Ok(Verdict::Keep),
    }
}

enum Earlier {
    NoFile,
    Bytes(Vec<u8>),
}

/// What was there before us, if the file is still as we left it.
fn earlier(entry: &FileEntry, now: &[u8]) -> Option<Earlier> {
    if sha256_hex(now) != entry.after {
        return (entry.before == Some(sha256_hex(now))).then(|| Earlier::Bytes(now.to_vec()));
    }
    let Some(before) = &entry.before else { return Some(Earlier::NoFile) };
    let text = String::from_utf8(now.to_vec()).ok()?;
    let text = entry.edits.iter().rev().try_fold(text, |text, spans| undo(&text, spans))?;
    (sha256_hex(text.as_bytes()) == *before).then(|| Earlier::Bytes(text.into_bytes()))
}

fn judge_settings(entry: Option<&FileEntry>, earlier: Option<Earlier>, now: &[u8]) -> Result<Verdict, SettingsFault> {
    let (bytes, is_exact) = match earlier {
        Some(Earlier::NoFile) => return Ok(Verdict::Change(Outcome::Removed)),
        Some(Earlier::Bytes(bytes)) => (bytes, true),
        None => (now.to_vec(), false),
    };
    let Ok(text) = String::from_utf8(bytes) else { return Ok(Verdict::Nothing) };
    // The earlier bytes may hold entries too, from an install whose manifest is gone.
    let edit = match plan_uninstall(&text, is_our_program) {
        Ok(edit) => edit,
        Err(_) if is_exact => return Ok(changed(Outcome::Restored(text.into_bytes()), now)),
        Err(fault) => return Err(fault),
    };
    let was_ours = entry.is_some_and(|entry| entry.before.is_none());
    if was_ours && !edit.removed.is_empty() && is_empty_object(&edit.text) {
        return Ok(Verdict::Change(Outcome::Removed));
    }
    let outcome = if edit.removed.is_empty() && is_exact { Outcome::Restored } else { Outcome::Cut };
    Ok(changed(outcome(edit.text.into_bytes()), now))
}

fn changed(outcome: Outcome, now: &[u8]) -> Verdict {
    match &outcome {
        Outcome::Restored(bytes) | Outcome::Cut(bytes) if bytes == now => Verdict::Nothing,
        _ => Verdict::Change(outcome),
    }
}

fn is_empty_object(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(text).is_ok_and(|map| map.is_empty())
}
