#!/bin/bash
# The first commands on a bare Debian. Two roots are made of nothing but apt's own packages and those
# of tools/packages.txt, the repository's HEAD is cloned into each, and there, without network:
#   build   the group "build": make demo
#   test    "build" and "test": make test, as root in CI and as a user, none of it skipped
# Needs root and mmdebstrap. The packages come from this machine's apt sources.
# usage: bare_root.sh [build|test...]    environment: WITHOUT="PACKAGE...": a list without these
# shellcheck disable=SC2317 # the last loop calls the functions
set -u
cd "$(dirname "$0")/../.." || exit 1
groups=("$@")
[ $# -gt 0 ] || groups=(build test)

skip() {
    echo "skip: $1"
    exit 77
}
. tools/debian_root.sh
why=$(root_refused)
[ -z "$why" ] || skip "$why"
work=$(mktemp -d)
# What mmdebstrap mounts is in namespaces of its own: nothing here can remove a file of this machine.
trap 'rm -rf --one-file-system "$work"' EXIT

packages() { # GROUP...: those of the list, as mmdebstrap takes them
    # shellcheck disable=SC2086 # words
    for group; do awk -v g="$group" '$1 == g && $2 != "-" { print $2 }' tools/packages.txt; done |
        grep -vxF -f <(printf '%s\n' none ${WITHOUT:-}) | paste -sd,
}

make_root() { # DIRECTORY PACKAGES
    root_make "$1" "$2" && git clone -q . "$1/fringe" || return 1
    local package
    for package in ${WITHOUT:-}; do sed -i "/^[a-z]* *$package /d" "$1/fringe/tools/packages.txt"; done
}

inside() { # ROOT COMMAND: in the clone there
    root_run "$1" "cd /fringe && $2"
}

has_lines() { # FILE PATTERN TIMES: at least so many lines match
    [ "$(grep -cE "$2" "$1")" -ge "$3" ] || { cat "$1"; echo "fewer than $3 lines match \"$2\""; return 1; }
}

try_build() { # ROOT
    ! inside "$1" 'command -v nvcc' || { echo "nvcc is installed, although no package of the list has it"; return 1; }
    inside "$1" 'make demo' >"$work/output" || { cat "$work/output"; return 1; }
    ! grep '^setup:' "$work/output" || { echo "make demo wants to install something"; return 1; }
    has_lines "$work/output" '^verified +the answer is right' 2 && has_lines "$work/output" '^built in [0-9]+ s: ' 1 &&
        tail -1 "$work/output"
}

# Without network set-up takes Python's packages from a folder.
try_test() { # ROOT
    inside "$1" 'tools/setup.sh build test' >"$work/output"
    [ ! -s "$work/output" ] || { cat "$work/output"; return 1; }
    python3 -m venv "$work/venv" && "$work/venv/bin/pip" download -q -d "$1/wheels" -r python/requirements-test.txt || return 1
    inside "$1" 'export CI=true PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels && make test' >"$work/output" || { cat "$work/output"; return 1; }
    tail -1 "$work/output"
    inside "$1" 'chown -R 1000:1000 . && setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/tmp make test' >"$work/output" ||
        { cat "$work/output"; return 1; }
    tail -1 "$work/output"
}

code=0
for group in "${groups[@]}"; do
    begin=$SECONDS
    case $group in build) list=$(packages build) ;; *) list=$(packages build test) ;; esac
    make_root "$work/$group" "$list" || exit 1
    made=$((SECONDS - begin))
    "try_$group" "$work/$group" || { echo "a Debian with the packages \"$group\": FAILED"; code=1; }
    echo "a Debian with the packages \"$group\": root $made s, commands $((SECONDS - begin - made)) s"
    rm -rf --one-file-system "${work:?}/$group"
done
exit $code
