#!/bin/bash
# Measures all that docs/performance.md tabulates of fringe, at one commit on one host with a GPU, in about seven minutes,
# and writes its lines in the form of bench/results/measured.jsonl. Two cores measure the CPU while the others serve the GPU.
#   bench/measured.sh BUILD GRAPHS GAPBS PIGO OUTPUT [PART...]
# BUILD: a folder with fringe and bench/. GRAPHS: the folder of cnr-2000 and osm-moscow-roads. GAPBS: the folder of its
# bfs, sssp and converter. PIGO: the folder of pigo.hpp. PART: first (answers on two cores), load, calls (beside other
# programs), types (SSSP by type of weights), bfs, sssp (the suites), microbench, graph500; all by default. README's
# tables take calls and types. A table has lines of one commit, and first and load need GAPBS and PIGO, others do not.
set -eu
case "${1:-}" in -h | --help) sed -n 2,9p "$0"; exit 0 ;; esac
[ $# -ge 5 ] || { sed -n 4p "$0" >&2; exit 2; }
build=$(realpath "$1") graphs=$2 gapbs=$3 pigo=$4 output=$5
shift 5
all="first load calls types bfs sssp microbench graph500" # the last one's lines would give fields to lines behind them
wanted=" ${*:-$all} "
here=$(dirname "$0") fringe=$build/fringe date=$(date +%F) parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
cores=$(nproc)
[ "$cores" -ge 8 ] || { echo "needs a host of 8 cores" >&2; exit 2; }
others=2-$((cores - 1))

dated() { sed "s/^{/{\"date\": \"$date\", /"; }
suite() { "$fringe" bench --suite "$@" --backend cuda | dated; }

first() {
    for problem in bfs sssp; do
        "$here/in_turns.py" first-answer --gapbs "$gapbs" --problem $problem --threads 2 --deltas 1,64 \
            --peer-sources 1 --output "$parts/first" "$build" >&2
    done
}

load() { "$here/load.py" --fringe "$fringe" --gapbs "$gapbs" --pigo "$pigo" >"$parts/load"; }

calls() {
    for problem in bfs sssp; do
        "$here/in_turns.py" call --graphs "$graphs" --problem $problem --output "$parts/calls" \
            --only kron21 --only kron24 --only uniform --only lj-like --only wiki-like --only cnr-2000 --only lattice \
            --only grid3d --only moscow "$build" >&2
    done
}

types() { "$here/by_type.py" --backend cuda --graphs "$graphs" --output "$parts/types" "$fringe" >&2; }
bfs() { suite gpu --graphs "$graphs" --strategies auto,bfs4k,xbfs >"$parts/bfs"; }
sssp() {
    suite gpu-sssp --graphs "$graphs" --strategies auto --problem sssp | grep -v '"variant"' >"$parts/sssp"
}
microbench() { suite microbench >"$parts/microbench"; }

# The rates of Graph500, with all cores to check the answers and for the CPU's own; after the rest.
graph500() {
    host=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
    for run in "22 cpu" "22 cuda" "24 cuda"; do
        # shellcheck disable=SC2086 # two words
        set -- $run
        [ "$2" = cpu ] && where='' || where="\"host\": \"$host, $cores threads\", "
        "$fringe" graph500 --scale "$1" --backend "$2" --json | dated | sed "s/^{/{$where/"
    done >"$parts/graph500"
}

# Runs those of the parts that are wanted, in a shell on the cores of $1.
run_parts() {
    local on=$1 part
    shift
    for part; do
        case "$wanted" in *" $part "*) echo "$part" ;; esac
    done | taskset -c "$on" bash -c "$functions; set -eu -o pipefail; while read -r part; do
        begin=\$SECONDS; \$part </dev/null; echo \"\$part: \$((SECONDS - begin)) s\" >&2; done"
}
# shellcheck disable=SC2086 # words
functions=$(declare -f dated suite $all)
functions+="; $(declare -p here graphs gapbs pigo build fringe parts date cores)"

run_parts 0,1 first load &
cpu=$!
run_parts "$others" calls types bfs sssp microbench
wait $cpu
run_parts "0-$((cores - 1))" graph500
for part in $all; do
    [ ! -e "$parts/$part" ] || cat "$parts/$part"
done >"$output"
