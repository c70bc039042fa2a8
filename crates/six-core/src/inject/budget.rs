//! Room in the model's context: the host counts UTF-16 units, the model tokens.

use super::Limits;

/// UTF-16 units of all blocks of one prompt, whatever the configuration says. From 10 001 units on the host replaces a
/// text by a file name and its first 2 000 characters.
pub const CEILING_UNITS: usize = 8_000;

/// UTF-16 units that the blocks of one prompt may take.
pub(super) fn room(limits: &Limits) -> usize {
    limits.budget_units.min(CEILING_UNITS)
}

/// About how many tokens a text takes. Rather too many than too few: English takes a token for four characters, other
/// alphabets one for two, Chinese, Japanese and Korean one a character, emoji two.
pub fn estimate_tokens(text: &str) -> u32 {
    let quarters: u64 = text.chars().map(quarters).sum();
    u32::try_from(quarters.div_ceil(4)).unwrap_or(u32::MAX)
}

const fn quarters(c: char) -> u64 {
    match c {
        '\0'..='\u{7f}' => 1,
        '\u{80}'..='\u{10ff}' | '\u{1200}'..='\u{2fff}' => 2,
        '\u{1100}'..='\u{11ff}' | '\u{3000}'..='\u{ffff}' => 4,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_is_honest_in_every_script() {
        assert_eq!(estimate_tokens("word word word "), 4);
        assert_eq!(estimate_tokens("部署方案"), 4);
        assert_eq!(estimate_tokens("проверка"), 4);
        assert_eq!(estimate_tokens("🙏"), 2);
        assert_eq!(estimate_tokens(""), 0);
    }

    #[test]
    fn no_configuration_reaches_the_hosts_limit() {
        assert_eq!(room(&Limits { budget_units: usize::MAX, ..Limits::default() }), CEILING_UNITS);
        assert_eq!(room(&Limits::default()), 1_600);
    }
}
