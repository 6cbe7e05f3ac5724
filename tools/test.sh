#!/bin/bash
# Runs a tier of the tests, stage by stage, as tools/tiers.txt lists them. Ends with the processor time of each stage
# beside its budget, with what was skipped or left out and why, and one line of counts. A stage past one and a half
# times its budget fails; where CI=true so does a skip that tests/lint/ci_skips.txt does not allow.
# usage: tools/test.sh [--changed] TIER [STAGE...]    --changed: without stages whose paths are as on the main branch
#   environment: CTEST_ARGS, e.g. "-R load"; FRINGE_TEST_FACTOR=2: a machine whose cores are half as fast
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
changed_only='' tier=''
[ "${1:-}" != --changed ] || { changed_only=1; shift; }
tier=${1:?which tier}
shift
for name in "${@:-}"; do
    grep -qE "^$tier +${name:+$name }" tools/tiers.txt || { echo "tools/tiers.txt has no stage ${name:+$name }of $tier"; exit 2; }
done
stages=("$@") jobs=$(nproc) begin_all=$SECONDS
export LSAN_OPTIONS=suppressions=$PWD/tests/lint/lsan.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
# Threads that spin at barriers take the processor time of those that they wait for where other programs use the cores.
if awk -v cores="$jobs" '{ exit $1 <= 2 * cores }' /proc/loadavg; then
    echo "other programs use this machine: OMP_WAIT_POLICY=passive"
    export OMP_WAIT_POLICY=passive
