//! What a record stands on: places as typed, and those that its own text mentions.

use six_core::record::{Anchor, Place, Record, parse_citations, parse_place};
use six_core::text::{Redacted, Redactor};
use six_runtime::anchor::{take, take_cited};
use six_runtime::project::identity::Project;

use crate::failure::Failure;

/// Takes an anchor for each place, then for each file that the texts mention.
pub(crate) fn anchors(
    project: &Project,
    places: &[String],
    texts: &[&Redacted],
    redactor: Redactor,
) -> Result<Vec<Anchor>, Failure> {
    let mut anchors = places
        .iter()
        .map(|place| {
            take(project, parse_place(place), redactor).map_err(|fault| {
                Failure::misuse(
                    fault,
                    "name a file from the root of the project: --anchor PATH, PATH:FIRST-LAST or PATH#NAME",
                )
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    anchors.extend(take_cited(project, texts, &anchors, redactor));
    Ok(anchors)
}

/// Takes anew what a record stands on whose texts are now these: what is cited counts as it is today, and where it can't be
/// taken it stays as it was. A file that the old texts only mentioned goes unless the new ones mention it.
pub(crate) fn anchors_anew(project: &Project, old: &Record, texts: &[&Redacted], redactor: Redactor) -> Vec<Anchor> {
    let was_mentioned = |anchor: &Anchor| {
        let texts = [&old.title, &old.body];
        let mut paths = texts.iter().flat_map(|text| parse_citations(text.as_str()).paths);
        anchor.hash.is_none() && anchor.lines.is_none() && paths.any(|path| path == anchor.path.as_str())
    };
    let again = |anchor: &Anchor| {
        let symbol = anchor.symbol.as_ref().map(Redacted::as_str);
        let place = Place { path: anchor.path.as_str(), lines: anchor.lines, symbol };
        take(project, place, redactor).unwrap_or_else(|_| anchor.clone())
    };
    let mut anchors: Vec<Anchor> = old.anchors.iter().filter(|anchor| !was_mentioned(anchor)).map(again).collect();
    anchors.extend(take_cited(project, texts, &anchors, redactor));
    anchors
}
