//! Cuts a shell line into words and their simple commands.

use std::iter::Peekable;
use std::str::Chars;

/// A simple command before it is known what it does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Simple {
    /// Its words without quotes and without redirections.
    pub(super) words: Vec<String>,
    /// The heredocs that it reads.
    pub(super) input: String,
    /// It writes its output into a file.
    pub(super) writes: bool,
}

/// Substitutions within substitutions that are followed; a deeper one is read as part of its word.
const DEEPEST: usize = 16;

/// The simple commands of a line in the order in which they end.
pub(super) fn split(line: &str) -> Vec<Simple> {
    let mut splitter = Splitter {
        rest: line.chars().peekable(),
        frames: vec![Frame::default()],
        heredocs: Vec::new(),
        found: Vec::new(),
    };
    while let Some(c) = splitter.rest.next() {
        splitter.take(c);
    }
    while !splitter.frames.is_empty() {
        splitter.end_command();
        splitter.frames.pop();
    }
    splitter.found
}

/// What the next word is to a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Role {
    #[default]
    Word,
    /// Where its output goes.
    Target,
    /// Where its input comes from.
    Source,
    /// What ends a heredoc.
    Delimiter,
}

/// A command that is being read; a substitution has one of its own.
#[derive(Debug, Default)]
struct Frame {
    simple: Simple,
    word: Option<String>,
    role: Role,
    /// Within double quotes.
    quoted: bool,
    /// What ends this substitution.
    closes: Option<char>,
}

struct Splitter<'a> {
    rest: Peekable<Chars<'a>>,
    frames: Vec<Frame>,
    /// What ends the heredocs that were announced on this line.
    heredocs: Vec<String>,
    found: Vec<Simple>,
}

