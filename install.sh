#!/bin/sh
# Builds six, installs its binaries and, given a project, gives that project its memory.
#
#   ./install.sh [--prefix DIR] [PROJECT [further arguments of `six install`]]
#
# Needs a Rust toolchain and a C compiler (SQLite is built in). Can be run again: that is the upgrade.
# Binaries go to DIR/bin (default: ~/.local/bin). DIR/bin/.six-programs lists them, so that the uninstall of the last
# project takes away these and nothing else.
set -eu

programs='six six-session-start six-user-prompt-submit six-pre-tool-use six-stop six-pre-compact six-session-end'

say() { printf '%s\n' "$*" >&2; }
fail() { say "install.sh: $1"; say "  next: $2"; exit 2; }

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
prefix=${HOME:+$HOME/.local}
while [ $# -gt 0 ]; do
    case $1 in
        --prefix)
            [ $# -ge 2 ] && [ -n "$2" ] || fail "--prefix needs a folder" "./install.sh --prefix ~/.local PROJECT"
            prefix=$2
            shift 2
            ;;
        --prefix=?*) prefix=${1#--prefix=}; shift ;;
        -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
        --) shift; break ;;
        -*) fail "unknown option $1" "./install.sh --help" ;;
        *) break ;;
    esac
done

# Everything that can be wrong with the call is found before the long build.
[ -n "$prefix" ] || fail "HOME is not set, so there is no place for the binaries" "./install.sh --prefix DIR PROJECT"
case $prefix in /*) ;; *) prefix=$PWD/$prefix ;; esac
if [ $# -gt 0 ]; then
    case $1 in
        -*) ;;
        *)
            [ -d "$1" ] || fail "there is no folder $1" "name the folder of your project: ./install.sh ~/my-project"
            case $(CDPATH='' cd -- "$1" && pwd -P) in
                / | "$(CDPATH='' cd -- "${HOME:-/}" && pwd -P)")
                    fail "$1 can't have a memory: the home folder and / can never be projects" \
                        "name the folder of one project: ./install.sh ~/my-project"
                    ;;
            esac
            ;;
    esac
fi
mkdir -p "$prefix/bin" 2>/dev/null && [ -w "$prefix/bin" ] ||
    fail "$prefix/bin can't be written" "./install.sh --prefix DIR PROJECT"
bin=$(CDPATH='' cd -- "$prefix/bin" && pwd -P)
list=$bin/.six-programs

if ! command -v cargo >/dev/null 2>&1 && [ -n "${HOME:-}" ] && [ -x "$HOME/.cargo/bin/cargo" ]; then
    PATH=$HOME/.cargo/bin:$PATH
    export PATH
fi
command -v cargo >/dev/null 2>&1 ||
    fail "no Rust toolchain found (cargo is not on the PATH)" "install one (1.89 or newer) from https://rustup.rs, then run this again"
command -v "${CC:-cc}" >/dev/null 2>&1 ||
    fail "no C compiler found (SQLite is compiled in)" "install one (Debian: apt install gcc; macOS: xcode-select --install), then run this again"

say "six: building (a few minutes the first time)"
# On a terminal cargo shows how far it is.
quiet=--quiet
[ ! -t 2 ] || quiet=
(cd "$here" && cargo build --release --locked ${quiet:+"$quiet"} -p six-cli -p six-hooks) ||
    fail "the build failed, see above" "if cargo says that it is too old: rustup update stable (1.89 or newer); then run this again"

target=${CARGO_TARGET_DIR:-$here/target}
case $target in /*) ;; *) target=$here/$target ;; esac
[ -x "$target/release/six" ] ||
    fail "the build left no $target/release/six" "unset CARGO_BUILD_TARGET and build.target-dir, then run this again"

# The list first: what it names and was not written yet does no harm, what was written and is not named would stay.
for name in $programs; do printf '%s\n' "$bin/$name"; done >"$list.new" && mv -f "$list.new" "$list" ||
    fail "$list can't be written" "./install.sh --prefix DIR PROJECT"
for name in $programs; do
    # Beside the target and renamed: a hook that runs right now keeps its file.
    cp "$target/release/$name" "$bin/.$name.new" && chmod 755 "$bin/.$name.new" && mv -f "$bin/.$name.new" "$bin/$name" ||
        fail "$bin/$name can't be written" "./install.sh --prefix DIR PROJECT"
done
say "six: binaries are in $bin"
case :$PATH: in
    *:"$bin":* | *:"$prefix/bin":*) ;;
    *) say "six: $bin is not on your PATH; for you and the agent to find the command, add: export PATH=\"$bin:\$PATH\"" ;;
esac

if [ $# -eq 0 ]; then
    say "six: no project named; give one a memory with: $bin/six install PROJECT"
    exit 0
fi
exec "$prefix/bin/six" install "$@"
