#!/bin/bash
# Measures all that docs/performance.md tabulates of fringe, at one commit on one host with a GPU, in about seven minutes,
# and writes its lines in the form of bench/results/measured.jsonl. Two cores measure the CPU while the others serve the GPU.
#   bench/measured.sh BUILD GRAPHS GAPBS PIGO OUTPUT [PART...]
# BUILD: a folder with fringe and bench/. GRAPHS: the folder of cnr-2000 and osm-moscow-roads. GAPBS: the folder of its
# bfs, sssp and converter. PIGO: the folder of pigo.hpp. PART, all by default: first (answers on two cores), load; calls
# (beside other programs), types (of weights), both for README; bfs, sssp (the suites), microbench; graph500.
set -eu
case "${1:-}" in -h | --help) sed -n 2,7p "$0"; exit 0 ;; esac
[ $# -ge 5 ] || { sed -n 4p "$0" >&2; exit 2; }
build=$(realpath "$1") graphs=$2 gapbs=$3 pigo=$4 output=$5
shift 5
only="$*" here=$(dirname "$0") fringe=$build/fringe date=$(date +%F) parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
cores=$(nproc)
[ "$cores" -ge 8 ] || { echo "needs a host of 8 cores" >&2; exit 2; }
others=2-$((cores - 1))

dated() { sed "s/^{/{\"date\": \"$date\", /"; }
wanted() { case " ${only:-$1} " in *" $1 "*) echo "$1: from $SECONDS s" >&2 ;; *) return 1 ;; esac; }

cpu() {
    for problem in bfs sssp; do
        ! wanted first || "$here/in_turns.py" first-answer --gapbs "$gapbs" --problem $problem --threads 2 --deltas 1,64 \
            --peer-sources 1 --output "$parts/first" "$build"
    done
    ! wanted load || "$here/load.py" --fringe "$fringe" --gapbs "$gapbs" --pigo "$pigo" >"$parts/load"
}

gpu() {
    for problem in bfs sssp; do
        ! wanted calls || "$here/in_turns.py" call --graphs "$graphs" --problem $problem --output "$parts/calls" \
            --only kron21 --only kron24 --only uniform --only lj-like --only wiki-like --only cnr-2000 --only lattice \
            --only grid3d --only moscow "$build"
    done
    ! wanted types || "$here/by_type.py" --backend cuda --graphs "$graphs" --output "$parts/types" "$fringe"
    ! wanted bfs || "$fringe" bench --suite gpu --backend cuda --graphs "$graphs" --strategies auto,bfs4k,xbfs |
        dated >"$parts/bfs"
    ! wanted sssp || "$fringe" bench --suite gpu-sssp --backend cuda --graphs "$graphs" --strategies auto --problem sssp |
        grep -v '"variant"' | dated >"$parts/sssp"
    ! wanted microbench || "$fringe" bench --suite microbench --backend cuda | dated >"$parts/microbench"
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

names=$(declare -p here graphs gapbs pigo build fringe parts date only)
taskset -c 0,1 bash -c "$(declare -f cpu wanted); $names; set -eu; cpu" >&2 &
cpu=$!
taskset -c "$others" bash -c "$(declare -f gpu dated wanted); $names; set -eu -o pipefail; gpu" >&2
wait $cpu
! wanted graph500 || graph500
for part in calls first load types bfs sssp microbench graph500; do
    [ ! -e "$parts/$part" ] || cat "$parts/$part"
done >"$output"
