//! One file per table: its SQL and its row mapping. Functions take a connection that is inside the caller's transaction.

pub(crate) mod anchor;
pub(crate) mod body;
pub(crate) mod body_fts;
pub(crate) mod boundary;
pub(crate) mod chunk;
pub(crate) mod column;
pub(crate) mod delivery;
pub(crate) mod entry;
pub(crate) mod entry_key;
pub(crate) mod health_observation;
pub(crate) mod heartbeat;
pub(crate) mod meta;
pub(crate) mod model;
pub(crate) mod receipt;
pub(crate) mod record;
pub(crate) mod record_history;
pub(crate) mod render;
pub(crate) mod session;
pub(crate) mod skip;
pub(crate) mod source_file;
pub(crate) mod subsystem;
pub(crate) mod term;
pub(crate) mod thread;
pub(crate) mod transcript_link;
pub(crate) mod vector;
pub(crate) mod work;
