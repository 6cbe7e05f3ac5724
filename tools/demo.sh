#!/bin/sh
# BFS and SSSP on the road graph that the repository ships, both verified.
# usage: tools/demo.sh FRINGE GRAPH
set -eu
fringe=$1 graph=$2
source=1 # the graph's first junction

say() { printf '\n$ %s\n' "$*"; }
run() {
    say fringe "$@"
    "$fringe" "$@"
}

echo "The streets of Amsterdam, junctions and bends as vertices, lengths as weights ($graph)."
run bfs "$graph" -s "$source" --verify
run sssp "$graph" -s "$source" --verify
