//! Draws the state: a head line, the list, the evidence, what the last key came to, what the next can do.

use chrono::FixedOffset;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use six_core::record::RecordKind;
use unicode_width::UnicodeWidthStr;

use super::evidence::{Row, kind_words, rows};
use super::look::{Look, Role};
use super::mode::Mode;
use super::panes::{Choices, choices, help, keys};
use super::state::{Entry, Extent, Notice, State, title_fault};
use super::width::{one_line, pad};
use crate::output::fit;

/// The smallest screen that shows a list and its evidence.
const MIN_COLUMNS: u16 = 40;
/// See [`MIN_COLUMNS`].
const MIN_ROWS: u16 = 10;

/// From here on list and evidence stand side by side; below, one above the other.
const WIDE_COLUMNS: u16 = 64;

/// Draws the picture; answers how much of the texts it could show.
pub(super) fn draw(frame: &mut Frame<'_>, state: &State, look: Look, offset: FixedOffset) -> Extent {
    let area = frame.area();
    let mut canvas = Canvas { buffer: frame.buffer_mut(), look };
    if area.width < MIN_COLUMNS || area.height < MIN_ROWS {
        let needs = format!("needs {MIN_COLUMNS}x{MIN_ROWS}, this is {}x{}; q leaves", area.width, area.height);
        canvas.put(area, 0, Role::Text, &needs);
        return Extent::default();
    }
    let places = Places::of(area);
    canvas.put(places.head, 0, Role::Title, &head(state, usize::from(area.width)));
    let extent = match state.mode {
        Mode::Whole => canvas.whole(&places, state, offset),
        Mode::Help => canvas.text(places.body_rule(), places.body(), "keys", &help(), state.scroll),
        _ => canvas.list_and_evidence(&places, state, offset),
    };
    canvas.put(places.keys, 0, Role::Faint, &keys(&state.mode, usize::from(area.width)));
    if let Some(cursor) = canvas.prompt(places.notice, state) {
        frame.set_cursor_position(cursor);
    }
    extent
}

/// Where things are.
struct Places {
    head: Rect,
    list_rule: Rect,
    list: Rect,
    /// The line between list and evidence, where they stand side by side.
    divider: Option<Rect>,
    evidence_rule: Rect,
    evidence: Rect,
    notice: Rect,
    keys: Rect,
}

impl Places {
    fn of(area: Rect) -> Self {
        let row = |y: u16| Rect { y, height: 1, ..area };
        let bottom = area.height - 2;
        let (head, notice, keys) = (row(0), row(bottom), row(bottom + 1));
        if area.width >= WIDE_COLUMNS {
            let list = Rect { y: 2, height: bottom - 2, width: (area.width * 2 / 5).min(56), ..area };
            let x = list.width + 2;
            let evidence = Rect { x, width: area.width - x, ..list };
            let divider = Some(Rect { x: list.width, y: 1, width: 1, height: bottom - 1 });
            let list_rule = Rect { y: 1, height: 1, ..list };
            let evidence_rule = Rect { x: list.width + 1, width: evidence.width + 1, ..list_rule };
            return Self { head, list_rule, list, divider, evidence_rule, evidence, notice, keys };
        }
        let list = Rect { y: 2, height: ((bottom - 3) / 3).max(1), ..area };
        let below = list.bottom();
        let evidence = Rect { y: below + 1, height: bottom - below - 1, ..area };
        Self { head, list_rule: row(1), list, divider: None, evidence_rule: row(below), evidence, notice, keys }
    }

    /// All between the head line and the notice, below its own rule.
    fn body(&self) -> Rect {
        Rect { y: self.list.y, height: self.notice.y - self.list.y, ..self.head }
    }

    const fn body_rule(&self) -> Rect {
        Rect { y: self.list_rule.y, ..self.head }
    }
}

struct Canvas<'a> {
    buffer: &'a mut Buffer,
    look: Look,
}

