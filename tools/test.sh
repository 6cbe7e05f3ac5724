#!/bin/bash
# Builds and runs the whole test suite, stage by stage: with gcc, then with clang under
# AddressSanitizer and UndefinedBehaviorSanitizer, the fuzzers for a short while; at last, at the same time, the Python
# package, the documentation site and the first commands on a bare Debian. Ends with the time of each stage, what was
# skipped and why, and one line of counts. Where CI=true a skip that tests/lint/ci_skips.txt does not allow is a failure.
# usage: tools/test.sh [asan]    environment: CTEST_ARGS, e.g. "-R load", without the last three
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
jobs=$(nproc)
passed=0 failed=0 skipped=0 stage_number=0
export OMP_WAIT_POLICY=passive # spinning threads cost other tests their cores
export LSAN_OPTIONS=suppressions=$PWD/tests/lint/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
logs=build/logs
mkdir -p "$logs"
: >"$logs/skips"
begin_all=$SECONDS times=()

# A stage is a shell function; its failure counts as one failed test.
stage() { # NAME FUNCTION ARGS...
    local name=$1 begin=$SECONDS code=0 line
    shift
    stage_number=$((stage_number + 1))
    echo
    echo "=== stage $stage_number, $((begin - begin_all)) s after the start: $name"
    "$@" || code=1
    [ $code = 0 ] || failed=$((failed + 1))
    printf -v line '%5d s  %s%s' $((SECONDS - begin)) "$name" "$([ $code = 0 ] || echo ', FAILED')"
    times+=("$line")
    echo "===$line"
    return $code
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
    note_skips "$dir/Testing/Temporary/LastTest.log" "$log"
}

note_skips() { # LOG...: for the end; fails in CI by one that is not allowed there
    tests/lint/skips.sh "$@" >>"$logs/skips"
    [ "${CI:-}" != true ] || tests/lint/skips.sh --refused "$@"
}

# A test that is no part of ctest's suite.
single() { # NAME COMMAND...
    local name=$1 code=0 log=$logs/$1.log
    shift
    { echo "1/1 Testing: $name"; "$@" 2>&1; } | tee "$log" || code=${PIPESTATUS[0]}
    if [ "$code" = 77 ]; then
        skipped=$((skipped + 1))
        note_skips "$log"
    elif [ "$code" = 0 ]; then
        passed=$((passed + 1))
    else
        return 1
    fi
}

# Tests that leave cores idle, at the same time; each prints when all have ended.
side_by_side() { # SCRIPT...
    local code=0 script
    for script; do
        { "$script" >"$logs/$(test_name "$script").out" 2>&1; echo $? >"$logs/$(test_name "$script").code"; } &
    done
    wait
    for script; do single "$(test_name "$script")" replay "$(test_name "$script")" || code=1; done
    return $code
}
test_name() { basename "${1/test_/}" .sh; } # SCRIPT
replay() { # NAME
    cat "$logs/$1.out"
    return "$(cat "$logs/$1.code")"
}

have_clang() {
    echo 'int main(void) { return 0; }' >"$logs/probe.c"
    clang -fsanitize=address,undefined -fopenmp -o "$logs/probe" "$logs/probe.c" 2>"$logs/probe.log"
}
clang_missing() {
    echo "skip: no clang with sanitizers and OpenMP here; see $logs/probe.log"
    return 77
}

kernels=ON
[ "${CI:-}" != true ] || nvidia-smi -L >"$logs/gpus" 2>&1 || kernels=OFF # no GPU is there to run them
if [ "${1:-}" != asan ]; then
    stage "build with gcc" build build -DCMAKE_C_COMPILER=gcc -DFRINGE_CUDA_OPTIMIZE=$kernels &&
        stage "suite" suite build
fi
if have_clang; then
    stage "build with clang, address and undefined" build build-asan -DCMAKE_C_COMPILER=clang -DFRINGE_SANITIZE=address,undefined &&
        stage "suite under address and undefined" suite build-asan -LE 'lint|plain'
    stage "fuzzers" single fuzzers tests/fuzz/run.sh
else
    stage "suite under address and undefined, fuzzers" single clang clang_missing
fi
[ -n "${1:-}${CTEST_ARGS:-}" ] ||
    stage "the Python package, the documentation site, the first commands on a bare Debian" \
        side_by_side tools/test_python.sh tools/site.sh tests/lint/bare_root.sh

echo
printf '%s\n' "${times[@]}"
printf '%5d s  in all\n' $((SECONDS - begin_all))
echo
if [ -s "$logs/skips" ]; then
    echo "skipped, or left out of a test:"
    sort -u "$logs/skips" | sed 's/^/  /'
    echo
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