fi
logs=build/logs/$tier
mkdir -p "$logs"
rm -f "$logs"/*

# ---- what stages are made of; each leaves counts in $stage.counts and skips in $stage.skips ----

set_up() { tools/setup.sh "$@"; } # GROUP...
python_packages() { # from PyPI; without it the tests of Python are skipped
    tools/test_python.sh --packages-only || [ $? = 77 ]
}

build() { # DIRECTORY TARGET CMAKE_ARGS...
    local dir=$1 target=$2
    shift 2
    cmake -S . -B "$dir" -G Ninja -DFRINGE_WERROR=ON -DFRINGE_TESTS=ON -DFRINGE_CUDA=OFF "$@" >"$stage.cmake" 2>&1 ||
        { cat "$stage.cmake"; return 1; }
    ninja -C "$dir" --quiet "$target"
}

# Counts what ctest ran; its own verdict is in the counts.
suite() { # DIRECTORY CTEST_ARGS...
    local dir=$1 total bad skips
    shift
    # shellcheck disable=SC2086 # words
    ctest --test-dir "$dir" -j "$jobs" --output-on-failure --timeout 100000 "$@" ${CTEST_ARGS:-} | tee "$stage.ctest"
    read -r bad total < <(sed -nE 's/.*tests passed, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$stage.ctest")
    [ -n "${total:-}" ] || { echo "ctest ran nothing"; return 1; }
    skips=$(grep -cE '\*\*\*Skipped' "$stage.ctest")
    echo $((total - bad - skips)) "$bad" "$skips" >>"$stage.counts"
    longest "$dir/Testing/Temporary/LastTest.log"
    note_skips "$dir/Testing/Temporary/LastTest.log" "$stage.ctest"
}

longest() { # LOG: the five tests that took the most processor time
    awk '/ Testing: / { name = $NF } /^processor time: / { print $3 " s " name }' "$1" | sort -rn | head -5 |
        paste -sd, | sed 's/^/the longest: /; s/,/, /g'
}

note_skips() { # LOG...: for the end; fails in CI by one that is not allowed there
    tests/lint/skips.sh "$@" >>"$stage.skips"
    [ "${CI:-}" != true ] || tests/lint/skips.sh --refused "$@"
}

# A test that is no part of ctest's suite.
single() { # NAME COMMAND...
    local name=$1 code=0
    shift
    { echo "1/1 Testing: $name"; "$@" 2>&1; } | tee "$stage.log" || code=${PIPESTATUS[0]}
    case $code in
    0) echo 1 0 0 >>"$stage.counts" ;;
    77) echo 0 0 1 >>"$stage.counts" && note_skips "$stage.log" ;;
    *) return 1 ;;
    esac
}

# The same with packages of those groups.
with() { # GROUP COMMAND...
    set_up build test "$1" && single "$(basename "$stage")" "${@:2}"
}

# ---- stages ----

# Runs in a shell of its own, whose children's processor time is the stage's.
run_stage() { # BUDGET COMMAND
    local begin=$SECONDS code=0 user system spent limit=$(($1 * 3 * ${FRINGE_TEST_FACTOR:-1} / 2)) failed=''
    eval "$2" || code=1
    times >"$stage.times"
    read -r user system < <(tail -1 "$stage.times")
    spent=$(awk -v t="$user $system" 'BEGIN { split(t, p, "[ms ]+"); print int(p[1] * 60 + p[2] + p[3] * 60 + p[4]) }')
    [ "$jobs" -le 4 ] || limit=$((limit * jobs / 4)) # threads that wait for others use processor time on each core
    if [ "$1" -gt 0 ] && [ "$spent" -gt "$limit" ]; then
        echo "$spent s of processor time are more than one and a half times the budget, $1 s;" \
            "FRINGE_TEST_FACTOR=2 allows twice as much on a machine whose cores are half as fast"
        failed=', OVER BUDGET' code=1
    elif [ $code != 0 ]; then
        failed=', FAILED'
    elif grep -qs ' [1-9][0-9]* [0-9]*$' "$stage.counts"; then # of tests
        failed=', FAILED'
    fi
    [ $code = 0 ] || echo 0 1 0 >>"$stage.counts"
    printf '%6d s of %5d  %6d s on the clock  %s%s\n' "$spent" "$1" $((SECONDS - begin)) "$(basename "$stage")" "$failed" >"$stage.line"
    echo "===$(cat "$stage.line")"
}

# What changed since the branch left main, and what is not committed; "all" where nothing can be compared.
changes() {
    local base main
    for main in origin/HEAD origin/main origin/master main; do
        base=$(git merge-base HEAD "$main" 2>/dev/null) && break
    done
    if [ "${base:-$(git rev-parse HEAD)}" = "$(git rev-parse HEAD)" ]; then
        echo all
        return
    fi
    git diff --name-only "$base"
    git ls-files --others --exclude-standard
}

left_out() { # CLASS: is no path of the class changed?
    local paths
    [ -n "$changed_only" ] && [ "$1" != - ] && [ "$changed" != all ] || return 1
    paths=$(awk -v class="$1" '$1 == "class" && $2 == class { print $3 }' tools/tiers.txt)
    ! grep -qE "${paths:-.}" <<<"$changed"
}

# Those that were started at the same time; each prints when all have ended.
wait_for_others() {
    local out
    wait
    for out in "$logs"/*.out; do
        [ -e "$out" ] || continue
        echo "=== at the same time: $(basename "$out" .out)"
        cat "$out"
        rm "$out"
    done
}

changed=$(changes)
names=()
while read -r of name budget class command; do
    [ "$of" = "$tier" ] || continue
    [ ${#stages[@]} = 0 ] || [[ " ${stages[*]} set-up " = *" $name "* ]] || continue
    stage=$logs/$name
    names+=("$name")
    if left_out "$class"; then
        echo "$name: left out, no $class changed since the main branch" | tee "$stage.skips"
    elif [[ $command = *'&' ]]; then
        (run_stage "$budget" "${command%&}") </dev/null >"$stage.out" 2>&1 &
    else
        echo
        echo "=== $((SECONDS - begin_all)) s after the start: $name"
        (run_stage "$budget" "$command") </dev/null
        wait_for_others
    fi
done <tools/tiers.txt
wait_for_others

echo
for name in "${names[@]}"; do cat "$logs/$name.line" 2>/dev/null; done
awk -v clock=$((SECONDS - begin_all)) '{ spent += $1; budget += $4 }
    END { printf "%6d s of %5d  %6d s on the clock  in all\n", spent, budget, clock }' "$logs"/*.line
echo
if cat "$logs"/*.skips 2>/dev/null | grep -q .; then
    echo "skipped, or left out of a test:"
    sort -u "$logs"/*.skips | sed 's/^/  /'
    echo
fi
cat "$logs"/*.counts 2>/dev/null | awk '{ passed += $1; failed += $2; skipped += $3 }
    END { print passed + 0 " passed, " failed + 0 " failed, " skipped + 0 " skipped"; exit failed > 0 }'
