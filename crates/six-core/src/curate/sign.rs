//! Signs that a sentence states a decision, a dead end or a correction, and what each counts.

use super::cue::{BREAK, Cues, Found};
use super::reading::Reading;
use super::{DropReason, Speaker};

/// A sort of evidence for or against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Sign {
    /// A choice is made, past doubt.
    Decided,
    /// A choice is likely stated.
    Chosen,
    /// It weighs.
    Lean,
    /// A person proposes or asks for something: `let's`, `I'd like`.
    Want,
    /// The same at the head of the sentence.
    WantHead,
    /// It tells how a thing is to be: `it should`, `must`.
    Must,
    /// It names what was not taken.
    Over,
    /// An approach is dead, past doubt.
    Failed,
    /// Something does not do what it should.
    Trouble,
    /// It tells of an attempt.
    Attempt,
    /// The sentence before did, and this goes on.
    AfterAttempt,
    /// It names an approach.
    Tried,
    /// It names an attempt and denies something behind it: `tried …, it did not …`.
    InVain,
    /// It gives a reason.
    Because,
    /// It names a condition for another try.
    Until,
    /// It opens by setting right.
    No,
    /// It opens with a doubt.
    But,
    /// It forbids.
    Bar,
    /// It asks for one thing in the place of another.
    Swap,
    /// It says that something is wrong.
    Wrong,
    /// It says again what was meant.
    Meant,
    /// It sends elsewhere.
    Redirect,
    /// It states a standing rule.
    Standing,
    /// It has words that rules have.
    Rule,
    /// As bad as before.
    Still,
    /// It orders a change: `add …`, `print …`.
    Order,
    /// It opens the message.
    Opens,
    /// It opens a message that comes right after an agent's.
    Answers,
    /// The message opens by setting right, and this is a later sentence.
    AfterNo,
    /// It names code or quotes.
    Quotes,
    /// Fewer than five words.
    Short,
    /// More than forty words.
    Long,
    /// A heading.
    Heading,
    /// The message is long and speaks of nobody: it is pasted.
    Impersonal,
    /// It states and is neither asked nor supposed.
    Plain,

    /// It asks.
    Question,
    /// It asks in its last clause only: `…, right?`.
    Tag,
    /// It supposes.
    Hypothetical,
    /// It names a condition.
    Conditional,
    /// It wishes or plans.
    Future,
    /// Somebody else says it.
    Quotation,
    /// What it states is denied.
    Negated,
    /// It reports a state or acknowledges.
    StatusEcho,
    /// It tells what the speaker does just now.
    Narration,
    /// What is wanted is an operation.
    Operation,
    /// It is about keeping memory.
    AboutMemory,
    /// It reads like the output of a program.
    Output,
    /// The speaker is unsure.
    Hedge,
}

impl Sign {
    /// Number of signs.
    const COUNT: usize = Self::Hedge as usize + 1;

    /// Why a sentence is dropped when this sign outweighs what it states.
    const fn reason(self) -> Option<DropReason> {
        Some(match self {
            Self::Question | Self::Tag => DropReason::Question,
            Self::Hypothetical | Self::Conditional => DropReason::Hypothetical,
            Self::Future => DropReason::Future,
            Self::Quotation => DropReason::Quotation,
            Self::Negated => DropReason::Negated,
            Self::Output | Self::Heading | Self::Impersonal => DropReason::NoProse,
            Self::StatusEcho => DropReason::StatusEcho,
            Self::Narration | Self::Operation => DropReason::Narration,
            Self::AboutMemory => DropReason::AboutMemory,
            _ => return None,
        })
    }
}

/// A set of signs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signs(u64);

impl Signs {
    /// Adds a sign if it is there.
    pub(super) const fn note(&mut self, sign: Sign, is_there: bool) {
        if is_there {
            self.0 |= 1 << sign as u8;
        }
    }

    /// Whether it is there.
    pub(super) const fn has(self, sign: Sign) -> bool {
        self.0 & (1 << sign as u8) != 0
    }
}

/// Where a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stand {
    /// Whose words.
    pub(super) speaker: Speaker,
    /// Whether it is the first of its message.
    pub(super) opens: bool,
    /// Whether the message comes right after one of the agent.
    pub(super) answers: bool,
    /// Whether an earlier sentence of the message opened by setting right.
    pub(super) after_no: bool,
}

/// Bytes between a denial and what it denies.
const DENIES_WITHIN: usize = 12;

/// Words of a sentence that is short, and of one that is long.
const SHORT: usize = 5;
const LONG: usize = 40;

