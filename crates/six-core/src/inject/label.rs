//! How far an item can be trusted today, in words beside its text.
//!
//! A word never says more than what was looked at: a place without a hash only exists, and the date of a changed file is
//! when it was last written, which tells nothing about when the cited lines changed.

use chrono::FixedOffset;

use super::block::quoted;
use crate::record::{Anchor, AnchorState, UnixMs};
use crate::text::Redacted;

/// When a reader reads, and where: ages and dates are told from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Today {
    /// Now.
    pub now: UnixMs,
    /// The reader's time zone.
    pub offset: FixedOffset,
}

/// UTF-16 units of a path, a name or a branch; a longer one is cut.
const PATH_UNITS: usize = 120;
/// Places that are named for one label.
const MAX_PLACES: usize = 3;

/// A place as it is written: `"src/gate.rs:40-52"`.
pub fn place(path: &Redacted, lines: Option<(u32, u32)>) -> String {
    let lines =
        lines.map_or_else(
            String::new,
            |(first, last)| {
                if first == last { format!(":{first}") } else { format!(":{first}-{last}") }
            },
        );
    quoted(&format!("{path}{lines}"), PATH_UNITS)
}

/// Some places, those beyond the third counted: `"a.rs", "b.rs", "c.rs", 2 more`.
pub(super) fn places(places: &[String]) -> String {
    let mut shown: Vec<String> = places.iter().take(MAX_PLACES).cloned().collect();
    let rest = places.len().saturating_sub(MAX_PLACES);
    if rest > 0 {
        shown.push(format!("{rest} more"));
    }
    shown.join(", ")
}

/// What became of the places that an item cites, on one line; `None` if none was looked at. `states` belong to the anchors
/// of the same position.
pub fn anchor_label(anchors: &[Anchor], states: &[AnchorState], offset: FixedOffset) -> Option<String> {
    let labels: Vec<String> = fates(anchors, states, offset).iter().map(fate).collect();
    if labels.is_empty() { None } else { Some(labels.join("; ")) }
}

/// `GONE: "src/a.rs", "src/b.rs"`.
pub(super) fn fate((label, cited): &(String, Vec<String>)) -> String {
    format!("{label}: {}", places(cited))
}

/// What became of the places that an item cites, a label each with all of its places. What is stale comes first; otherwise
/// the order is that of the anchors.
pub(super) fn fates(anchors: &[Anchor], states: &[AnchorState], offset: FixedOffset) -> Vec<(String, Vec<String>)> {
    let mut groups: Vec<(bool, String, Vec<String>)> = Vec::new();
    for (anchor, state) in anchors.iter().zip(states) {
        let label = label(anchor, state, offset);
        let cited = place(&anchor.path, anchor.lines);
        match groups.iter_mut().find(|(_, known, _)| *known == label) {
            Some((_, _, all)) => all.push(cited),
            None => groups.push((state.is_stale(), label, vec![cited])),
        }
    }
    groups.sort_by_key(|(stale, _, _)| !stale);
    groups.into_iter().map(|(_, label, all)| (label, all)).collect()
}

fn label(anchor: &Anchor, state: &AnchorState, offset: FixedOffset) -> String {
    let name = anchor.symbol.as_ref().map(|symbol| quoted(symbol.as_str(), PATH_UNITS));
    match (state, name) {
        (AnchorState::Holds, _) if anchor.hash.is_some() => "verified today, unchanged".to_owned(),
        (AnchorState::Holds, Some(name)) => format!("verified today, has {name}"),
        (AnchorState::Holds, None) => "exists today".to_owned(),
        (AnchorState::Shifted { lines }, _) => {
            format!("verified today, unchanged, now at {}", place(&anchor.path, Some(*lines)))
        }
        (AnchorState::Moved { path, lines: Some(lines) }, _) => {
            format!("moved to {}, same text", place(path, Some(*lines)))
        }
        (AnchorState::Moved { path, lines: None }, _) => format!("file moved to {}", place(path, None)),
        (AnchorState::Changed { at: Some(at) }, _) => format!("CHANGED, last written {}", at.date(offset)),
        (AnchorState::Changed { at: None }, _) => "CHANGED".to_owned(),
        (AnchorState::SymbolGone, Some(name)) => format!("GONE, {name} is no longer in"),
        (AnchorState::SymbolGone, None) => "GONE, what was cited is no longer in".to_owned(),
        (AnchorState::Gone, _) => "GONE, no such file".to_owned(),
        (AnchorState::OtherBranch { branch }, _) => {
            format!("from branch {}, not merged here", quoted(branch.as_str(), PATH_UNITS))
        }
        (AnchorState::Unverifiable, _) => "unverifiable".to_owned(),
    }
}

