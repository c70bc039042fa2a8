//! Helpers of the black-box tests: a scratch home, a scratch project, the built binaries.
