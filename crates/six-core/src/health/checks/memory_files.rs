//! Protects: the folder that the host keeps its own memory of the project in. What is cut off, not linked or unreadable
//! there is lost to the model without a word.
//!
//! Evidence: `MEMORY.md` as the host loads it, and the Markdown files beside it.
//! Threshold: 200 lines and 25 000 UTF-16 units, which the host loads (observed at the client); an anchor of 7 days of
//! activity, see [`HealthLimits`]. The host's model writes topic files and one line of `MEMORY.md` for each, and knows
//! nothing of anchors: where `MEMORY.md` has none and is not built like the one that six seeds, that is a note. An anchor
//! which says that nothing is in progress does not age.
//! To do: correct the named file. The model can: its memory is its own.

use crate::health::fix::plain;
use crate::health::missing::judge_unseen;
use crate::health::{
    ActiveDays, Fault, HealthEvidence, HealthLimits, IndexRead, IndexSeen, MemoryFilesEvidence, MemoryFolder, Verdict,
};
use crate::record::Evidence;

/// Judges it.
pub(in crate::health) fn judge(evidence: &HealthEvidence, limits: &HealthLimits) -> Verdict {
    let folder = match &evidence.memory_files {
        Evidence::Seen(MemoryFilesEvidence::Off) => return Verdict::noted("the client's memory is switched off"),
        Evidence::Seen(MemoryFilesEvidence::Empty) => return Verdict::noted("the memory folder is empty"),
        Evidence::Seen(MemoryFilesEvidence::Seen(folder)) => folder,
        Evidence::Missing(why) => return judge_unseen(*why),
    };
    let found = [
        judge_conflicts(folder),
        judge_size(folder, limits),
        judge_links(folder),
        judge_fronts(folder),
        judge_orphans(folder),
        judge_anchor(folder, limits),
    ];
    let mut found = found.into_iter().flatten();
    let Some(Found { fault, detail, what }) = found.next() else { return note(folder) };
    let others = match found.count() {
        0 => String::new(),
        n => format!(" (other faults of the folder: {n})"),
    };
    Verdict::red(fault, format!("{detail}{others}"), format!("{}, then `six health`", plain(&what)))
}

/// A fault, and what is to be done.
struct Found {
    fault: Fault,
    detail: String,
    what: String,
}

fn judge_conflicts(folder: &MemoryFolder) -> Option<Found> {
    let (file, line) = folder.conflicts.first()?;
    Some(Found {
        fault: Fault::MemoryConflict,
        detail: format!("a merge left a conflict at {file}:{line}{}", and_others(folder.conflicts.len())),
        what: format!("resolve it in {}", beside(folder, file)),
    })
}

fn judge_size(folder: &MemoryFolder, limits: &HealthLimits) -> Option<Found> {
    let (max_lines, max_units) = (limits.max_index_lines, limits.max_index_units);
    let (is, longest) = match folder.index.as_ref()? {
        IndexSeen::TooLarge { bytes } => (format!("{bytes} bytes"), None),
        IndexSeen::Read(index) if index.lines > max_lines => (format!("{} lines", index.lines), index.longest.as_ref()),
        IndexSeen::Read(index) if index.units > max_units => {
            (format!("{} characters", index.units), index.longest.as_ref())
        }
        IndexSeen::Read(_) => return None,
    };
    let longest = longest.map_or_else(String::new, |(title, units)| format!(", longest section: {title} ({units})"));
    Some(Found {
        fault: Fault::MemoryOverLimit,
        detail: format!(
            "MEMORY.md has {is}; the client loads {max_lines} lines and {max_units} characters of it{longest}"
        ),
        what: format!("move what is long into files beside {} and leave a line for each", folder.index_path),
    })
}

fn judge_links(folder: &MemoryFolder) -> Option<Found> {
    let index = read(folder)?;
    let (line, target) = index.broken.first()?;
    Some(Found {
        fault: Fault::MemoryLinkBroken,
        detail: format!("MEMORY.md:{line} links {target}, which does not exist{}", and_others(index.broken.len())),
        what: format!("correct {}:{line}", folder.index_path),
    })
}

fn judge_fronts(folder: &MemoryFolder) -> Option<Found> {
    let (file, fault) = folder.unreadable_fronts.first()?;
    Some(Found {
        fault: Fault::MemoryFrontMatter,
        detail: format!("{file}: {fault}{}", and_others(folder.unreadable_fronts.len())),
        what: format!("correct the front matter of {}", beside(folder, file)),
    })
}