impl Canvas<'_> {
    /// Puts a text into a row of a place, cut to its width.
    fn put(&mut self, place: Rect, row: usize, role: Role, text: &str) {
        let Ok(row) = u16::try_from(row) else { return };
        if row < place.height {
            let columns = usize::from(place.width);
            self.buffer.set_stringn(place.x, place.y + row, fit(text, columns), columns, self.look.style(role));
        }
    }

    fn rule(&mut self, place: Rect, text: &str) {
        let columns = usize::from(place.width);
        let text = fit(&format!("── {text} "), columns.saturating_sub(1));
        let fill = "─".repeat(columns.saturating_sub(text.width()));
        self.put(place, 0, Role::Faint, &format!("{text}{fill}"));
    }

    fn list_and_evidence(&mut self, places: &Places, state: &State, offset: FixedOffset) -> Extent {
        if let Some(divider) = places.divider {
            self.put(divider, 0, Role::Faint, "┬");
            (1..usize::from(divider.height)).for_each(|row| self.put(divider, row, Role::Faint, "│"));
        }
        self.list(places, state);
        let extent = match choices(state) {
            Some(choices) => self.choices(places, &choices),
            None => self.evidence(places, state, offset),
        };
        Extent { list_rows: usize::from(places.list.height), ..extent }
    }

    fn list(&mut self, places: &Places, state: &State) {
        let shown = state.shown();
        let filter =
            if state.filter.is_empty() { String::new() } else { format!(" with {:?}", one_line(&state.filter)) };
        let number = if shown.is_empty() { 0 } else { state.at() + 1 };
        self.rule(places.list_rule, &format!("{number} of {}{filter}", shown.len()));
        if shown.is_empty() {
            let why = if state.left() == 0 { "nothing is left" } else { "nothing has these words" };
            self.put(places.list, 0, Role::Text, why);
        }
        let rows = usize::from(places.list.height);
        let columns = usize::from(places.list.width);
        let first = first_row(state.at(), shown.len(), rows);
        for (row, (at, entry)) in shown.iter().enumerate().skip(first).take(rows).enumerate() {
            let (mark, role) = if at == state.at() { ('>', Role::Marked) } else { (' ', Role::Text) };
            let line = fit(&format!("{mark}{}", list_line(entry)), columns);
            self.put(places.list, row, role, &pad(&line, columns));
        }
    }

    fn evidence(&mut self, places: &Places, state: &State, offset: FixedOffset) -> Extent {
        let Some(entry) = state.marked() else {
            self.rule(places.evidence_rule, "nothing to judge");
            return Extent::default();
        };
        let rows = rows(entry, &state.threads, offset, usize::from(places.evidence.width));
        self.text(places.evidence_rule, places.evidence, kind_words(entry.kind()), &rows, state.scroll)
    }

    fn whole(&mut self, places: &Places, state: &State, offset: FixedOffset) -> Extent {
        let (rule, body) = (places.body_rule(), places.body());
        let Some(entry) = state.marked() else { return Extent::default() };
        let rows = rows(entry, &state.threads, offset, usize::from(body.width));
        self.text(rule, body, kind_words(entry.kind()), &rows, state.scroll)
    }

    /// A text that scrolls, below a rule that says which part of it is seen.
    fn text(&mut self, rule: Rect, place: Rect, name: &str, lines: &[Row], scroll: usize) -> Extent {
        let rows = usize::from(place.height);
        let scroll_max = lines.len().saturating_sub(rows);
        let first = scroll.min(scroll_max);
        let part = format!("{name}, lines {}-{} of {}", first + 1, (first + rows).min(lines.len()), lines.len());
        self.rule(rule, if scroll_max == 0 { name } else { &part });
        for (at, row) in lines.iter().skip(first).take(rows).enumerate() {
            self.put(place, at, row.role, &row.text);
        }
        Extent { list_rows: 0, text_rows: rows, scroll_max }
    }

    fn choices(&mut self, places: &Places, choices: &Choices) -> Extent {
        self.rule(places.evidence_rule, choices.name);
        if choices.lines.is_empty() {
            self.put(places.evidence, 0, Role::Text, choices.when_empty);
        }
        let rows = usize::from(places.evidence.height);
        let first = first_row(choices.at, choices.lines.len(), rows);
        for (row, (at, line)) in choices.lines.iter().enumerate().skip(first).take(rows).enumerate() {
            let (mark, role) = if at == choices.at { ('>', Role::Marked) } else { (' ', Role::Text) };
            self.put(places.evidence, row, role, &format!("{mark} {line}"));
        }
        Extent::default()
    }

    /// The line that is being typed, else what the last key came to; answers where the cursor is.
    fn prompt(&mut self, place: Rect, state: &State) -> Option<Position> {
        let columns = usize::from(place.width);
        let Some((name, line)) = state.mode.typed() else {
            let (role, text) = notice(&state.notice, columns);
            self.put(place, 0, role, &text);
            return None;
        };
        let lead = format!("{name}: ");
        let tail = match &state.mode {
            Mode::Title(line) => title_tail(line),
            _ => String::new(),
        };
        let (seen, cursor) = line.window(columns.saturating_sub(lead.width() + tail.width()).max(4));
        let room = columns.saturating_sub(tail.width());
        self.put(place, 0, Role::Title, &format!("{}{tail}", pad(&fit(&format!("{lead}{seen}"), room), room)));
        let x = u16::try_from(lead.width() + cursor).unwrap_or(u16::MAX);
        Some(Position { x: place.x.saturating_add(x), y: place.y })
    }
}

