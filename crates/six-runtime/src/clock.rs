//! The clock. The only place that reads it; everything else is handed a time.

use std::fs::Metadata;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use chrono::{FixedOffset, Local, Offset};
use six_core::record::UnixMs;

/// Now.
pub fn now() -> UnixMs {
    UnixMs(unix_ms(SystemTime::now()))
}

/// Microseconds since `began`, whatever became of the clock meanwhile.
pub fn micros_since(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX)
}

/// The offset of local time from UTC, for dates in text.
pub fn local_offset() -> FixedOffset {
    Local::now().offset().fix()
}

/// When a file was last modified, in milliseconds since 1970; 0 where the platform can't tell.
pub fn modified_unix_ms(metadata: &Metadata) -> i64 {
    metadata.modified().map_or(0, unix_ms)
}

fn unix_ms(at: SystemTime) -> i64 {
    match at.duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    }
}
