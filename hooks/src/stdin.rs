//! Reading the payload.

use std::io::Read;

use six_core::event::Wholeness;

/// Most of a payload that is read. A tool's output of 20 MB arrives twice; beyond this a payload is cut and fails as one
/// that can't be parsed, which leaves its row.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Reads until the first complete JSON value, or the end of the input. The host sends one line and closes; on some
/// platforms it never closes, so the end is not waited for.
pub(crate) fn read_payload() -> Vec<u8> {
    let mut stdin = std::io::stdin().lock();
    let mut payload = Vec::new();
    let mut whole = Wholeness::default();
    let mut piece = vec![0; 64 * 1024];
    while payload.len() < MAX_BYTES {
        match stdin.read(&mut piece) {
            Ok(0) => break,
            Ok(n) => {
                let read = piece.get(..n).unwrap_or_default();
                payload.extend_from_slice(read);
                if whole.closes_in(read) {
                    break;
                }
            }
            Err(fault) if fault.kind() == std::io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    payload
}
