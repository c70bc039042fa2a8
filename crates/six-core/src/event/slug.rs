//! The host's name for a folder under `projects/`.

/// Longest slug before it is shortened, in UTF-16 units.
const LIMIT_UNITS: usize = 200;

/// The name that the host gives to the folder of `path`'s transcripts. `path` is absolute, with symlinks resolved.
///
/// Only for finding candidates: different folders share a slug, so what a candidate holds decides (the `cwd` inside its
/// records), and a hook takes the path that it is given.
pub fn slug(path: &str) -> String {
    let units = || path.encode_utf16();
    let dashed = |unit: u16| char::from_u32(u32::from(unit)).filter(char::is_ascii_alphanumeric).unwrap_or('-');
    if units().count() <= LIMIT_UNITS {
        return units().map(dashed).collect();
    }
    let hash = units().fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(unit)));
    let mut slug: String = units().take(LIMIT_UNITS).map(dashed).collect();
    slug.push('-');
    slug.push_str(&base36(hash.unsigned_abs()));
    slug
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
        if number == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_ascii_letters_and_digits_is_a_dash() {
        assert_eq!(slug("/home/dev/project"), "-home-dev-project");
        assert_eq!(slug("/home/dev/My App_2.0"), "-home-dev-My-App-2-0");
        assert_eq!(slug("C:\\Users\\dev\\app"), "C--Users-dev-app");
    }

    #[test]
    fn each_utf16_unit_counts() {
        assert_eq!(slug("/a/🙏"), "-a---");
        assert_eq!(slug("/a/請求書"), "-a----");
        assert_eq!(slug("/e\u{301}"), "-e-");
    }

    #[test]
    fn a_long_path_is_cut_and_hashed() {
        let at_the_limit = format!("/{}", "a".repeat(199));
        assert_eq!(slug(&at_the_limit).len(), 200);
        let over = format!("/{}", "a".repeat(200));
        assert_eq!(slug(&over), format!("-{}-b6ymvl", "a".repeat(199)));
    }

    #[test]
    fn numbers_are_written_in_base_36() {
        assert_eq!(base36(0), "0");
        assert_eq!(base36(35), "z");
        assert_eq!(base36(36), "10");
        assert_eq!(base36(1_u32 << 31), "zik0zk");
    }
}