fn judge_orphans(folder: &MemoryFolder) -> Option<Found> {
    let orphan = folder.orphans.first()?;
    let others = and_others(folder.orphans.len());
    let detail = if folder.index.is_some() {
        format!("MEMORY.md does not name {orphan}{others}, so the model never sees it")
    } else {
        format!("there is no MEMORY.md beside {orphan}{others}, so the model sees none of it")
    };
    let what = format!("write a line - [title]({orphan}): what it says into {}, or delete the file", folder.index_path);
    Some(Found { fault: Fault::MemoryOrphan, detail, what })
}

fn judge_anchor(folder: &MemoryFolder, limits: &HealthLimits) -> Option<Found> {
    let index = read(folder)?;
    let Some(anchor) = &index.anchor else {
        return index.is_adopted.then(|| Found {
            fault: Fault::AnchorMissing,
            detail: "MEMORY.md has no section LATEST any more, which says where work is to be taken up".into(),
            what: format!("write one into {}", folder.index_path),
        });
    };
    let days = anchor.active_days.as_ref().map(ActiveDays::count)?;
    if days <= limits.max_anchor_days || anchor.is_at_rest {
        return None;
    }
    Some(Found {
        fault: Fault::AnchorStale,
        detail: format!(
            "{days} active days since {}, which says where work is to be taken up, was written",
            anchor.file
        ),
        what: format!(
            "bring {} up to date, or write \"Nothing is in progress\" under {}:{}",
            anchor.file, folder.index_path, anchor.line
        ),
    })
}

/// Green, with the first thing worth knowing.
fn note(folder: &MemoryFolder) -> Verdict {
    if folder.unseen > 0 {
        return Verdict::noted(format!("files of the memory folder that were not looked into: {}", folder.unseen));
    }
    let Some(index) = read(folder) else { return Verdict::green() };
    if let Some(twice) = index.linked_twice.first() {
        return Verdict::noted(format!("MEMORY.md links {twice} twice{}", and_others(index.linked_twice.len())));
    }
    if index.anchor.is_none() {
        return Verdict::noted("MEMORY.md has no section LATEST (where to take work up)");
    }
    Verdict::green()
}

fn read(folder: &MemoryFolder) -> Option<&IndexRead> {
    match &folder.index {
        Some(IndexSeen::Read(index)) => Some(index),
        _ => None,
    }
}

/// The path of a file of the folder.
fn beside(folder: &MemoryFolder, file: &str) -> String {
    let folder = folder.index_path.strip_suffix("MEMORY.md").unwrap_or_default();
    format!("{folder}{file}")
}

