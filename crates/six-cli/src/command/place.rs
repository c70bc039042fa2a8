//! What a record stands on: places as typed, and those that its own text mentions.

use six_core::record::{Anchor, parse_place};
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
