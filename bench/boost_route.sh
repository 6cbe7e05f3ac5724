#!/bin/bash
# Routes compared with the Boost Graph Library (Debian's libboost-graph-dev): A* and Dijkstra that stops at the target,
# the same random pairs, the same distances, one thread, five rounds in turns. The time is the mean of a query.
# usage: FRINGE=build/fringe bench/boost_route.sh GRAPH.gr COORDINATES.co [PAIRS]
set -euo pipefail
fringe=${FRINGE:-build/fringe} count=${3:-60}
[ $# -ge 2 ] || { sed -n 2,4p "$0"; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unpack() { case $1 in *.zst) zstd -qdc "$1" ;; *) cat "$1" ;; esac }
unpack "$1" >"$work/graph.gr"
unpack "$2" >"$work/graph.co"
program=${BOOST_ROUTE:-$work/boost_route}
[ -x "$program" ] || "${CXX:-c++}" -std=c++17 -O3 -DNDEBUG bench/micro/boost_route.cc -o "$program"
vertices=$(awk '/^p sp/ { print $3; exit }' "$work/graph.gr")
awk -v n="$vertices" -v k="$count" 'BEGIN { srand(1); for (i = 0; i < k; i++) print int(rand() * n) + 1, int(rand() * n) + 1 }' >"$work/pairs"

routes() { # OPTIONS...: distances to $work/fringe, prints microseconds per query
    "$fringe" path "$work/graph.gr" --pairs "$work/pairs" --threads 1 -q "$@" -o "$work/table"
    tail -n +2 "$work/table" >"$work/fringe"
    "$fringe" path "$work/graph.gr" --pairs "$work/pairs" --threads 1 "$@" --json |
        sed -E 's/.*"query_ns": ?([0-9]+).*/\1/' | awk -v k="$count" '{ printf "%.1f\n", $1 / k / 1e3 }'
}
for round in 1 2 3 4 5; do
    "$program" "$work/graph.gr" "$work/graph.co" "$work/pairs" >"$work/boost" 2>"$work/times"
    awk -v r="$round" '{ print "round " r ", boost " $2 ": " $4 " us" }' "$work/times"
    for way in "astar --coordinates $work/graph.co" bidirectional alt; do
        read -ra words <<<"$way"
        echo "round $round, fringe ${words[0]}: $(routes --algorithm "${words[@]}") us"
        cmp "$work/boost" "$work/fringe" || { echo "the distances differ"; exit 1; }
    done
done
echo "the distances are the same"
