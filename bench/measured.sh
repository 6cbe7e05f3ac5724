#!/bin/bash
# Measures all that docs/performance.md tabulates of fringe, at one commit on one host with a GPU, in about six minutes,
# and writes its lines in the form of bench/results/measured.jsonl. Two cores measure the CPU while the others serve the GPU.
#   bench/measured.sh BUILD GRAPHS GAPBS PIGO OUTPUT
# BUILD: a folder with fringe and bench/. GRAPHS: the folder of cnr-2000 and osm-moscow-roads. GAPBS: the folder of its
# bfs, sssp and converter. PIGO: the folder of pigo.hpp.
set -eu
case "${1:-}" in -h | --help) sed -n 2,6p "$0"; exit 0 ;; esac
[ $# = 5 ] || { sed -n 4p "$0" >&2; exit 2; }
build=$(realpath "$1") graphs=$2 gapbs=$3 pigo=$4 output=$5
here=$(dirname "$0") fringe=$build/fringe date=$(date +%F) parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
cores=$(nproc)
[ "$cores" -ge 8 ] || { echo "needs a host of 8 cores" >&2; exit 2; }
others=2-$((cores - 1))

dated() { sed "s/^{/{\"date\": \"$date\", /"; }

cpu() {
    for problem in bfs sssp; do
        "$here/in_turns.py" first-answer --gapbs "$gapbs" --problem $problem --threads 2 --deltas 1,64 \
            --peer-sources 1 --output "$parts/first" "$build"
    done
    "$here/load.py" --fringe "$fringe" --gapbs "$gapbs" --pigo "$pigo" >"$parts/load"
}

gpu() {
    for problem in bfs sssp; do
        "$here/in_turns.py" call --graphs "$graphs" --problem $problem --output "$parts/calls" \
            --only kron21 --only kron24 --only uniform --only lj-like --only wiki-like --only cnr-2000 --only lattice \
            --only grid3d --only moscow "$build"
    done
    "$fringe" bench --suite gpu --backend cuda --graphs "$graphs" --strategies auto,bfs4k,xbfs | dated >"$parts/bfs"
    "$fringe" bench --suite gpu-sssp --backend cuda --graphs "$graphs" --strategies auto --problem sssp |
        grep -v '"variant"' | dated >"$parts/sssp"
    "$fringe" bench --suite microbench --backend cuda | dated >"$parts/microbench"
}

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

taskset -c 0,1 bash -c "$(declare -f cpu); $(declare -p here gapbs pigo build fringe parts); set -eu; cpu" >&2 &
cpu=$!
taskset -c "$others" bash -c "$(declare -f gpu dated); $(declare -p here graphs build fringe parts date); set -eu -o pipefail; gpu" >&2
wait $cpu
graph500
cat "$parts"/{calls,first,load,bfs,sssp,microbench,graph500} >"$output"
