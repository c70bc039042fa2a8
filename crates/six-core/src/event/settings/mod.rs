//! Editing the host's settings file: only our own hook entries, and no foreign byte.

mod document;
mod entry;
mod fault;
mod install;
mod layout;
#[cfg(test)]
mod round_trip;
mod schema;
mod splice;
mod uninstall;
mod wired;

pub use entry::{HOOK_BINARIES, HookEntry, is_our_program};
pub use fault::{SettingsFault, SettingsProblem};
pub use install::plan_install;
pub use schema::validate_hooks;
pub use splice::{Edit, Span, Wired, undo};
pub use uninstall::plan_uninstall;
pub use wired::{HooksRead, read_hooks};
