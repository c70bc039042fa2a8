//! The conventions that are seeded, as they are in the repository's folder `templates`.

/// `CLAUDE.md`: standing rules, what to believe, what done means.
pub const CONSTITUTION: &str = include_str!("../../../../templates/CLAUDE.md");
/// `MEMORY.md` of the host's memory folder, with the place where work is resumed.
pub const MEMORY: &str = include_str!("../../../../templates/MEMORY.md");
/// The skill that tells the agent how to use the memory.
pub const SKILL: &str = include_str!("../../../../templates/skills/six-memory/SKILL.md");

/// Whether a file is one of ours that nobody has changed: it says nothing about the project, so it isn't indexed.
pub fn is_unmodified(bytes: &[u8]) -> bool {
    [CONSTITUTION, MEMORY, SKILL].iter().any(|template| template.as_bytes() == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_template_is_the_users_text() {
        assert!(is_unmodified(MEMORY.as_bytes()));
        assert!(!is_unmodified(MEMORY.replace("Nothing", "Something").as_bytes()));
        assert!(!is_unmodified(b""));
    }

    #[test]
    fn templates_have_no_slots_to_fill() {
        for template in [CONSTITUTION, MEMORY, SKILL] {
            for slot in ["TODO", "FILL", "<YOUR", "{{", "XXX", "..."] {
                let found = template.replace("MEMORY-HEALTH: ...", "").contains(slot);
                assert!(!found, "{slot}");
            }
            assert!(template.ends_with('\n') && template.is_ascii());
        }
    }

    #[test]
    fn the_memory_fits_what_the_host_loads_with_room_for_its_own_lines() {
        assert!(MEMORY.lines().count() < 30);
    }

    #[test]
    fn the_skill_has_the_front_matter_that_the_host_reads() {
        let front = SKILL.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
        let description = front.lines().find_map(|line| line.strip_prefix("description: ")).unwrap();
        assert!(front.starts_with("name: six-memory\n"));
        assert!(
            description.chars().count() <= 1024 && !description.contains(": "),
            "plain YAML, within the host's limit"
        );
    }
}
