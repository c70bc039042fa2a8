use std::fmt::Write as _;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use super::super::keys::Key;
use super::super::sample::{AT, items, similar, threads, waiting};
use super::super::state::{Input, State};
use super::*;

const PLAIN: Look = Look { colour: false };
const COLOUR: Look = Look { colour: true };

fn opened() -> State {
    State::new(waiting(items()), threads(), AT)
}

fn typed(state: &mut State, text: &str) {
    for c in text.chars() {
        state.step(Input::Key(Key::Char(c)));
    }
}

/// Draws the state until it has seen what fits; answers the last picture.
fn drawn(state: &mut State, columns: u16, rows: u16, look: Look) -> TestBackend {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let offset = FixedOffset::east_opt(0).unwrap();
    let mut extent = Extent::default();
    terminal.draw(|frame| extent = draw(frame, state, look, offset)).unwrap();
    state.see(extent);
    terminal.backend().clone()
}

/// The picture as text, without what fills the ends of its lines.
fn picture(state: &mut State, columns: u16, rows: u16) -> String {
    let backend = drawn(state, columns, rows, PLAIN);
    let mut text = String::new();
    for y in 0..rows {
        let mut line = String::new();
        let mut x = 0;
        while x < columns {
            let symbol = backend.buffer().cell((x, y)).map_or(" ", |cell| cell.symbol());
            line.push_str(symbol);
            x += u16::try_from(symbol.width().max(1)).unwrap();
        }
        assert_eq!(line.width(), usize::from(columns), "{line}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[test]
fn a_usual_terminal_shows_list_and_evidence_side_by_side() {
    insta::assert_snapshot!(picture(&mut opened(), 80, 24));
}

#[test]
fn a_large_terminal_shows_similar_records_beside_the_candidate() {
    insta::assert_snapshot!(picture(&mut opened(), 120, 40));
}

#[test]
fn a_small_terminal_shows_the_list_above_the_evidence() {
    insta::assert_snapshot!(picture(&mut opened(), 40, 12));
}

#[test]
fn wide_characters_are_aligned_and_cut() {
    let mut state = opened();
    typed(&mut state, "j");
    insta::assert_snapshot!(picture(&mut state, 80, 24));
}

#[test]
fn control_sequences_never_reach_the_terminal() {
    let mut state = opened();
    typed(&mut state, "G");
    let text = picture(&mut state, 80, 24);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text:?}");
    insta::assert_snapshot!(text);
}

#[test]
fn a_title_is_edited_where_it_can_be_seen_whole() {
    let mut state = opened();
    typed(&mut state, "je");
    insta::assert_snapshot!(picture(&mut state, 40, 12));
}

#[test]
fn an_edit_is_marked_until_its_verdict() {
    let mut state = opened();
    typed(&mut state, "e");
    state.step(Input::Key(Key::DeleteBefore));
    typed(&mut state, "泊位从港口数起");
    state.step(Input::Key(Key::Enter));
    typed(&mut state, "tPilots");
    state.step(Input::Key(Key::Enter));
    insta::assert_snapshot!(picture(&mut state, 80, 12));
}

#[test]
fn a_picker_offers_records_in_place_of_the_evidence() {
    let mut state = opened();
    typed(&mut state, "stide");
    state
        .found(vec![similar("a100000000000000", "Tide tables are files"), similar("a200000000000000", "潮汐表是文件")]);
    state.step(Input::Key(Key::Down));
    insta::assert_snapshot!(picture(&mut state, 80, 12));
}

#[test]
fn the_help_names_every_key() {
    let mut state = opened();
    typed(&mut state, "?");
    insta::assert_snapshot!(picture(&mut state, 80, 30));
}

#[test]
fn the_whole_text_scrolls() {
    let mut state = opened();
    typed(&mut state, "a");
    picture(&mut state, 60, 12);
    typed(&mut state, "G");
    insta::assert_snapshot!(picture(&mut state, 60, 12));
}

#[test]
fn a_verdict_says_how_to_take_it_back() {
    let mut state = opened();
    let ask = state.step(Input::Key(Key::Char('c')));
    let super::super::state::Ask::Apply(ruling) = ask else { panic!("{ask:?}") };
    state.applied(&ruling, "b0".into(), AT);
    let lines = |state: &mut State, columns| {
        let text = picture(state, columns, 12);
        let at = |n: usize| text.lines().nth(n).unwrap().to_owned();
        format!("{}\n{}", at(0), at(10))
    };
    insta::assert_snapshot!(lines(&mut state, 80));
    insta::assert_snapshot!(lines(&mut state, 40));
}

#[test]
fn nothing_left_is_said() {
    let mut state = State::new(waiting(Vec::new()), Vec::new(), AT);
    insta::assert_snapshot!(picture(&mut state, 64, 10));
}

#[test]
fn a_terminal_that_is_too_small_says_so() {
    assert_eq!(picture(&mut opened(), 39, 2), "needs 40x10, this is 39x2; q leaves\n\n");
    for (columns, rows) in [(1, 1), (39, 24), (80, 9)] {
        picture(&mut opened(), columns, rows);
    }
}

#[test]
fn no_size_and_no_mode_breaks_the_picture() {
    for open in ["", "e", "t", "m", "s", "/nothing", "a", "?"] {
        for columns in (40..130).step_by(7) {
            for rows in [10, 11, 13, 24, 60] {
                let mut state = opened();
                typed(&mut state, open);
                picture(&mut state, columns, rows);
            }
        }
    }
}

#[test]
fn colour_repeats_what_marks_say() {
    let plain = drawn(&mut opened(), 80, 24, PLAIN);
    let coloured = drawn(&mut opened(), 80, 24, COLOUR);
    let cells = |backend: &TestBackend| backend.buffer().content().to_vec();
    let symbols = |cells: &[Cell]| cells.iter().map(|cell| cell.symbol().to_owned()).collect::<Vec<_>>();
    let is_styled = |cell: &Cell| (cell.fg, cell.bg, cell.modifier) != (Color::Reset, Color::Reset, Modifier::empty());
    let (plain, coloured) = (cells(&plain), cells(&coloured));
    assert_eq!(symbols(&plain), symbols(&coloured));
    assert!(!plain.iter().any(is_styled), "without colour there is nothing but text");
    assert!(coloured.iter().any(is_styled));
}
