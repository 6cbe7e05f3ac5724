#!/bin/bash
# Brings faults that were mended back, one at a time, and measures how long the random test takes to find each.
#
#   tests/random/prove.sh [NAME...]   NAME: of reverts/NAME.patch; all of them by default
#
# The faults of GPUs (A*) are searched with kernels on the host, the others on the CPU. SEED: the commit's unless
# set; LIMIT: 600 seconds each. Prints a row of reverts/README.md for each, and fails if one is not found. Clones of the
# commit are patched and built in a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
limit=${LIMIT:-600}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # TREE TARGET
    local options=(-DFRINGE_WERROR=ON -DFRINGE_TESTS=ON -DFRINGE_CUDA=OFF)
    cmake -S "$1" -B "$1/build" -G Ninja "${options[@]}" &&
        nice ninja -C "$1/build" -j "${JOBS:-2}" "$2"
}

# Reads what the test prints: seed, seconds, cases and the first line of the first mismatch, crash or hang.
first_report() {
    local begin=$EPOCHREALTIME end line what='' seed='' number=''
    while [ -z "$number" ] && read -r line; do
        case $line in
        MISMATCH* | 'crash in'* | 'a call takes too long'* | 'ended by'*) what=${what:-$line} ;;
        esac
        if [[ $what && $line =~ seed\ ([0-9]+),\ case\ ([0-9]+) ]]; then
            seed=${BASH_REMATCH[1]} number=${BASH_REMATCH[2]}
        fi
    done
    end=$EPOCHREALTIME
    cat >/dev/null # until the test has ended: it writes a smaller case
    [ -n "$number" ] || return 1
    what=${what#MISMATCH seed *, case *: }
    awk -v from="$begin" -v to="$end" -v seed="$seed" -v rest="$((number + 1)) | ${what//|//}" \
        'BEGIN { printf "%s | %.1f | %s\n", seed, to - from, rest }'
}

prove() { # NAME
    local tree=$work/$1 target=random_interface backend=cpu program row
    case $1 in A*) target=random_interface_simt backend=cuda ;; esac
    git clone -q --shared "$PWD" "$tree" && git -C "$tree" apply "$PWD/tests/random/reverts/$1.patch" || return 1
    build "$tree" "$target" >"$work/$1.log" 2>&1 || { tail -20 "$work/$1.log"; return 1; }
    program=$(find "$tree/build/tests" -type f -name "$target")
    row=$(first_report < <(cd "$tree" && exec timeout $((limit + 60)) "$program" ${SEED:+--seed "$SEED"} \
        --seconds "$limit" --backend $backend --shrink-seconds 1 --found "$work/found" 2>&1)) ||
        { echo "$1: not found in $limit s"; return 1; }
    echo "| $1 | $(head -n 1 "tests/random/reverts/$1.patch") | $row |"
}

[ $# -gt 0 ] || { set -- tests/random/reverts/*.patch; set -- "${@##*/}"; set -- "${@%.patch}"; }
status=0
for name in "$@"; do
    prove "$name" || status=1
done
exit $status
