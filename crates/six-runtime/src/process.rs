//! This process and others.

use six_store::Process;

/// Whether a process of that number is there, ours or anybody's.
#[cfg(unix)]
pub fn is_alive(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else { return false };
    // EPERM: it is there and belongs to somebody else.
    !matches!(rustix::process::test_kill_process(pid), Err(rustix::io::Errno::SRCH))
}

/// Nobody can tell here; a row without an end is then judged by its deadline alone.
#[cfg(not(unix))]
pub fn is_alive(_: u32) -> bool {
    true
}

/// What is known of the process of that number, for a row that it left without an end.
pub fn look_up(pid: u32) -> Process {
    match name_of(pid) {
        Some(name) if name == "six" || name.starts_with("six-") => Process::Ours,
        None if is_alive(pid) => Process::Some,
        _ => Process::Gone,
    }
}

/// The name of a running process, where the system tells it.
fn name_of(pid: u32) -> Option<String> {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim_end().to_owned())
}

/// Leaves the session of whoever started this process and closes what it inherited: the host waits for a process that
/// holds a copy of its streams, and ends a session's processes with the session. Runs with low priority from then on.
#[cfg(unix)]
pub fn detach() {
    // Each fails only where it is not needed: a process that leads a session already, one that may not be nicer.
    let _ = rustix::process::setsid();
    let _ = rustix::process::nice(10);
    let inherited = std::fs::read_dir("/dev/fd").map(|entries| {
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect::<Vec<i32>>()
    });
    for number in inherited.unwrap_or_default().into_iter().filter(|number| *number > 2) {
        // The folder's own descriptor is among them and closed by now.
        let _ = nix::unistd::close(number);
    }
}

/// There is nothing to leave.
#[cfg(not(unix))]
pub fn detach() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_number_that_another_program_has_by_now_is_no_process_of_ours() {
        // That of this test is named after the crate.
        assert_eq!(look_up(std::process::id()), Process::Gone);
        assert_eq!(look_up(0), Process::Gone);
    }

    #[test]
    fn this_process_is_alive_and_number_zero_is_none() {
        assert!(is_alive(std::process::id()));
        assert!(!is_alive(0));
    }
}
