//! What a soak came to, in a page.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::Plan;
use super::call::Call;
use super::judge::Judgement;
use super::lane::Done;

/// Violations that are listed; more are only counted.
const LISTED: usize = 40;

/// The result of a soak; its text is the summary.
#[derive(Debug)]
pub struct Report {
    pub(super) plan: Plan,
    pub(super) lanes: Vec<Done>,
    pub(super) judgement: Judgement,
    pub(super) reds: Vec<String>,
    pub(super) took: Duration,
    pub(super) store_bytes: u64,
    pub(super) kept: Option<PathBuf>,
}

impl Report {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.judgement.violations.is_empty()
    }

    /// How many hooks and commands were killed while they ran.
    pub fn kills(&self) -> usize {
        self.calls().filter(|call| call.killed.is_some()).count()
    }

    fn calls(&self) -> impl Iterator<Item = &Call> {
        self.lanes.iter().flat_map(|lane| &lane.calls)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { invocations, seed, processes } = self.plan;
        let (ran, seconds) = (self.calls().count(), self.took.as_secs_f64());
        writeln!(
            to,
            "soak: {invocations} invocations, seed {seed}, {processes} at once; {ran} ran in {seconds:.0} s\n"
        )?;
        let mut ends: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
        let mut took: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
        for call in self.calls() {
            *ends.entry(call.kind).or_default().entry(call.end()).or_default() += 1;
            if call.killed.is_none() {
                took.entry(call.kind).or_default().push(call.took);
            }
        }
        writeln!(to, "{:<20} {:>7} {:>9} {:>9} {:>9}  ends", "", "count", "p50 ms", "p99 ms", "worst ms")?;
        for (kind, ends) in &ends {
            let mut took = took.remove(kind).unwrap_or_default();
            took.sort();
            let at = |percent: usize| {
                took.get(took.len().saturating_sub(1) * percent / 100).map_or(0.0, |took| took.as_secs_f64() * 1e3)
            };
            let count: usize = ends.values().sum();
            let ends: Vec<String> = ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
            writeln!(
                to,
                "{kind:<20} {count:>7} {:>9.1} {:>9.1} {:>9.1}  {}",
                at(50),
                at(99),
                at(100),
                ends.join(", ")
            )?;
        }
        let held: usize = self.lanes.iter().map(|lane| lane.held).sum();
        let journal = self.lanes.iter().map(|lane| lane.journal_bytes).max().unwrap_or_default();
        writeln!(to, "\nkilled while they ran: {}; times the store was held: {held}", self.kills())?;
        writeln!(to, "store: {} bytes; largest journal seen: {journal} bytes", self.store_bytes)?;
        for name in ["lost", "twice"] {
            writeln!(to, "{name}: {}", self.judgement.counts.get(name).unwrap_or(&0))?;
        }
        for (name, count) in self.judgement.counts.iter().filter(|(name, _)| !["lost", "twice"].contains(name)) {
            writeln!(to, "{name}: {count}")?;
        }
        for red in &self.reds {
            writeln!(to, "red before the last session: {red}")?;
        }
        let violations = &self.judgement.violations;
        writeln!(to, "\nviolations: {}", violations.len())?;
        for violation in violations.iter().take(LISTED) {
            writeln!(to, "  {violation}")?;
        }
        if violations.len() > LISTED {
            writeln!(to, "  and {} more", violations.len() - LISTED)?;
        }
        if let Some(kept) = &self.kept {
            writeln!(to, "the machine is kept in {}: look at its six-home/projects/*/memory.db", kept.display())?;
        }
        Ok(())
    }
}
