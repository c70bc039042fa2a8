//! `receipt`: the account of a turn, with the columns that reports ask for beside the whole as JSON.

use rusqlite::{Connection, Result, params};
use six_core::inject::{Emission, Receipt};
use six_core::record::{EventId, PromptId};

use super::column;

pub(crate) fn insert(conn: &Connection, event: &EventId, receipt: &Receipt, json: &str) -> Result<()> {
    conn.prepare_cached(
        "INSERT INTO receipt (event_id, session, prompt_id, at_unix_ms, mode, human, silenced, fired, took_us, receipt_json) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        event.as_str(),
        receipt.session.as_str(),
        receipt.prompt_id.as_ref().map(PromptId::as_str),
        receipt.at.0,
        mode(receipt.mode),
        receipt.human,
        receipt.silenced,
        !receipt.blocks.is_empty(),
        column::int(receipt.took_us),
        json
    ])?;
    Ok(())
}

fn mode(mode: Emission) -> &'static str {
    match mode {
        Emission::On => "on",
        Emission::Shadow => "shadow",
        Emission::Off => "off",
    }
}