/// How long ago something was: `12 days ago (2026-03-14)`.
pub fn age(at: UnixMs, today: Today) -> String {
    let ago = match today.now.days_since(at) {
        0 => "less than a day ago".to_owned(),
        1 => "1 day ago".to_owned(),
        days => format!("{days} days ago"),
    };
    format!("{ago} ({})", at.date(today.offset))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(s: &'static str) -> Redacted {
        Redacted::literal(s)
    }

    fn utc() -> FixedOffset {
        FixedOffset::east_opt(0).unwrap()
    }

    /// Lines 40 to 52 of `path`.
    fn span(path: &'static str) -> Anchor {
        Anchor { lines: Some((40, 52)), hash: Some("h".into()), ..Anchor::of_path(text(path)) }
    }

    fn told(anchor: Anchor, state: AnchorState) -> String {
        anchor_label(&[anchor], &[state], utc()).unwrap()
    }

    #[test]
    fn a_label_says_no_more_than_what_was_looked_at() {
        let named = Anchor { symbol: Some(text("settle")), ..Anchor::of_path(text("src/gate.rs")) };
        let at = UnixMs(1_773_480_413_000);
        let moved = AnchorState::Moved { path: text("src/door.rs"), lines: Some((7, 7)) };
        let renamed = AnchorState::Moved { path: text("src/door.rs"), lines: None };
        for (anchor, state, words) in [
            (span("src/gate.rs"), AnchorState::Holds, r#"verified today, unchanged: "src/gate.rs:40-52""#),
            (Anchor::of_path(text("src")), AnchorState::Holds, r#"exists today: "src""#),
            (named.clone(), AnchorState::Holds, r#"verified today, has "settle": "src/gate.rs""#),
            (named, AnchorState::SymbolGone, r#"GONE, "settle" is no longer in: "src/gate.rs""#),
            (span("a.rs"), AnchorState::Changed { at: Some(at) }, r#"CHANGED, last written 2026-03-14: "a.rs:40-52""#),
            (span("a.rs"), AnchorState::Changed { at: None }, r#"CHANGED: "a.rs:40-52""#),
            (span("a.rs"), AnchorState::Gone, r#"GONE, no such file: "a.rs:40-52""#),
            (span("a.rs"), moved, r#"moved to "src/door.rs:7", same text: "a.rs:40-52""#),
            (span("a.rs"), renamed, r#"file moved to "src/door.rs": "a.rs:40-52""#),
            (
                span("a.rs"),
                AnchorState::OtherBranch { branch: text("feature/x") },
                r#"from branch "feature/x", not merged here: "a.rs:40-52""#,
            ),
            (span("a.rs"), AnchorState::Unverifiable, r#"unverifiable: "a.rs:40-52""#),
        ] {
            assert_eq!(told(anchor, state), words);
        }
    }

    #[test]
    fn what_is_stale_comes_first_and_places_of_one_fate_stand_together() {
        let anchors = ["a.rs", "b.rs", "c.rs", "d.rs", "e.rs"].map(|path| Anchor::of_path(text(path)));
        let mut states = vec![AnchorState::Holds; 4];
        states.push(AnchorState::Gone);
        assert_eq!(
            anchor_label(&anchors, &states, utc()).as_deref(),
            Some(r#"GONE, no such file: "e.rs"; exists today: "a.rs", "b.rs", "c.rs", 1 more"#)
        );
        assert_eq!(anchor_label(&anchors, &[], utc()), None);
    }

    #[test]
    fn an_age_is_said_in_days_beside_the_date() {
        let at = UnixMs(1_773_480_413_000);
        let after = |days: i64| age(at, Today { now: UnixMs(at.0 + days * UnixMs::DAY_MS + 1), offset: utc() });
        assert_eq!(after(0), "less than a day ago (2026-03-14)");
        assert_eq!(after(1), "1 day ago (2026-03-14)");
        assert_eq!(after(12), "12 days ago (2026-03-14)");
        assert_eq!(after(-3), "less than a day ago (2026-03-14)");
    }
}