fn title_tail(line: &super::line::Line) -> String {
    let chars = line.text().trim().chars().count();
    title_fault(line).map_or_else(|| format!(" {chars}"), |fault| format!(" ! {chars}: {fault}"))
}

/// The row of a list that stands first, so that the marked one is seen with as much round it as there is.
fn first_row(at: usize, len: usize, rows: usize) -> usize {
    at.saturating_sub(rows / 2).min(len.saturating_sub(rows))
}

fn list_line(entry: &Entry) -> String {
    let edited = if entry.draft.is_empty() { ' ' } else { '*' };
    format!("{edited}{} {}", letter(entry.kind()), one_line(entry.title().as_str()))
}

const fn letter(kind: RecordKind) -> char {
    match kind {
        RecordKind::Decision => 'D',
        RecordKind::DeadEnd => 'E',
        RecordKind::Correction => 'C',
        RecordKind::Cheatsheet => 'S',
    }
}

/// What a verdict has made of a candidate.
pub(super) fn past(verdict: &str) -> &'static str {
    match verdict {
        "confirm" => "confirmed",
        "reject" => "rejected",
        "merge" => "merged",
        _ => "superseded",
    }
}

/// The counts, as wide as there is room.
fn head(state: &State, columns: usize) -> String {
    let counts = state.counts();
    let of = |verdict: &str| counts.get(verdict).copied().unwrap_or_default();
    let left = state.left();
    let estimate = if left == 0 { String::new() } else { format!(", about {}", state.pace.estimate(left)) };
    let others = ["merge", "supersede"].into_iter().filter(|verdict| of(verdict) > 0);
    let others: Vec<String> = others.map(|verdict| format!("  {} {}", of(verdict), past(verdict))).collect();
    let others = others.concat();
    let (confirmed, rejected) = (of("confirm"), of("reject"));
    let whole = format!("six triage  {left} left{estimate}  {confirmed} confirmed  {rejected} rejected{others}");
    if whole.width() <= columns {
        return whole;
    }
    format!("{left} left{estimate}, {confirmed} conf., {rejected} rej.")
}

fn notice(notice: &Notice, columns: usize) -> (Role, String) {
    let with_title = |lead: &str, title: &str, tail: &str| {
        let room = columns.saturating_sub(lead.width() + tail.width());
        format!("{lead}{}{tail}", fit(&one_line(title), room))
    };
    match notice {
        Notice::None => (Role::Text, String::new()),
        Notice::Hint(hint) => (Role::Text, hint.clone()),
        Notice::Applied(verdict, title) => {
            let lead = format!("{}: ", past(verdict.as_str()));
            (Role::Applied, with_title(&lead, title.as_str(), " (u takes it back)"))
        }
        Notice::TakenBack(title) => (Role::Applied, with_title("taken back: ", title.as_str(), "")),
        Notice::Refused(why) => (Role::Refused, format!("! not done: {why}")),
    }
}

#[cfg(test)]
mod tests;
