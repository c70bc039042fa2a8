//! Protects: the standing rules, which every session obeys. What is no longer so in them is obeyed, too.
//!
//! Evidence: `CLAUDE.md`, `.claude/CLAUDE.md`, `CLAUDE.local.md` and the documents that they import, against the terms
//! that the project has given up (`health.deprecated_terms`), the files of the project, its `package.json`, makefile and
//! justfile.
//! Threshold: none; one thing that is certainly untrue is enough. What may be an example, a plan, a prohibition, another
//! package's or a program's output was left out when it was gathered.
//! To do: correct the named line.

use crate::health::fix::plain;
use crate::health::missing::judge_unseen;
use crate::health::{Fault, HealthEvidence, HealthLimits, Untrue, UntrueRule, Verdict};
use crate::record::Evidence;

/// Places that are told; the others are counted.
const MAX_TOLD: usize = 3;

/// Judges it.
pub(in crate::health) fn judge(evidence: &HealthEvidence, _: &HealthLimits) -> Verdict {
    let rules = match &evidence.constitution {
        Evidence::Seen(rules) => rules,
        Evidence::Missing(why) => return judge_unseen(*why),
    };
    let Some(first) = rules.untrue.first() else {
        return match (rules.files.is_empty(), rules.unseen) {
            (_, 1..) => Verdict::noted(format!("files of standing rules that were not read: {}", rules.unseen)),
            (true, 0) => Verdict::noted("there is no CLAUDE.md"),
            (false, 0) => Verdict::green(),
        };
    };
    let mut told: Vec<String> = rules.untrue.iter().take(MAX_TOLD).map(tell).collect();
    if rules.untrue.len() > MAX_TOLD {
        told.push(format!("and {} more", rules.untrue.len() - MAX_TOLD));
    }
    let fix = format!("correct {}:{}, then `six health`", plain(&first.file), first.line);
    Verdict::red(fault_of(&first.what), told.join("; "), fix)
}

const fn fault_of(what: &Untrue) -> Fault {
    match what {
        Untrue::Term(_) => Fault::ConstitutionTerm,
        Untrue::Slot(_) => Fault::ConstitutionSlot,
        Untrue::Path(_) => Fault::ConstitutionPath,
        Untrue::Script(_) | Untrue::Target(_) | Untrue::Recipe(_) => Fault::ConstitutionCommand,
    }
}

fn tell(rule: &UntrueRule) -> String {
    let UntrueRule { file, line, what } = rule;
    let said = match what {
        Untrue::Term(term) => format!("uses \"{term}\", a deprecated term"),
        Untrue::Slot(slot) => format!("has a place to fill in: {slot}"),
        Untrue::Path(path) => format!("names {path}, which is not there"),
        Untrue::Script(name) => format!("names the script {name}, which no package.json has"),
        Untrue::Target(name) => format!("names the target {name}, which no makefile has"),
        Untrue::Recipe(name) => format!("names the recipe {name}, which the justfile has not"),
    };
    format!("{file}:{line} {said}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::ConstitutionEvidence;
    use crate::health::sample::{sound, without_store};
    use crate::record::Why;

    fn judged(rules: ConstitutionEvidence) -> Verdict {
        let evidence = HealthEvidence { constitution: Evidence::Seen(rules), ..sound() };
        judge(&evidence, &HealthLimits::default())
    }

    fn untrue(rules: &[(u32, Untrue)]) -> Verdict {
        let untrue = rules.iter().cloned();
        let untrue = untrue.map(|(line, what)| UntrueRule { file: "CLAUDE.md".into(), line, what }).collect();
        judged(ConstitutionEvidence { untrue, ..ConstitutionEvidence::sound() })
    }

    #[test]
    fn rules_that_hold_are_green_and_none_at_all_have_a_note() {
        assert_eq!(judged(ConstitutionEvidence::sound()), Verdict::green());
        assert_eq!(judged(ConstitutionEvidence::default()), Verdict::noted("there is no CLAUDE.md"));
        let unseen = ConstitutionEvidence { unseen: 1, ..ConstitutionEvidence::default() };
        assert_eq!(judged(unseen), Verdict::noted("files of standing rules that were not read: 1"));
    }

    #[test]
    fn each_kind_of_untruth_has_its_fault_and_its_line() {
        for (what, fault) in [
            (Untrue::Term("yarn".into()), Fault::ConstitutionTerm),
            (Untrue::Slot("{{name}}".into()), Fault::ConstitutionSlot),
            (Untrue::Path("src/gate.rs".into()), Fault::ConstitutionPath),
            (Untrue::Script("lint".into()), Fault::ConstitutionCommand),
            (Untrue::Target("check".into()), Fault::ConstitutionCommand),
            (Untrue::Recipe("check".into()), Fault::ConstitutionCommand),
        ] {
            let verdict = untrue(&[(12, what)]);
            let Verdict::Red { fault: found, detail, fix } = verdict else { panic!("{verdict:?}") };
            assert_eq!((found, fix.as_str()), (fault, "correct CLAUDE.md:12, then `six health`"), "{detail}");
            assert!(detail.starts_with("CLAUDE.md:12 "), "{detail}");
        }
    }

    #[test]
    fn three_places_are_told_and_a_fourth_is_counted() {
        let path = |line| (line, Untrue::Path(format!("src/a{line}.rs")));
        let Verdict::Red { detail, .. } = untrue(&[path(1), path(2), path(3)]) else { panic!("it is red") };
        insta::assert_snapshot!(detail, @"CLAUDE.md:1 names src/a1.rs, which is not there; CLAUDE.md:2 names src/a2.rs, which is not there; CLAUDE.md:3 names src/a3.rs, which is not there");
        let Verdict::Red { detail, .. } = untrue(&[path(1), path(2), path(3), path(4)]) else { panic!("it is red") };
        assert!(detail.ends_with("; and 1 more"), "{detail}");
    }

    #[test]
    fn the_rules_are_judged_without_a_store_and_missing_evidence_is_never_green() {
        assert_eq!(judge(&without_store(Why::NoStore), &HealthLimits::default()), Verdict::green());
        let evidence = HealthEvidence { constitution: Evidence::Missing(Why::Unreadable), ..sound() };
        assert_eq!(judge(&evidence, &HealthLimits::default()).fault(), Some(Fault::CheckFailed));
    }
}
