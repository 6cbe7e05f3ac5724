#!/bin/bash
# The first commands on a bare Debian. Two roots are made of nothing but apt's own packages and those
# of tools/packages.txt, the repository's HEAD is cloned into each, and there, without network:
#   build   the group "build": make demo
#   test    "build" and "test": the checks of the sources, a few tests of each kind, none skipped
# Needs root and mmdebstrap; 2 minutes on two cores. The packages come from this machine's apt sources.
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

try_test() { # ROOT
    local clang='clang -fsanitize=fuzzer,address,undefined -fopenmp -x c -o /tmp/probe -'
    local few='^(lint_|bench_|simt_executor|test_(smoke|formats|input)|cli_(help|packed|npy|json|report)$)'
    local not_built='lint_cppcheck|bench_test_papers_run' # too long, or of programs that are not made here
    local targets='fringe_pages fringe_shared fringe_static test_smoke test_formats test_input'
    inside "$1" 'tools/setup.sh build test' >"$work/output"
    [ ! -s "$work/output" ] || { cat "$work/output"; return 1; }
    inside "$1" 'python3 -B tests/lint/check_packages.py --provided build test' || return 1
    echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d && n < 0; }' |
        inside "$1" "$clang" || { echo "clang lacks sanitizers, the fuzzer or OpenMP"; return 1; }
    inside "$1" "cmake -S . -B build -G Ninja -DFRINGE_TESTS=ON && ninja -C build $targets test_executor" \
        >"$work/output" || { tail -30 "$work/output"; return 1; }
    inside "$1" "ctest --test-dir build -j 2 --output-on-failure -R '$few' -E '$not_built'" >"$work/output" ||
        { cat "$work/output"; return 1; }
    grep 'tests passed' "$work/output"
    tests/lint/skips.sh --refused "$1/fringe/build/Testing/Temporary/LastTest.log" "$work/output"
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
