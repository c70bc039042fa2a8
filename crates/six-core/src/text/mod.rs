//! shim, replaced by the branch `text`
use std::{borrow::Cow, fmt, ops::Range};
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Redacted(String);
impl Redacted {
    pub fn literal(s: &'static str) -> Self {
        Self(s.to_owned())
    }
    pub fn as_str(&self) -> &str {
        &self.0
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    pub fn slice(&self, r: Range<usize>) -> Option<Self> {
        self.0.get(r).map(|s| Self(s.to_owned()))
    }
    pub fn cut(&self, max: usize) -> Self {
        Self(cut_bytes(&self.0, max).to_owned())
    }
    pub fn join(parts: &[Self], sep: &'static str) -> Self {
        Self(parts.iter().map(Self::as_str).collect::<Vec<_>>().join(sep))
    }
}
impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
pub struct Redactor;
impl Redactor {
    pub fn new() -> Self {
        Self
    }
    pub fn redact(&self, s: &str) -> Redacted {
        Redacted(strip_control(s).into_owned())
    }
}
pub const REDACTION_VERSION: u32 = 1;
pub const TOKENIZER_VERSION: u32 = 1;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    Word,
    Identifier,
    Part,
    Bigram,
    Number,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub term: String,
    pub start: usize,
    pub end: usize,
    pub kind: TokenKind,
}
pub fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut start = None;
    for (i, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric(), start) {
            (true, None) => start = Some(i),
            (false, Some(s)) => {
                out.push(Token { term: text[s..i].to_lowercase(), start: s, end: i, kind: TokenKind::Word });
                start = None;
            }
            _ => {}
        }
    }
    out
}
pub fn is_stop(term: &str) -> bool {
    matches!(term, "the" | "a" | "of" | "to" | "and" | "is" | "in")
}
pub fn cut_bytes(s: &str, max: usize) -> &str {
    &s[..s.floor_char_boundary(max.min(s.len()))]
}
pub fn utf16_len(s: &str) -> usize {
    s.encode_utf16().count()
}
pub fn cut_utf16(s: &str, max: usize) -> (&str, bool) {
    let mut n = 0;
    for (i, c) in s.char_indices() {
        n += c.len_utf16();
        if n > max {
            return (&s[..i], true);
        }
    }
    (s, false)
}
pub fn strip_control(s: &str) -> Cow<'_, str> {
    Cow::Owned(s.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { ' ' } else { c }).collect())
}
pub fn printable(s: &str) -> String {
    strip_control(s).into_owned()
}
pub fn sentences(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    text.split_inclusive('.')
        .map(move |s| {
            let r = at..at + s.len();
            at = r.end;
            r
        })
        .collect::<Vec<_>>()
        .into_iter()
}
