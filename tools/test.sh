#!/bin/bash
# Builds and runs the whole test suite: with gcc, then with clang under AddressSanitizer and
# UndefinedBehaviorSanitizer, then the fuzzers for a short while. Ends with one line of counts.
# usage: tools/test.sh [asan]    environment: CTEST_ARGS, e.g. "-R load"
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
jobs=$(nproc)
passed=0 failed=0 skipped=0
export OMP_WAIT_POLICY=passive # spinning threads cost other tests their cores
export LSAN_OPTIONS=suppressions=$PWD/tests/house/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
logs=build/logs
mkdir -p "$logs"

# A part is a shell function; its time is told, and its failure counts as one failed test.
part() { # NAME FUNCTION ARGS...
    local name=$1 begin=$SECONDS
    shift
    echo
    echo "=== $name"
    local good=0
    "$@" || { good=1 failed=$((failed + 1)); echo "=== $name FAILED"; }
    times+=("$(printf '%4d s  %s' $((SECONDS - begin)) "$name")")
    return $good
}

build() { # DIRECTORY CMAKE_ARGS...
    local dir=$1
    shift
    cmake -S . -B "$dir" -G Ninja -DFRINGE_WERROR=ON -DFRINGE_TESTS=ON "$@" >"$logs/cmake.log" 2>&1 ||
        { cat "$logs/cmake.log"; return 1; }
    ninja -C "$dir" --quiet
}

# Counts what ctest ran; its own verdict is in the counts.
suite() { # DIRECTORY CTEST_ARGS...
    local dir=$1 log total bad skips
    shift
    log=$logs/ctest-${dir//\//-}.log
    # shellcheck disable=SC2086 # words
    ctest --test-dir "$dir" -j "$jobs" --output-on-failure --timeout 900 "$@" ${CTEST_ARGS:-} | tee "$log"
    read -r bad total < <(sed -nE 's/.*tests passed, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$log")
    [ -n "${total:-}" ] || { echo "ctest ran nothing"; return 1; }
    skips=$(grep -cE '\*\*\*Skipped' "$log")
    failed=$((failed + bad))
    skipped=$((skipped + skips))
    passed=$((passed + total - bad - skips))
    grep -hiE '^skip(ped)?:' "$dir/Testing/Temporary/LastTest.log" | sort | uniq
    return 0
}

have_clang() {
    echo 'int main(void) { return 0; }' >"$logs/probe.c"
    clang -fsanitize=address,undefined -fopenmp -o "$logs/probe" "$logs/probe.c" 2>"$logs/probe.log"
}

times=()
if [ "${1:-}" != asan ]; then
    part "build with gcc" build build -DCMAKE_C_COMPILER=gcc &&
        part "suite" suite build
fi
if have_clang; then
    part "build with clang, address and undefined" build build-asan -DCMAKE_C_COMPILER=clang -DFRINGE_SANITIZE=address,undefined &&
        part "suite under address and undefined" suite build-asan -LE 'lint|plain'
    [ ! -x tests/fuzz/run.sh ] || part "fuzzers" tests/fuzz/run.sh
else
    echo "skipped: no clang with sanitizers and OpenMP here; see $logs/probe.log"
    skipped=$((skipped + 1))
fi

echo
printf '%s\n' "${times[@]}"
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
