//! What is left of telemetry when its rows are gone: counts of a day.

mod count;
mod day;
mod latency;
mod row;

pub use count::{Counted, Counts, Measure};
pub use day::UnixDay;
pub use latency::{Latency, LatencyBucket, summarise_latency};
pub use row::TelemetryRow;
