//! The terminal: taken, and given back whatever happens.
//!
//! What ends the process by a signal is answered on a thread of its own: the main thread may be waiting for the store, and
//! on a terminal that is gone crossterm 0.29 reads without end.

use std::io::{self, Write as _};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, EnableBracketedPaste};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use ratatui::{Frame, Terminal};

/// Whether the terminal is ours. One process has one terminal, and the hook of a panic has no other way to know.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours.
pub(super) struct FullScreen {
    terminal: Terminal<CrosstermBackend<io::Stdout>>,
}

impl FullScreen {
    /// Takes the terminal.
    pub(super) fn enter() -> io::Result<Self> {
        restore_on_panic();
        #[cfg(unix)]
        restore_on_signals()?;
        let terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        take().inspect_err(|_| give_back())?;
        Ok(Self { terminal })
    }

    /// Draws one picture.
    pub(super) fn draw(&mut self, picture: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        // A signal waits for the whole picture, so that no half of it lands behind the restored screen.
        let _whole = io::stdout().lock();
        self.terminal.draw(picture).map(drop)
    }

    /// Gives the terminal back, stops the process, and takes the terminal again when it goes on.
    #[cfg(unix)]
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        give_back();
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)?;
        take()?;
        self.terminal.clear()
    }

    /// There is no such thing here.
    #[cfg(not(unix))]
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        self.terminal.clear()
    }
}

impl Drop for FullScreen {
    fn drop(&mut self) {
        give_back();
    }
}

fn take() -> io::Result<()> {
    enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    execute!(io::stdout(), EnterAlternateScreen, EnableBracketedPaste, Hide)
}

/// Does nothing when the terminal is not ours, so that it can be called from everywhere. A terminal that can't be written
/// any more has nothing to restore.
fn give_back() {
    let mut out = io::stdout().lock();
    if TAKEN.swap(false, Ordering::SeqCst) {
        let _ = execute!(out, DisableBracketedPaste, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
    let _ = out.flush();
}

/// The message of a panic goes to the screen that stays.
fn restore_on_panic() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        give_back();
        tell(panic);
    }));
}

/// Gives the terminal back and dies of the signal, as without a handler. The thread lives as long as the process.
#[cfg(unix)]
fn restore_on_signals() -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM])?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in signals.forever() {
            let _silent = io::stdout().lock();
            give_back();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}
