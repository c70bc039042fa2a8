//! What is left of telemetry when its rows are gone: counts of a day.

mod count;
mod day;
mod episode_report;
mod hook_report;
mod latency;
mod row;

pub use count::{Counted, Counts, Measure};
pub use day::UnixDay;
pub use episode_report::{Episode, FaultReport, Remedy, Spread, summarise_episodes};
pub use hook_report::{HookReport, Invocation, LatencyUs};
pub use latency::{Latency, LatencyBucket, summarise_latency};
pub use row::TelemetryRow;
