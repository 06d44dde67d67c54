# What the gate and tests/targets/run share. Sourced by bash, with ROOT set to the repository.

# refuses TEXT COMMAND...: passes when the command fails and says TEXT.
refuses() {
    local text=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "succeeded, and should not have: $*"
        return 1
    fi
    echo "$output"
    grep -qF "$text" <<<"$output" || {
        echo "failed, but without saying: $text"
        return 1
    }
}

# A copy of the working tree, as git sees it, to try changes in.
copy_of_tree() {
    local copy=$1
    rm -rf "$copy"
    mkdir -p "$copy"
    git -C "$ROOT" ls-files -z --cached --others --exclude-standard |
        tar -C "$ROOT" --null -T - -cf - | tar -C "$copy" -xf -
}

# packages PACKAGE...: installs what is missing of Debian's.
packages() {
    dpkg -s "$@" >/dev/null 2>&1 && return
    export DEBIAN_FRONTEND=noninteractive
    apt-get update >&2
    apt-get install -y --no-install-recommends "$@" >&2
}

# Where the library for a target comes from: rustup, or else the sources of it from Debian.
target_from() {
    if rustup target list --installed | grep -qx "$1" || timeout 300 rustup target add "$1" >&2; then
        echo rustup
    else
        packages rustc-web cargo-web rust-web-src
        echo debian
    fi
}

# Where `cross` puts what it builds for a target. Two compilers share nothing: a folder for each.
cross_dir() {
    [[ $(target_from "$1") == rustup ]] && echo "$ROOT/target/cross" || echo "$ROOT/target/cross-debian"
}

# The folder of the programs that rustup's compiler brings: its linker.
rust_tools() {
    echo "$(rustc --print sysroot)/lib/rustlib/$(rustc -vV | sed -n 's/^host: //p')/bin"
}

# cross TARGET ARGUMENTS...: cargo build for a target of no operating system.
cross() {
    local target=$1 folder
    shift
    folder=$(cross_dir "$target")
    if [[ $folder == */cross ]]; then
        cargo build --target "$target" --target-dir "$folder" "$@"
    else
        # Debian's compiler builds `core` itself; the linker is the one that rustup ships.
        PATH="$(rust_tools):$PATH" RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 /usr/bin/cargo build \
            --target "$target" --target-dir "$folder" -Zbuild-std=core "$@"
    fi
}
