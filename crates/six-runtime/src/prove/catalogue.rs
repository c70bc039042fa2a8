//! Everything that is injected, and what is not.

use six_core::health::{CheckName, Fault};

use super::injection::Injection;
use super::{
    constitution, derived, embedding, heartbeats, ingest, lineage, memory_files, queue, render, store, vectors,
};

/// What is injected into each check, in the order of the report.
static CATALOGUE: &[&[Injection]] = &[
    store::INJECTIONS,
    ingest::INJECTIONS,
    vectors::INJECTIONS,
    embedding::INJECTIONS,
    heartbeats::INJECTIONS,
    queue::INJECTIONS,
    lineage::INJECTIONS,
    memory_files::INJECTIONS,
    constitution::INJECTIONS,
    render::INJECTIONS,
    derived::INJECTIONS,
];

/// Faults that are not injected, each with its reason.
pub const NOT_INJECTED: &[(Fault, &str)] = &[
    (Fault::EmbedderBroken, "the model is a part of the program: the tests of the check show it"),
    (Fault::EmbedderUnsupported, "a processor without the instructions can't be had: the tests of the check show it"),
    (Fault::CheckFailed, "a check that panics or whose time is used up; the tests of the report and the gate show it"),
    (Fault::Blocked, "no fault of its own: a store that can't be opened blocks all checks that read it"),
];

/// All injections, or those of one check.
pub(super) fn injections(only: Option<CheckName>) -> impl Iterator<Item = &'static Injection> {
    CATALOGUE.iter().copied().flatten().filter(move |injection| only.is_none_or(|only| only == injection.check))
}

/// Each check with a fault that is injected into it.
pub fn injected() -> Vec<(CheckName, Fault)> {
    injections(None).map(|injection| (injection.check, injection.fault)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// All variants, out of the text of the enumeration: a new one can't be forgotten here.
    fn all_faults() -> Vec<Fault> {
        let text = include_str!("../../../six-core/src/health/verdict.rs");
        let (_, text) = text.split_once("pub enum Fault {\n").unwrap();
        let (text, _) = text.split_once("\n}").unwrap();
        let names = text.lines().filter_map(|line| line.trim().strip_suffix(','));
        names.map(|name| serde_json::from_value(kebab(name).into()).unwrap()).collect()
    }

    fn kebab(name: &str) -> String {
        let mut kebab = String::new();
        for c in name.chars() {
            if c.is_uppercase() && !kebab.is_empty() {
                kebab.push('-');
            }
            kebab.extend(c.to_lowercase());
        }
        kebab
    }

    #[test]
    fn every_check_can_be_turned_red() {
        let proved: BTreeSet<CheckName> = injected().into_iter().map(|(check, _)| check).collect();
        assert_eq!(proved, CheckName::ALL.into_iter().collect());
    }

    #[test]
    fn every_fault_is_injected_or_listed_with_its_reason() {
        let injected = injected();
        for fault in all_faults() {
            let is_injected = injected.iter().any(|(_, injected)| *injected == fault);
            let is_listed = NOT_INJECTED.iter().any(|(listed, _)| *listed == fault);
            assert!(is_injected != is_listed, "{fault:?} is in neither list, or in both");
        }
    }
}
