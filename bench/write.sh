#!/bin/bash
# GB/s at which fringe writes answers and graphs, compared with the ways to write a file at all.
# usage: BUILD=build bench/write.sh [FOLDER [VERTICES [RUNS]]]     default: /dev/shm 16777216 5
# The answers are from a complete tree; the time is write_ns of --json, the median of RUNS.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
folder=$(mktemp -d "${1:-/dev/shm}/fringe-write.XXXXXX")
trap 'rm -rf "$folder"' EXIT
vertices=${2:-16777216}
runs=${3:-5}

# NAME FILE COMMAND...: runs the command, which writes FILE, and prints the rate.
rate() {
    local name=$1 file=$2 times=()
    shift 2
    for ((run = 0; run < runs; run++)); do
        rm -f "$file"
        times+=("$("$build/fringe" "$@" --json | sed -E 's/.*"write_ns":([0-9]+).*/\1/')")
    done
    printf '%s\n' "${times[@]}" | sort -n | sed -n "$(((runs + 1) / 2))p" |
        awk -v name="$name" -v bytes="$(stat -c %s "$file")" \
            '{ printf "%-24s %8.1f MB %8.1f ms %6.2f GB/s\n", name, bytes / 1e6, $1 / 1e6, bytes / $1 }'
}

"$build/bench/bench_write" "$folder" 320
levels=$folder/levels.fringe distances=$folder/distances.fringe
"$build/fringe" gen "tree:n=$vertices" -o "$levels" -q
"$build/fringe" gen "tree:n=$vertices" --weights random:0,1 --weight-type float64 -o "$distances" -q
solve=(-s 0 --backend cpu --no-tuning-cache)
rate "levels, npy" "$folder/x.npy" bfs "$levels" "${solve[@]}" -o "$folder/x.npy"
rate "levels, tsv" "$folder/x.tsv" bfs "$levels" "${solve[@]}" -o "$folder/x.tsv"
rate "levels, graphalytics" "$folder/x" bfs "$levels" "${solve[@]}" -o "$folder/x" --format graphalytics
rate "distances, npy" "$folder/x.npy" sssp "$distances" "${solve[@]}" -o "$folder/x.npy"
rate "distances, tsv" "$folder/x.tsv" sssp "$distances" "${solve[@]}" -o "$folder/x.tsv"
for format in fringe mtx gr snap el sg; do
    rate "graph, $format" "$folder/x" convert "$levels" -o "$folder/x" --format $format
done
