//! Plans the change of one settings file.

use super::change::{FileChange, FileKind, judge_writable, read_target, text_of};
use super::refusal::Refusal;
use six_core::event::settings::{Edit, HookEntry, Wired, is_our_program, plan_install, plan_uninstall};
use std::path::Path;

/// How a settings file gets its entries.
#[derive(Debug, Default)]
pub(super) struct WiringPlan {
    /// `None` if they are there.
    pub change: Option<FileChange>,
    /// Entries that are added.
    pub added: Vec<Wired>,
    /// Entries whose path or arguments are put right.
    pub repaired: Vec<Wired>,
}

/// Plans to wire the entries.
pub(super) fn plan_wiring(path: &Path, entries: &[HookEntry]) -> Result<WiringPlan, Refusal> {
    let before = read_target(path)?;
    let text = text_of(path, before.as_deref())?;
    let edit = plan_install(&text, entries).map_err(|fault| Refusal::Settings { path: path.to_owned(), fault })?;
    if edit.text == text {
        return Ok(WiringPlan::default());
    }
    let Edit { text, spans, added, repaired, .. } = edit;
    let folders = judge_writable(path)?;
    let (path, after) = (path.to_owned(), text.into_bytes());
    let change = FileChange { kind: FileKind::Settings, path, before, after, spans, folders };
    Ok(WiringPlan { change: Some(change), added, repaired })
}

/// Plans to put right our entries in a file that an earlier install wired and this one is not about: those that are
/// there get the right path, none is added. A file that can't be edited is dead to the host as well and is left alone.
pub(super) fn plan_repair(path: &Path, entries: &[HookEntry]) -> Option<(FileChange, Vec<Wired>)> {
    let present = entries_in(path);
    let wanted: Vec<HookEntry> =
        entries.iter().filter(|entry| present.iter().any(|wired| wired.event == entry.event)).cloned().collect();
    let WiringPlan { change, repaired, .. } = plan_wiring(path, &wanted).ok()?;
    Some((change?, repaired))
}

/// Our entries in a settings file; none if there is no such file, or none that the host could read.
pub(super) fn entries_in(path: &Path) -> Vec<Wired> {
    let text = read_target(path).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok());
    let edit = text.and_then(|text| plan_uninstall(&text, is_our_program).ok());
    edit.map(|edit| edit.removed).unwrap_or_default()
}
