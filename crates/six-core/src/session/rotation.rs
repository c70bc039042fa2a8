//! Whose turn it is among the standing corrections: each comes, so that a fixed handful never owns the channel.

use super::section::MAX_RECORDS;
use super::view::{CorrectionView, RecordView};
use crate::inject::scope_meets_folder;
use crate::record::{Origin, bare_title};

/// A prompt that says a correction again brings it up itself: so close to it, being shown is no answer to being ignored.
const SAME_MOMENT_MS: i64 = 10_000;

/// The corrections that a start shows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn<'v> {
    /// In the order in which they are shown.
    pub(super) shown: Vec<&'v RecordView>,
    /// All that stand, a sentence that several records say counted once.
    pub(super) total: usize,
}

/// First what was violated since it was last shown, then what can hold in the session's folder (relative to the project),
/// and among equals what was shown longest ago or never; of those that one start showed together, what was shown less often.
pub(super) fn whose_turn<'v>(standing: &'v [CorrectionView], folder: &str) -> Turn<'v> {
    let mut all = each_sentence_once(standing);
    let total = all.len();
    all.sort_by_cached_key(|one| {
        let elsewhere = !scope_meets_folder(&one.record.scope, folder);
        (!is_violated(one), elsewhere, one.served, one.times, one.record.created, &one.record.id)
    });
    all.truncate(MAX_RECORDS);
    Turn { shown: all.into_iter().map(|one| &one.record).collect(), total }
}

/// Whether the operator had to say it again since it was last shown, or was made.
fn is_violated(one: &CorrectionView) -> bool {
    let since = one.served.map_or(one.record.created.0, |served| served.0.saturating_sub(SAME_MOMENT_MS));
    one.said_again.is_some_and(|again| again.0 > since)
}

/// Of several records that say the same at the same places (a person entered what a memory file states, too) the operator's
/// own stands for all.
fn each_sentence_once(standing: &[CorrectionView]) -> Vec<&CorrectionView> {
    let mut once: Vec<(String, &CorrectionView)> = Vec::new();
    for one in standing {
        let said = sentence(&one.record);
        match once.iter_mut().find(|(known, _)| *known == said) {
            Some((_, known)) if outranks(one, known) => *known = one,
            Some(_) => {}
            None => once.push((said, one)),
        }
    }
    once.into_iter().map(|(_, one)| one).collect()
}

fn outranks(one: &CorrectionView, other: &CorrectionView) -> bool {
    let rank = |one: &CorrectionView| (one.record.origin != Origin::Operator, one.record.created);
    rank(one) < rank(other)
}

/// What a correction says and where, without what makes no other sentence of it.
fn sentence(record: &RecordView) -> String {
    let title = record.title.trim_end().trim_end_matches(['!', '！']);
    format!("{}\0{}", bare_title(title), record.scope.trim())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::record::{EntryKind, RecordId, UnixMs};

    /// Made at 0; all times in seconds.
    fn standing(id: &str, served: Option<i64>) -> CorrectionView {
        CorrectionView {
            record: RecordView {
                id: RecordId::new(id),
                kind: EntryKind::Correction,
                title: format!("Rule {id}"),
                body: String::new(),
                origin: Origin::Operator,
                written_by: String::new(),
                scope: String::new(),
                revive_if: String::new(),
                created: UnixMs(0),
            },
            served: served.map(at),
            times: 0,
            said_again: None,
        }
    }

    fn at(second: i64) -> UnixMs {
        UnixMs(second * 1_000)
    }

    fn scoped(id: &str, scope: &str) -> CorrectionView {
        let one = standing(id, None);
        CorrectionView { record: RecordView { scope: scope.into(), ..one.record }, ..one }
    }

    fn ids(standing: &[CorrectionView], folder: &str) -> Vec<String> {
        whose_turn(standing, folder).shown.iter().map(|record| record.id.to_string()).collect()
    }

    #[test]
    fn what_was_shown_longest_ago_or_never_comes_first() {
        let all = [standing("a", Some(30)), standing("b", None), standing("c", Some(10))];
        assert_eq!(ids(&all, ""), ["b", "c", "a"]);
    }

    #[test]
    fn what_was_violated_since_it_was_shown_comes_first_of_all() {
        let said = |id: &str, served: Option<i64>, again: i64| CorrectionView {
            said_again: Some(at(again)),
            ..standing(id, served)
        };
        let all = [standing("new", None), said("heeded", Some(300), 200), said("ignored", Some(300), 400)];
        assert_eq!(ids(&all, ""), ["ignored", "new", "heeded"]);
        let made = [standing("new", None), said("unheard", None, 1)];
        assert_eq!(ids(&made, ""), ["unheard", "new"], "said again before any start could show it");
        let by_itself = [standing("new", None), said("said", Some(402), 400)];
        assert_eq!(ids(&by_itself, ""), ["said", "new"], "the prompt that says it again shows it itself");
    }

    #[test]
    fn what_holds_elsewhere_comes_last_and_a_violated_one_first_wherever_it_holds() {
        let ignored = CorrectionView { said_again: Some(at(9)), ..scoped("ignored", "docs/**") };
        let all = [scoped("web", "web/**"), scoped("http", "crates/http/"), standing("all", Some(5)), ignored];
        assert_eq!(ids(&all, "crates/http/src"), ["ignored", "http", "all", "web"]);
        assert_eq!(ids(&all, ""), ["ignored", "http", "web", "all"], "the project's folder holds all");
    }

    #[test]
    fn the_same_sentence_is_shown_once_in_the_operators_record() {
        let one = |id: &str, origin, title: &str| {
            let one = standing(id, None);
            CorrectionView { record: RecordView { origin, title: title.into(), ..one.record }, ..one }
        };
        let all = [
            one("file", Origin::Agent, "use  pnpm, not npm."),
            one("own", Origin::Operator, "Use pnpm, not npm"),
            one("other", Origin::Agent, "Use pnpm"),
        ];
        assert_eq!(ids(&all, ""), ["other", "own"]);
        assert_eq!(whose_turn(&all, "").total, 2);
    }

    proptest! {
        #[test]
        fn everyones_turn_comes_and_none_is_shown_much_more_often_than_another(count in 1..23_usize, sessions in 1..40_usize) {
            let mut all: Vec<CorrectionView> = (0..count).map(|n| standing(&format!("{n:02}"), None)).collect();
            for session in 1..=sessions {
                for id in ids(&all, "") {
                    let one = all.iter_mut().find(|one| one.record.id.as_str() == id).unwrap();
                    one.served = Some(at(i64::try_from(session).unwrap()));
                    one.times += 1;
                }
                let times = || all.iter().map(|one| one.times);
                prop_assert!(times().max() <= times().min().map(|least| least + 2), "{session}: {all:?}");
                prop_assert!(session < count.div_ceil(MAX_RECORDS) || times().all(|times| times > 0), "{session}");
            }
        }
    }
}