fn and_others(all: usize) -> String {
    match all {
        0 | 1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::sample::{sound, without_store};
    use crate::ingest::FrontMatterFault;
    use crate::record::Why;

    fn judged(spoil: impl FnOnce(&mut MemoryFolder)) -> Verdict {
        let mut evidence = sound();
        if let Evidence::Seen(MemoryFilesEvidence::Seen(folder)) = &mut evidence.memory_files {
            folder.index_path = "/m/MEMORY.md".into();
            spoil(folder);
        }
        judge(&evidence, &HealthLimits::default())
    }

    fn judged_index(spoil: impl FnOnce(&mut IndexRead)) -> Verdict {
        judged(|folder| {
            if let Some(IndexSeen::Read(index)) = &mut folder.index {
                spoil(index);
            }
        })
    }

    fn told(verdict: &Verdict) -> String {
        let Verdict::Red { fault, detail, fix } = verdict else { panic!("{verdict:?}") };
        format!("{fault:?}: {detail}  FIX: {fix}")
    }

    #[test]
    fn a_whole_folder_is_green_and_an_empty_one_or_none_has_a_note() {
        assert_eq!(judged(|_| ()), Verdict::green());
        let of = |memory_files| {
            let evidence = HealthEvidence { memory_files: Evidence::Seen(memory_files), ..sound() };
            judge(&evidence, &HealthLimits::default())
        };
        assert_eq!(of(MemoryFilesEvidence::Empty), Verdict::noted("the memory folder is empty"));
        assert_eq!(of(MemoryFilesEvidence::Off), Verdict::noted("the client's memory is switched off"));
    }

    #[test]
    fn two_hundred_lines_are_loaded_and_one_more_is_not() {
        assert_eq!(judged_index(|index| index.lines = 200), Verdict::green());
        insta::assert_snapshot!(told(&judged_index(|index| index.lines = 201)), @"MemoryOverLimit: MEMORY.md has 201 lines; the client loads 200 lines and 25000 characters of it, longest section: INVARIANTS (300)  FIX: move what is long into files beside /m/MEMORY.md and leave a line for each, then `six health`");
    }

    #[test]
    fn twenty_five_thousand_units_are_loaded_and_one_more_is_not() {
        assert_eq!(judged_index(|index| index.units = 25_000), Verdict::green());
        assert_eq!(judged_index(|index| index.units = 25_001).fault(), Some(Fault::MemoryOverLimit));
        let huge = judged(|folder| folder.index = Some(IndexSeen::TooLarge { bytes: 9 << 20 }));
        assert_eq!(huge.fault(), Some(Fault::MemoryOverLimit));
    }

    #[test]
    fn an_anchor_of_seven_active_days_is_fresh_and_one_of_eight_is_not() {
        let aged = |days: Option<u32>, is_at_rest| {
            judged_index(|index| {
                let anchor = index.anchor.as_mut().unwrap();
                (anchor.active_days, anchor.is_at_rest) = (days.map(ActiveDays::until_today), is_at_rest);
            })
        };
        assert_eq!(aged(Some(7), false), Verdict::green());
        insta::assert_snapshot!(told(&aged(Some(8), false)), @r#"AnchorStale: 8 active days since checkpoint.md, which says where work is to be taken up, was written  FIX: bring checkpoint.md up to date, or write "Nothing is in progress" under /m/MEMORY.md:5, then `six health`"#);
        assert_eq!(aged(Some(80), true), Verdict::green());
        assert_eq!(aged(None, false), Verdict::green());
    }

    #[test]
    fn a_missing_anchor_is_a_fault_only_where_six_s_own_structure_stands() {
        let without = |is_adopted| judged_index(|index| (index.anchor, index.is_adopted) = (None, is_adopted));
        assert_eq!(without(true).fault(), Some(Fault::AnchorMissing));
        assert_eq!(without(false), Verdict::noted("MEMORY.md has no section LATEST (where to take work up)"));
    }

    #[test]
    fn each_fault_is_told_with_its_place_and_what_to_do() {
        let broken = judged_index(|index| index.broken = vec![(12, "gone.md".into()), (14, "too.md".into())]);
        insta::assert_snapshot!(told(&broken), @"MemoryLinkBroken: MEMORY.md:12 links gone.md, which does not exist (and 1 more)  FIX: correct /m/MEMORY.md:12, then `six health`");
        let orphan = judged(|folder| folder.orphans = vec!["quay.md".into()]);
        insta::assert_snapshot!(told(&orphan), @"MemoryOrphan: MEMORY.md does not name quay.md, so the model never sees it  FIX: write a line - [title](quay.md): what it says into /m/MEMORY.md, or delete the file, then `six health`");
        let front = judged(|folder| {
            folder.unreadable_fronts = vec![("quay.md".into(), FrontMatterFault::NotAField { line: 3 })];
        });
        insta::assert_snapshot!(told(&front), @"MemoryFrontMatter: quay.md: line 3 of the front matter is no `name: value`  FIX: correct the front matter of /m/quay.md, then `six health`");
        let conflict = judged(|folder| folder.conflicts = vec![("MEMORY.md".into(), 7)]);
        insta::assert_snapshot!(told(&conflict), @"MemoryConflict: a merge left a conflict at MEMORY.md:7  FIX: resolve it in /m/MEMORY.md, then `six health`");
        let no_index = judged(|folder| (folder.index, folder.orphans) = (None, vec!["quay.md".into()]));
        assert!(told(&no_index).contains("there is no MEMORY.md beside quay.md"), "{}", told(&no_index));
    }

    #[test]
    fn a_file_name_can_t_put_a_command_into_the_fix() {
        let verdict = judged(|folder| folder.orphans = vec!["a`rm -r x`.md".into()]);
        let Verdict::Red { fix, .. } = &verdict else { panic!("{verdict:?}") };
        assert_eq!(crate::health::parse_commands(fix), [["six", "health"]]);
    }

    #[test]
    fn faults_beside_the_first_are_counted_and_what_was_not_seen_is_a_note() {
        let two = judged(|folder| {
            (folder.orphans, folder.conflicts) = (vec!["quay.md".into()], vec![("a.md".into(), 1)]);
        });
        assert!(told(&two).contains("(other faults of the folder: 1)"), "{}", told(&two));
        let unseen = judged(|folder| folder.unseen = 3);
        assert_eq!(unseen, Verdict::noted("files of the memory folder that were not looked into: 3"));
        let twice = judged_index(|index| index.linked_twice = vec!["quay.md".into()]);
        assert_eq!(twice, Verdict::noted("MEMORY.md links quay.md twice"));
    }

    #[test]
    fn the_folder_is_judged_without_a_store_and_missing_evidence_is_never_green() {
        assert_eq!(judge(&without_store(Why::NoStore), &HealthLimits::default()), Verdict::green());
        let evidence = HealthEvidence { memory_files: Evidence::Missing(Why::Unreadable), ..sound() };
        assert_eq!(judge(&evidence, &HealthLimits::default()).fault(), Some(Fault::CheckFailed));
    }
}
