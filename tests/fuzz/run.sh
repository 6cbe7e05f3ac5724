#!/bin/bash
# Builds the fuzzers with clang and runs each for a short while, two at a time.
# usage: tests/fuzz/run.sh [SECONDS_EACH] [NAME...]     seconds: 4 unless given; names: all
# A crash leaves its input in build-fuzz/found/ and the exit status is 1. Findings that were fixed
# become seeds: tests/fuzz/seeds/NAME/.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-4}
[ $# = 0 ] || shift
build="build-fuzz"
names=("$@")
[ ${#names[@]} -gt 0 ] || names=(mtx snap el wel gr pajek metis npz tntp adj bin sg wsg fringe names ldbc packed)

if ! command -v clang >/dev/null; then
    echo "skip: the fuzzers need clang"
    exit 77
fi
mkdir -p "$build/found"
cmake -S . -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DFRINGE_FUZZ=ON -DFRINGE_CUDA=OFF \
    -DFRINGE_SANITIZE=address,undefined >"$build/cmake.log" 2>&1 || { cat "$build/cmake.log"; exit 1; }
ninja -C "$build" --quiet "${names[@]/#/fuzz_}" || exit 1

# The seeds of a reader: the files of the tests in its format, and inputs that once broke it.
seed() { # NAME CORPUS
    local patterns
    case $1 in
    mtx) patterns="eight*.mtx" ;;
    snap) patterns="eight.txt eight.csv eight.el" ;;
    names) patterns="eight.txt eight.csv" ;;
    metis) patterns="eight*.graph" ;;
    pajek) patterns="eight*.net" ;;
    npz) ;; # what decompress.c makes of eight*.npz is among the seeds
    packed) patterns="eight*.npz eight.mtx.gz eight.*.xz eight.*.bz2 eight.*.zst eight.tar.gz" ;;
    ldbc) { cat tests/data/eight.v; echo %; cat tests/data/eight.e; echo %; cat tests/data/eight.properties; } >"$2/eight" ;;
    *) patterns="eight.$1" ;;
    esac
    # shellcheck disable=SC2086 # patterns are several words
    [ -z "${patterns:-}" ] || (cd tests/data && cp $patterns "$OLDPWD/$2/")
    [ ! -d "tests/fuzz/seeds/$1" ] || cp "tests/fuzz/seeds/$1"/* "$2/"
}

fuzz() { # NAME
    local corpus=$build/corpus/$1 log=$build/$1.log
    mkdir -p "$corpus"
    seed "$1" "$corpus"
    if ! "$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -max_len=4096 -artifact_prefix="$build/found/$1-" "$corpus" >"$log" 2>&1; then
        tail -60 "$log"
        echo "fuzz_$1 FAILED"
        return 1
    fi
    echo "fuzz_$1: $(sed -nE 's/^Done ([0-9]+) runs.*/\1 inputs/p' "$log"), none broke it"
}

export -f fuzz seed
export build seconds
printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'fuzz {}'
