//! Signs of intent: what a clause, or a whole prompt, can show.

/// A sort of evidence. What each counts for which intent stands in one table, `weights.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(super) enum Sign {
    /// An order to make or change something: `add a test`, `can you rename it`.
    Change,
    /// A change that is called needed or wanted: `we should rename it`.
    ChangeNeeded,
    /// A change that is weighed: `should we rename it?`.
    ChangeWeighed,
    /// A change that is ruled out: `don't rename it`.
    ChangeBarred,
    /// A request whose verb is in no list: `can we frobnicate it`.
    Request,
    /// A wish for a thing or a state: `I'd like the old one`.
    Wish,
    /// How something has to be: `it must not block`.
    Required,
    /// The same said beside it: `instead of`, `by default`.
    Contrast,
    /// Words of a reviewer's comment: `nit`, `could lead to`.
    Comment,
    /// The name of a thing that is not there yet: `a button next to it`.
    Thing,
    /// An order to find out: `check whether it leaks`.
    Find,
    /// The name of finding out: `a review`, `root cause`.
    Finding,
    /// A look, which often only prepares something else: `read the plan`.
    Glance,
    /// An operation: `commit`, `run it`.
    Operate,
    /// A question for a thing, place, manner or reason.
    AskWhat,
    /// A question for yes or no.
    AskWhether,
    /// A statement that asks to be confirmed: `…, right?`.
    AskTag,
    /// Anything else with a question mark.
    AskPlain,
    /// `A or B?`
    AskChoice,
    /// Words of weighing: `trade-offs`, `best way`.
    Weigh,
    /// A proposal put up for judgement: `how about`, `what if`.
    Propose,
    /// A choice stated: `let's go with`.
    Settle,
    /// A preference stated.
    Prefer,
    /// A question for an opinion.
    Opinion,
    /// Words that judge a design: `overkill`, `simpler`.
    Lean,
    /// Words that mark an opinion: `I think`.
    Hedge,
    /// Trouble: `fails`, `missing`.
    Symptom,
    /// Not what was expected: `still`, `supposed to`.
    Unexpected,
    /// What somebody saw or tried: `I get`, `it looks like`.
    Report,
    /// Words of approval.
    Approve,
    /// A condition or a reason in front.
    Condition,
    /// A statement without any other sign.
    Statement,
    /// A few words without any other sign.
    Fragment,

    /// An option by its letter or number, with words about it: `2, but off by default`.
    Answer,
    /// No words but fillers, letters and numbers.
    Bare,
    /// At most four words.
    Short,
    /// More than sixty words.
    Long,
    /// Twenty words or more that speak of nobody.
    Impersonal,
    /// Two or more points of a list.
    Listed,
    /// Three or more names of code or paths.
    Named,
    /// Lines of the output of a program.
    Output,
    /// The main request, which is an order to change something wherever it stands, else the last one, is for a change.
    MainChange,
    /// It is to find out.
    MainFind,
    /// It is a question.
    MainAsk,
    /// There is an operation and no request.
    MainOperate,
    /// It weighs.
    MainWeigh,
}

impl Sign {
    /// Number of signs.
    pub(super) const COUNT: usize = Self::MainWeigh as usize + 1;
}

/// A set of signs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signs(pub(super) u64);

impl Signs {
    /// Adds one.
    pub(super) const fn note(&mut self, sign: Sign) {
        self.0 |= 1 << sign as u8;
    }

    /// Whether any of these is there.
    pub(super) fn any(self, of: &[Sign]) -> bool {
        of.iter().any(|sign| self.has(*sign))
    }

    /// Takes one out.
    pub(super) const fn drop(&mut self, sign: Sign) {
        self.0 &= !(1 << sign as u8);
    }

    /// Whether it is there.
    pub(super) const fn has(self, sign: Sign) -> bool {
        self.0 & (1 << sign as u8) != 0
    }
}
