#!/bin/bash
# Runs what takes too long for CI, each with a log in build/nightly/, and ends with a line of time and outcome
# for each and one of counts. A target that cannot run here says "skip: ...".
# usage: tools/nightly.sh [TARGET...]    targets of the Makefile; all of the list below unless given
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
logs=$PWD/build/nightly
mkdir -p "$logs"

# The list: each target with what it is given.
targets=(
    wheel
    wheel-arm64
    deb
    test-python-asan
    test-python-oldest
    "test-random SECONDS=3600"
    "fuzz FUZZ_SECONDS=600"
    test-networkx-all
    test-slurm
    test-demo
    test-aarch64
    test-full
)

passed=0 failed=0 skipped=0
run_target() { # WORDS
    local name=${1%% *} begin=$SECONDS outcome
    # shellcheck disable=SC2086 # words
    make --no-print-directory $1 >"$logs/$name.log" 2>&1
    case $? in
    0) outcome=passed passed=$((passed + 1)) ;;
    *)
        if grep -q '^skip: ' "$logs/$name.log" && grep -q 'Error 77' "$logs/$name.log"; then
            outcome=$(grep -m 1 '^skip: ' "$logs/$name.log") skipped=$((skipped + 1))
        else
            outcome="FAILED, see build/nightly/$name.log" failed=$((failed + 1))
        fi
        ;;
    esac
    printf '%6d s  %s: %s\n' $((SECONDS - begin)) "$name" "$outcome"
    [ "$outcome" != passed ] || sed -n 's/^skip: /          skip: /p' "$logs/$name.log"
}

if [ $# -gt 0 ]; then targets=("$@"); fi
for target in "${targets[@]}"; do run_target "$target"; done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