impl Splitter<'_> {
    fn take(&mut self, c: char) {
        let Some(frame) = self.frames.last() else { return };
        let (quoted, closes, in_word) = (frame.quoted, frame.closes, frame.word.is_some());
        match c {
            '\\' => self.escaped(),
            '$' if self.rest.peek() == Some(&'(') => {
                self.rest.next();
                self.open(')');
            }
            '`' if closes == Some('`') && !quoted => self.close(),
            '`' => self.open('`'),
            '"' => self.quote(),
            _ if quoted => self.push(c),
            '\'' => self.literal(),
            ')' if closes == Some(')') => self.close(),
            '(' => self.open(')'),
            '\n' => {
                self.end_command();
                self.read_heredocs();
            }
            '&' if self.rest.peek() == Some(&'>') => {}
            '&' if self.frames.last().is_some_and(|frame| frame.role == Role::Target && frame.word.is_none()) => {
                self.push(c);
            }
            ';' | '&' | '|' | ')' => self.end_command(),
            '#' if !in_word => self.comment(),
            '<' | '>' => self.redirect(c),
            _ if c.is_whitespace() => self.end_word(),
            _ => self.push(c),
        }
    }

    fn push(&mut self, c: char) {
        if let Some(frame) = self.frames.last_mut() {
            frame.word.get_or_insert_default().push(c);
        }
    }

    fn escaped(&mut self) {
        match self.rest.next() {
            None | Some('\n') => {}
            Some(c) => self.push(c),
        }
    }

    fn quote(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.quoted = !frame.quoted;
            frame.word.get_or_insert_default();
        }
    }

    fn literal(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.word.get_or_insert_default().extend(self.rest.by_ref().take_while(|c| *c != '\''));
        }
    }

    fn comment(&mut self) {
        while self.rest.next_if(|c| *c != '\n').is_some() {}
    }

    fn open(&mut self, closes: char) {
        if self.frames.len() < DEEPEST {
            self.frames.push(Frame { closes: Some(closes), ..Frame::default() });
        }
    }

    fn close(&mut self) {
        self.end_command();
        self.frames.pop();
    }

    fn redirect(&mut self, c: char) {
        // `2>`: the number is no word of the command.
        if let Some(frame) = self.frames.last_mut()
            && frame.word.as_ref().is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()))
        {
            frame.word = None;
        }
        self.end_word();
        let again = self.rest.next_if_eq(&c).is_some();
        let role = match (c, again) {
            ('<', true) if self.rest.next_if_eq(&'<').is_some() => Role::Source,
            ('<', true) => {
                self.rest.next_if_eq(&'-');
                Role::Delimiter
            }
            ('<', false) => Role::Source,
            _ => {
                self.rest.next_if_eq(&'|');
                Role::Target
            }
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.role = role;
        }
    }

    fn end_word(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(word) = frame.word.take() else { return };
        match std::mem::take(&mut frame.role) {
            Role::Word => frame.simple.words.push(word),
            Role::Target => frame.simple.writes |= word != "/dev/null" && !word.starts_with('&'),
            Role::Source => {}
            Role::Delimiter => self.heredocs.push(word),
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        let Some(frame) = self.frames.last_mut() else { return };
        frame.role = Role::Word;
        let simple = std::mem::take(&mut frame.simple);
        if !simple.words.is_empty() || simple.writes {
            self.found.push(simple);
        }
    }

    /// What follows the line that announced them belongs to its last command.
    fn read_heredocs(&mut self) {
        for delimiter in std::mem::take(&mut self.heredocs) {
            let mut body = String::new();
            while self.rest.peek().is_some() {
                let line: String = self.rest.by_ref().take_while(|c| *c != '\n').collect();
                if line.trim() == delimiter {
                    break;
                }
                body.push_str(&line);
                body.push('\n');
            }
            if let Some(last) = self.found.last_mut() {
                last.input.push_str(&body);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The commands with `|` between them and `_` between their words.
    fn told(line: &str) -> String {
        let joined = |simple: Simple| simple.words.join("_") + if simple.writes { ">" } else { "" };
        split(line).into_iter().map(joined).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn a_line_falls_into_its_commands() {
        for (line, expected) in [
            ("npm install left-pad", "npm_install_left-pad"),
            ("cd web && npm ci; ls | wc -l", "cd_web|npm_ci|ls|wc_-l"),
            ("a || b & c", "a|b|c"),
            ("echo 'a && b' \"c; d\" e\\ f", "echo_a && b_c; d_e f"),
            ("echo $(npm bin)/x `yarn bin` z", "npm_bin|yarn_bin|echo_/x_z"),
            ("echo \"v: $(npm -v) ok\"", "npm_-v|echo_v:  ok"),
            ("(cd a; make) # not this", "cd_a|make"),
            ("make 2>&1 >out.log | tee log", "make>|tee_log"),
            ("make >/dev/null 2>&1", "make"),
            ("make &> log", "make>"),
            ("sort < in <<< word", "sort"),
            ("a \\\n b\nc", "a_b|c"),
            ("echo \"\" ''", "echo__"),
            ("", ""),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }

    #[test]
    fn a_heredoc_is_input_and_no_command() {
        let found = split("cat > a.md <<'EOF'\nnpm install\nEOF\nmake");
        assert_eq!(found.iter().map(|simple| simple.words.join(" ")).collect::<Vec<_>>(), ["cat", "make"]);
        assert_eq!((found[0].input.as_str(), found[0].writes), ("npm install\n", true));
        assert_eq!(split("cat <<EOF\nno end")[0].input, "no end\n");
    }

    #[test]
    fn what_is_not_closed_ends_with_the_line() {
        for line in ["echo 'a", "echo \"a", "echo $(a", "echo `a", "(((((((((((((((((((((((((a", "a <<", "a >", "\\"] {
            split(line);
        }
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in "([\\$`\"'()<>&|;#\\\\\n -]|<<E|a|EOF|\\PC){0,80}") {
            let words: usize = split(&line).iter().flat_map(|simple| &simple.words).map(String::len).sum();
            prop_assert!(words <= line.len());
        }
    }
}
