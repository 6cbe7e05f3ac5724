#!/bin/bash
# What is reached within limits, the distances of the targets, and merged sources.
spoken() { { fringe "$@" >summary; } 2>&1; }
run fringe sssp eight.gr -s 1 --max-distance 3,8 -q -o -
fringe sssp eight.gr -s 1 --max-distance 8,3,1 | sed -n '/^within/,$p'
run fringe sssp eight.gr -s 1 --max-distance 3 -q -o -
run fringe sssp eight.gr -s 1 --max-distance 3 --reached-only --verify -q -o -
run fringe sssp eight.gr -s 1 --max-distance 3.5,8 --weight-type float64 -q -o - --format csv
run fringe bfs eight.gr -s 1 --max-level 1 --reached-only -q -o - --format ndjson
run fringe bfs eight.gr -s 1 --reached-only -q -o part.npz
run fringe sssp eight.gr -s 1 --reached-only
run fringe sssp eight.gr -s 1 --reached-only -o x --format graphalytics
run fringe sssp eight.gr -s 1 --max-distance 3,8 --mark-negative-cycles -o x
run fringe sssp eight.gr -s 1 --max-distance 3,
run fringe sssp eight.gr -s 1 --max-distance 3,-1
run fringe sssp eight.gr -s 1 --max-distance 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17
# ---- targets ----
for command in bfs sssp; do
    fringe $command eight.gr -s 1 -t 2,8,3 | grep -E '^(level|distance)'
    fringe $command eight.gr -s 1 -t 2,8 --json | grep -o '"targets":[^]]*\]'
done
fringe gen path:n=30 -q -o path.el
fringe bfs path.el -s 0 -t 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23 | tail -2
# ---- merged sources ----
run fringe sssp eight.gr -s 1,2 -q
spoken sssp eight.gr -s 1,2
spoken bfs eight.gr -s 1,2,3
spoken bfs eight.mtx -s 1,2
spoken sssp eight.gr -s 1
