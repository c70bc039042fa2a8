//! Protects: that what was said in other words is found. A text without its vector is found by its own words alone, and
//! nobody notices.
//!
//! Evidence: how many texts that are to have a vector have one of the current model, how many lost theirs, vectors
//! without a text, boundaries since a run of embedding got anywhere, and one text looked for by its meaning alone.
//! Threshold: 99 % of the texts, and none is lost beyond that; no vector without a text; a run may stand still over two
//! boundaries, see [`HealthLimits`]. What is new is embedded after it can be found by its words, so a store that is being
//! worked on is behind and not broken: a note. A store without such texts has nothing to miss.
//! To do: `six embed --backfill`. Where nothing can be embedded at all, the check `embedding` tells why, and this one has
//! only its counts.

use crate::health::missing::judge_missing;
use crate::health::{CheckName, Fault, HealthEvidence, HealthLimits, VectorProbe, VectorsEvidence, Verdict};
use crate::record::Evidence;

const FIX: &str = "six embed --backfill";

/// Judges the vectors: first by what can be counted without a provider.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let vectors = match &evidence.vectors {
        Evidence::Seen(vectors) => vectors,
        Evidence::Missing(why) => return judge_missing(evidence, *why),
    };
    judge_coverage(vectors, limits).or_else(|| judge_index(vectors)).unwrap_or_else(|| note(evidence, vectors))
}

fn judge_coverage(vectors: &VectorsEvidence, limits: &HealthLimits) -> Option<Verdict> {
    let VectorsEvidence { eligible, embedded, lost, idle_boundaries, .. } = *vectors;
    if is_covered(eligible, eligible.saturating_sub(lost), limits.min_vectors_percent) {
        let is_behind = !is_covered(eligible, embedded, limits.min_vectors_percent);
        return (is_behind && idle_boundaries > limits.max_idle_boundaries).then(|| {
            let detail = format!(
                "{embedded} of {eligible} texts have a vector, none was added over {idle_boundaries} boundaries"
            );
            Verdict::red(Fault::VectorsStuck, detail, FIX)
        });
    }
    let detail = format!("{embedded} of {eligible} texts have a vector of the current model, {lost} lost theirs");
    Some(Verdict::red(Fault::VectorsLost, detail, FIX))
}

/// Whether `part` of `whole` is as much as is wanted.
fn is_covered(whole: u64, part: u64, percent: u64) -> bool {
    u128::from(part) * 100 >= u128::from(whole) * u128::from(percent)
}

fn judge_index(vectors: &VectorsEvidence) -> Option<Verdict> {
    if vectors.orphans > 0 {
        let detail = format!("{} vectors belong to no text", vectors.orphans);
        return Some(Verdict::red(Fault::VectorsOrphaned, detail, FIX));
    }
    match vectors.probe {
        VectorProbe::NothingToFind | VectorProbe::Found => None,
        VectorProbe::NoQuery => Some(Verdict::Blocked { by: CheckName::Embedding }),
        VectorProbe::NotFound => {
            let detail = format!("a text is not found by its meaning ({} vectors)", vectors.embedded);
            Some(Verdict::red(Fault::VectorsUnfound, detail, FIX))
        }
    }
}

