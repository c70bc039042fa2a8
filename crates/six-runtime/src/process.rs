//! Other processes.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive_and_number_zero_is_none() {
        assert!(is_alive(std::process::id()));
        assert!(!is_alive(0));
    }
}