/// The signs of a sentence. `own` is its text with quotations masked.
pub(super) fn read_signs(reading: &Reading, own: &str, stand: Stand) -> Signs {
    let mut signs = Signs::default();
    for (sign, cues) in [
        (Sign::Decided, Cues::DECIDED),
        (Sign::Chosen, Cues::CHOSEN),
        (Sign::Lean, Cues::LEAN),
        (Sign::Want, Cues::WANT),
        (Sign::Must, Cues::MUST),
        (Sign::Conditional, Cues::IF),
        (Sign::Over, Cues::OVER),
        (Sign::Failed, Cues::FAILED),
        (Sign::Trouble, Cues::TROUBLE),
        (Sign::Attempt, Cues::ATTEMPT),
        (Sign::Tried, Cues::TRIED),
        (Sign::Because, Cues::BECAUSE),
        (Sign::Until, Cues::UNTIL),
        (Sign::No, Cues::NO),
        (Sign::But, Cues::BUT),
        (Sign::Bar, Cues::BAR),
        (Sign::Order, Cues::ORDER),
        (Sign::Wrong, Cues::WRONG),
        (Sign::Meant, Cues::MEANT),
        (Sign::Redirect, Cues::REDIRECT),
        (Sign::Standing, Cues::STANDING),
        (Sign::Rule, Cues::RULE),
        (Sign::Still, Cues::STILL),
        (Sign::Hypothetical, Cues::SUPPOSE),
        (Sign::Future, Cues::WISH),
        (Sign::Quotation, Cues::SAID),
        (Sign::StatusEcho, Cues::DONE),
        (Sign::Narration, Cues::NARRATE),
        (Sign::AboutMemory, Cues::MEMORY),
        (Sign::Hedge, Cues::HEDGE),
    ] {
        signs.note(sign, reading.has(cues));
    }
    let head = |cues: Cues| reading.found.iter().any(|found| found.heads && found.cues.any(cues));
    let tag = reading.asks && !head(Cues::ASK) && reading.text.contains(BREAK);
    // An agent puts its marks: `Why the lease failed: …` asks nothing.
    let opens_question = stand.speaker == Speaker::Operator && head(Cues::ASK);
    let asks = !tag && (reading.asks || opens_question);
    signs.note(Sign::Question, asks);
    signs.note(Sign::Tag, tag);
    signs.note(Sign::WantHead, head(Cues::WANT));
    signs.note(
        Sign::Swap,
        signs.has(Sign::Over)
            && (head(Cues::OVER.and(Cues::REDIRECT)) || reading.has(Cues::WANT.and(Cues::MUST).and(Cues::REQUEST))),
    );
    signs.note(Sign::InVain, is_in_vain(reading));
    signs.note(Sign::Negated, is_denied(reading));
    signs.note(Sign::Operation, wants_operation(reading));
    signs.note(Sign::Opens, stand.opens);
    signs.note(Sign::Answers, stand.answers && stand.opens);
    signs.note(Sign::AfterNo, stand.after_no);
    signs.note(Sign::Quotes, reading.quotes());
    signs.note(Sign::Short, reading.words < SHORT);
    signs.note(Sign::Long, reading.words > LONG);
    signs.note(Sign::Output, is_output(own));
    signs.note(Sign::Plain, !asks && !signs.has(Sign::Hypothetical));
    signs
}

/// Whether something is denied behind an attempt.
fn is_in_vain(reading: &Reading) -> bool {
    let tried = reading.first(Cues::TRIED);
    tried.is_some_and(|tried| reading.found.iter().any(|found| found.cues.any(Cues::NOT) && found.start >= tried.end))
}

/// Whether a denial stands right before what is decided or dead.
fn is_denied(reading: &Reading) -> bool {
    let strong = |found: &&Found| found.cues.any(Cues::DECIDED.and(Cues::FAILED));
    let denied = |stated: &Found| {
        let near = |found: &Found| {
            found.end <= stated.start
                && stated.start - found.end <= DENIES_WITHIN
                && reading.text.get(found.end..stated.start).is_some_and(|between| !between.contains(BREAK))
        };
        reading.found.iter().any(|found| found.cues.any(Cues::NOT) && !found.cues.any(Cues::OVER) && near(found))
    };
    reading.found.iter().filter(strong).any(denied)
}

/// Whether what stands behind a wish is an operation: `let's commit it`.
fn wants_operation(reading: &Reading) -> bool {
    let behind = |want: &Found| {
        reading.found.iter().any(|found| {
            found.cues.any(Cues::OPERATE) && found.start >= want.end && found.start - want.end <= DENIES_WITHIN
        })
    };
    reading.found.iter().filter(|found| found.cues.any(Cues::WANT)).any(behind)
}

fn is_output(own: &str) -> bool {
    let marks = own.chars().filter(|c| matches!(c, '=' | '{' | '}' | '|' | '<' | '>' | '\\' | '$' | ';')).count();
    marks * 12 > own.chars().count().max(12)
}

/// What a sentence comes to for one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It states it, and how far above the threshold.
    States(i32),
    /// It would, but for this.
    Dropped(DropReason),
    /// It does not.
    Silent,
}

/// A row of a table of weights: what a sign counts for a decision, a dead end, a correction.
pub(super) type Weight = (Sign, [i32; 3]);

/// What sums have to exceed.
pub(super) type Thresholds = [i32; 3];

/// Weighs signs for the kind at this place of the table.
pub(super) fn weigh(signs: Signs, kind: usize, weights: &[Weight], thresholds: Thresholds) -> Verdict {
    let threshold = thresholds.get(kind).copied().unwrap_or(i32::MAX / 2);
    let counted =
        || weights.iter().filter(|(sign, _)| signs.has(*sign)).filter_map(|(sign, of)| Some((*sign, *of.get(kind)?)));
    let sum: i32 = counted().map(|(_, weight)| weight).sum();
    if sum > threshold {
        return Verdict::States(sum - threshold);
    }
    let against =
        counted().filter_map(|(sign, weight)| Some((weight, sign.reason()?))).filter(|(weight, _)| *weight < 0);
    let without: i32 = sum - against.clone().map(|(weight, _)| weight).sum::<i32>();
    let heaviest = against.min_by_key(|(weight, _)| *weight);
    match heaviest {
        Some((_, reason)) if without > threshold => Verdict::Dropped(reason),
        _ => Verdict::Silent,
    }
}

/// All signs have a number below this.
const _: () = assert!(Sign::COUNT <= 64, "a set of signs is 64 bits");
