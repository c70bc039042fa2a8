//! One measured figure, and whether it is within its budget.

use serde::Serialize;

/// What a figure should be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Budget {
    /// No more than this.
    AtMost(f64),
    /// No less than this.
    AtLeast(f64),
}

/// One figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Figure {
    /// What was measured.
    pub(crate) what: String,
    /// On what: chunks in the store, or which text.
    pub(crate) on: String,
    /// Which figure of it, with its unit: `p50 ms`.
    pub(crate) measure: &'static str,
    /// Its value.
    pub(crate) value: f64,
    /// What it should be, where something was promised.
    pub(crate) budget: Option<Budget>,
    /// Whether it is.
    pub(crate) met: Option<bool>,
}

impl Figure {
    /// A figure for which nothing was promised.
    pub(crate) fn plain(what: &str, on: &str, measure: &'static str, value: f64) -> Self {
        Self { what: what.to_owned(), on: on.to_owned(), measure, value, budget: None, met: None }
    }

    /// The figure with its budget.
    pub(crate) fn within(self, budget: Budget) -> Self {
        let met = match budget {
            Budget::AtMost(most) => self.value <= most,
            Budget::AtLeast(least) => self.value >= least,
        };
        Self { budget: Some(budget), met: Some(met), ..self }
    }

    /// The median and the 99th of a hundred, in milliseconds. `times` need not be in order.
    pub(crate) fn times(what: &str, on: &str, mut times: Vec<f64>, p50: Option<f64>, p99: Option<f64>) -> Vec<Self> {
        times.sort_by(f64::total_cmp);
        let at = |per_mille: usize| {
            let index = (times.len() * per_mille / 1000).min(times.len().saturating_sub(1));
            times.get(index).copied().unwrap_or(0.0)
        };
        [("p50 ms", at(500), p50), ("p99 ms", at(990), p99)]
            .into_iter()
            .map(|(measure, value, budget)| {
                let plain = Self::plain(what, on, measure, value);
                match budget {
                    Some(most) => plain.within(Budget::AtMost(most)),
                    None => plain,
                }
            })
            .collect()
    }

    /// `met`, `over by 12 %`, `under by 12 %`, or nothing.
    pub(crate) fn verdict(&self) -> String {
        match (self.budget, self.met) {
            (None, _) | (_, None) => String::new(),
            (_, Some(true)) => String::from("met"),
            (Some(Budget::AtMost(most)), _) => format!("over by {:.0} %", (self.value / most - 1.0) * 100.0),
            (Some(Budget::AtLeast(least)), _) => format!("under by {:.0} %", (1.0 - self.value / least) * 100.0),
        }
    }

    /// One line of the table.
    pub(crate) fn line(&self) -> String {
        let budget = match self.budget {
            None => String::new(),
            Some(Budget::AtMost(most)) => format!("<= {most}"),
            Some(Budget::AtLeast(least)) => format!(">= {least}"),
        };
        let row = row(&self.what, &self.on, self.measure, &format!("{:.2}", self.value), &budget, &self.verdict());
        row.trim_end().to_owned()
    }
}

/// The head of the table.
pub(crate) fn head() -> String {
    row("what", "on", "measure", "value", "budget", "").trim_end().to_owned()
}

fn row(what: &str, on: &str, measure: &str, value: &str, budget: &str, verdict: &str) -> String {
    format!("{what:<44}  {on:<20}  {measure:<12}  {value:>9}  {budget:<7}  {verdict}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_met_or_missed_by_so_much() {
        let figure = |value| Figure::plain("search", "20 000", "p50 ms", value);
        assert_eq!(figure(5.0).within(Budget::AtMost(5.0)).verdict(), "met");
        assert_eq!(figure(7.0).within(Budget::AtMost(5.0)).verdict(), "over by 40 %");
        assert_eq!(figure(30.0).within(Budget::AtLeast(60.0)).verdict(), "under by 50 %");
        assert_eq!(figure(60.0).within(Budget::AtLeast(60.0)).verdict(), "met");
        assert_eq!(figure(1.0).verdict(), "");
    }

    #[test]
    fn of_many_times_the_middle_and_the_last_but_one_in_a_hundred_are_told() {
        let times = (1..=1000).rev().map(f64::from).collect();
        let figures = Figure::times("hook", "20 000", times, Some(400.0), None);
        assert_eq!(figures.iter().map(|f| f.value).collect::<Vec<_>>(), [501.0, 991.0]);
        assert_eq!((figures[0].met, figures[1].met), (Some(false), None));
        assert_eq!(Figure::times("hook", "none", Vec::new(), None, None)[0].value.to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn a_line_has_the_budget_beside_the_value() {
        let line = Figure::plain("search, words", "20 000", "p50 ms", 7.0).within(Budget::AtMost(5.0)).line();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words.join(" "), "search, words 20 000 p50 ms 7.00 <= 5 over by 40 %");
    }
}
