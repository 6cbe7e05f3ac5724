#!/bin/bash
# Of an unknown name the nearest known one, or the one of that meaning, is said; else its kind, if it is a name of
# another kind than the one asked for; of one that is like none nothing is.
run fringe shortest eight.gr
run fringe BFS eight.gr
run fringe help appsp
run fringe bfs eight.gr -s 1 --outpt x
run fringe bfs eight.gr -s 1 --max-distance=3
run fringe sssp eight.gr -s 1 --max-level 3
run fringe bfs eight.gr -s 1 --gpu
run fringe bfs eight.gr -s 1 --nothing-like-it
run fringe bfs eight.gr -s 1 --backend gpu
run fringe centrality eight.gr --measure closenes
run fringe sssp eight.gr -s 1 --strategy dijkstra2
run fringe sssp eight.gr -s 1 --strategy xyzzy
run fringe bench eight.gr --strategies Seriall
run fringe graph500 --scale 5 --strategy seriall
run fringe bfs eight.gr -s 1 --input-format dimacs
run fringe convert eight.gr - --format mxt
run fringe bfs kroneker:scale=3 -s 1
run fringe bfs erdos-renyi:n=5 -s 0
run fringe list strategiez
run fringe list Generator
# names of another kind
run fringe list kronecker
run fringe list delta-stepping
run fringe list mtx
run fringe list sssp
run fringe list smoke
run fringe list threads
run fringe list gpu
run fringe list nothing-like-it
run fringe explain eight.gr
run fringe help kronecker
run fringe bench --suite kronecker
run fringe bfs eight.gr -s 1 --strategy kronecker
run fringe bfs eight.gr -s 1 --backend delta-stepping
run fringe convert eight.gr - --format uniform
run fringe bfs serial:n=5 -s 0
run fringe bench --suite smok
run fringe bench --suite microbnch
# a size without a unit
run fringe bfs eight.gr -s 1 --max-memory 10
run fringe bfs eight.gr -s 1 --max-memory 10B
# an option of other commands
run fringe path eight.gr --reverse
run fringe verify eight.gr x --paths 3
run fringe list --threads 2