fn note(evidence: &HealthEvidence, vectors: &VectorsEvidence) -> Verdict {
    let VectorsEvidence { eligible, embedded, .. } = *vectors;
    match (eligible, evidence.first_run) {
        (0, true) => Verdict::noted("first run: nothing is to be embedded yet"),
        (0, false) => Verdict::noted("nothing is to be embedded"),
        _ if embedded < eligible => {
            Verdict::noted(format!("{embedded} of {eligible} texts have a vector, the others follow"))
        }
        _ => Verdict::green(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{fresh, sound, without_store};
    use crate::record::Why;

    fn judged(spoil: impl FnOnce(&mut VectorsEvidence)) -> Verdict {
        let mut evidence = sound();
        if let Evidence::Seen(vectors) = &mut evidence.vectors {
            spoil(vectors);
        }
        judge(&evidence, &HealthLimits::default())
    }

    fn of(eligible: u64, embedded: u64) -> impl FnOnce(&mut VectorsEvidence) {
        move |v| (v.eligible, v.embedded) = (eligible, embedded)
    }

    #[test]
    fn a_store_with_all_its_vectors_is_green_and_a_fresh_one_too() {
        assert_eq!(judged(|_| ()), Verdict::green());
        assert_eq!(
            judge(&fresh(), &HealthLimits::default()),
            Verdict::noted("first run: nothing is to be embedded yet")
        );
        assert_eq!(judged(|v| *v = VectorsEvidence::default()), Verdict::noted("nothing is to be embedded"));
    }

    #[test]
    fn small_stores_that_are_being_filled_are_never_red() {
        for eligible in 0..=2 {
            for embedded in 0..=eligible {
                assert!(judged(of(eligible, embedded)).is_green(), "{embedded} of {eligible}");
            }
        }
    }

    #[test]
    fn what_is_new_is_a_note_while_embedding_gets_on() {
        let behind = |boundaries| {
            move |v: &mut VectorsEvidence| (v.eligible, v.embedded, v.idle_boundaries) = (1_000, 400, boundaries)
        };
        assert_eq!(judged(behind(2)), Verdict::noted("400 of 1000 texts have a vector, the others follow"));
        let red = Verdict::red(
            Fault::VectorsStuck,
            "400 of 1000 texts have a vector, none was added over 3 boundaries",
            "six embed --backfill",
        );
        assert_eq!(judged(behind(3)), red);
    }

    #[test]
    fn ninety_nine_percent_are_enough_and_one_text_less_is_not() {
        let idle = |embedded| {
            move |v: &mut VectorsEvidence| (v.eligible, v.embedded, v.idle_boundaries) = (1_000, embedded, 9)
        };
        assert_eq!(judged(idle(990)), Verdict::noted("990 of 1000 texts have a vector, the others follow"));
        assert_eq!(judged(idle(989)).fault(), Some(Fault::VectorsStuck));
    }

    #[test]
    fn vectors_that_were_lost_are_red_at_once() {
        let lost = |lost| move |v: &mut VectorsEvidence| (v.eligible, v.embedded, v.lost) = (1_000, 1_000 - lost, lost);
        assert!(judged(lost(10)).is_green());
        let red = Verdict::red(
            Fault::VectorsLost,
            "989 of 1000 texts have a vector of the current model, 11 lost theirs",
            "six embed --backfill",
        );
        assert_eq!(judged(lost(11)), red);
    }

    #[test]
    fn one_vector_without_a_text_is_red() {
        assert_eq!(judged(|v| v.orphans = 1).fault(), Some(Fault::VectorsOrphaned));
    }

    #[test]
    fn a_text_that_its_meaning_does_not_find_is_red_and_none_to_look_for_is_not() {
        assert_eq!(judged(|v| v.probe = VectorProbe::NotFound).fault(), Some(Fault::VectorsUnfound));
        assert_eq!(judged(|v| v.probe = VectorProbe::NothingToFind), Verdict::green());
    }

    #[test]
    fn without_a_vector_to_look_with_the_counts_are_judged_all_the_same() {
        let without = |spoil: fn(&mut VectorsEvidence)| {
            judged(|v| {
                v.probe = VectorProbe::NoQuery;
                spoil(v);
            })
        };
        assert_eq!(without(|_| ()), Verdict::Blocked { by: CheckName::Embedding });
        assert_eq!(without(|v| (v.embedded, v.lost) = (0, 400)).fault(), Some(Fault::VectorsLost));
        assert_eq!(without(|v| v.orphans = 1).fault(), Some(Fault::VectorsOrphaned));
    }

    #[test]
    fn counts_of_any_size_are_compared() {
        assert!(judged(of(u64::MAX, u64::MAX)).is_green());
        assert!(judged(of(0, u64::MAX)).is_green());
    }

    #[test]
    fn without_the_store_the_check_is_blocked_and_else_red_by_itself() {
        let limits = HealthLimits::default();
        assert_eq!(judge(&without_store(Why::Corrupt), &limits), Verdict::Blocked { by: CheckName::Store });
        let evidence = HealthEvidence { vectors: Evidence::Missing(Why::Busy), ..sound() };
        assert_eq!(judge(&evidence, &limits).fault(), Some(Fault::CheckFailed));
    }
}
