//! What the checks said, whoever asked them.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use six_core::health::{CheckName, Fault, HealthReport, Verdict};

use super::injection::Unproven;

/// The checks that are red.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reds {
    reds: BTreeMap<CheckName, Red>,
}

/// Why a check is red.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Red {
    /// Another one is to blame.
    Blocked,
    /// It found this.
    Found {
        /// What.
        fault: Fault,
        /// With its numbers.
        detail: String,
        /// What to do.
        fix: String,
    },
}

impl Reds {
    /// Of a report of this process.
    pub(super) fn of_report(report: HealthReport) -> Self {
        let reds = report.checks.into_iter().filter_map(|check| match check.verdict {
            Verdict::Green { .. } | Verdict::NotWired => None,
            Verdict::Red { fault, detail, fix } => Some((check.name, Red::Found { fault, detail, fix })),
            Verdict::Blocked { .. } => Some((check.name, Red::Blocked)),
        });
        Self { reds: reds.collect() }
    }

    /// Of what `six health --json` printed.
    pub(super) fn of_json(text: &str) -> Result<Self, Unproven> {
        let strange = || Unproven::Strange(text.chars().take(200).collect());
        let report: Value = serde_json::from_str(text).map_err(|_| strange())?;
        let checks = report["checks"].as_array().ok_or_else(strange)?;
        let mut reds = BTreeMap::new();
        for check in checks.iter().filter(|check| check["verdict"] != "green") {
            let name = check["check"].as_str().and_then(CheckName::parse).ok_or_else(strange)?;
            let fault: Fault = serde_json::from_value(check["fault"].clone()).map_err(|_| strange())?;
            let said = |field: &str| check[field].as_str().unwrap_or_default().to_owned();
            let red = match fault {
                Fault::Blocked => Red::Blocked,
                fault => Red::Found { fault, detail: said("detail"), fix: said("fix") },
            };
            reds.insert(name, red);
        }
        Ok(Self { reds })
    }

    /// What a check found, unless it is green.
    pub(super) fn red(&self, check: CheckName) -> Option<&Red> {
        self.reds.get(&check)
    }

    /// The checks that found something themselves and were green in `before`.
    pub(super) fn newly_red(&self, before: &Self) -> Vec<CheckName> {
        let own = self.reds.iter().filter(|(_, red)| **red != Red::Blocked).map(|(name, _)| *name);
        own.filter(|name| before.red(*name).is_none()).collect()
    }

    /// The checks that are not green and were in `before`.
    pub(super) fn no_longer_green(&self, before: &Self) -> Vec<CheckName> {
        self.reds.keys().copied().filter(|name| before.red(*name).is_none()).collect()
    }

    /// The checks that are not green.
    pub(super) fn all_red(&self) -> Vec<CheckName> {
        self.reds.keys().copied().collect()
    }
}

impl fmt::Display for Reds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, (check, red)) in self.reds.iter().enumerate() {
            let gap = if n == 0 { "" } else { "; " };
            let detail = match red {
                Red::Blocked => "blocked",
                Red::Found { detail, .. } => detail,
            };
            write!(f, "{gap}{}: {detail}", check.as_str())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_another_check_blocks_is_not_newly_red_and_not_green_either() {
        let said = r#"{"checks": [
            {"check": "store", "verdict": "red", "fault": "store-unusable", "detail": "d", "fix": "six repair"},
            {"check": "queue", "verdict": "red", "fault": "blocked", "detail": null, "fix": null},
            {"check": "render", "verdict": "green", "fault": null}]}"#;
        let (reds, before) = (Reds::of_json(said).unwrap(), Reds::default());
        assert_eq!(reds.newly_red(&before), [CheckName::Store]);
        assert_eq!(reds.no_longer_green(&before), [CheckName::Store, CheckName::Queue]);
        assert_eq!(reds.newly_red(&reds), []);
        let found = Red::Found { fault: Fault::StoreUnusable, detail: "d".into(), fix: "six repair".into() };
        assert_eq!(reds.red(CheckName::Store), Some(&found));
    }

    #[test]
    fn what_is_no_report_is_refused() {
        for said in ["", "{}", "[]", r#"{"checks": [{"check": "shop", "verdict": "red", "fault": "blocked"}]}"#] {
            assert!(matches!(Reds::of_json(said), Err(Unproven::Strange(_))), "{said}");
        }
    }
}
