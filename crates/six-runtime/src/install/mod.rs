//! Gives a project its memory and takes it away again: what is written outside our own folder is planned first, shown on
//! request, recorded in a manifest, and can be taken back byte for byte.

mod apply;
mod audit;
mod binaries;
mod change;
mod exclude;
mod host;
mod machine;
mod manifest;
mod place;
mod plan;
mod refusal;
mod relink;
mod seed;
mod settings;
mod store;
mod take_back;
pub mod templates;
mod uninstall;

pub use apply::{InstallError, Installed, apply};
pub use audit::{Audit, AuditedProject, audit};
pub use binaries::{HOOKS, Hook, find_binaries};
pub use change::{FileChange, FileKind};
pub use host::{Scope, claude_dir, cleanup_days, is_memory_off, memory_folder};
pub use machine::hand_over_reliance;
pub use manifest::{FileEntry, HandOverError, Manifest, copy_over, hand_over, record_identity};
pub use plan::{Identity, InstallPlan, Note, Request, Wiring, plan};
pub use refusal::Refusal;
pub use relink::{Left, Relink, apply_relink, plan_relink};
pub use store::{StoreState, ensure_store};
pub use take_back::{Kept, Outcome};
pub use uninstall::{UninstallPlan, UninstallRequest, Uninstalled, apply_uninstall, plan_uninstall};

#[cfg(test)]
mod tests;
