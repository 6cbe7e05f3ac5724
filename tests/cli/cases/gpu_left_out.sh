#!/bin/bash
# A strategy that runs on a GPU only, in a build without GPU strategies: the reason, whatever the backend; CMake leaves
# this case out where they are built.
run fringe sssp eight.mtx -s 1 -q --strategy multi-device
run fringe sssp eight.mtx -s 1 -q --strategy multi-device --backend cuda
run fringe bfs eight.mtx -s 1 -q --strategy hier-queue --backend cpu
run fringe bfs eight.mtx -s 1 -q --strategy hier
run fringe bfs eight.mtx -s 1 -q --strategy near-far
# no build has it: wrong usage, not what this build lacks
run fringe sssp eight.mtx -s 1 -q --strategy dijkstra --backend cuda
run fringe apsp eight.mtx -q --strategy auto --backend cuda
run fringe bfs eight.mtx -s 1 -q --backend cuda
# bench and graph500 give the same reasons, before they measure anything
run fringe bench eight.mtx --strategies serial,hier-queue
run fringe bench eight.mtx --strategies hier
run fringe bench eight.mtx --backend cuda
run fringe bench --suite smoke --strategies hier-queue
run fringe bench --suite smoke --backend cuda
run fringe graph500 --scale 4 --strategy hier-queue
run fringe graph500 --scale 4 --strategy near-far
run fringe graph500 --scale 4 --backend cuda
# every other command that asks for a GPU: the same exit code
run fringe components eight.mtx -q --backend cuda
run fringe centrality eight.mtx -q --measure closeness --backend cuda
run fringe centrality eight.mtx -q --measure closeness --devices 0,1
run fringe bfs eight.mtx -s 1 -q --devices all
run fringe bfs eight.mtx -s 1 -q --devices 0,1
run fringe path eight.mtx -s 1 -t 2 --backend cuda
run fringe tune eight.mtx --backend cuda --tuning-cache t.tsv -q
run fringe bench --suite microbench --backend cuda
run fringe apsp eight.mtx --stream -o x.npy --strategy floyd-warshall
run fringe bfs eight.mtx -s 1 --ranks --backend cuda
run fringe list devices
fringe list strategies | tail -1
# doctor names what this build lacks besides what the machine does, and succeeds
fringe doctor | grep -o 'GPU used .*this build has no GPU strategies'
run fringe doctor --json | grep -oE '"gpu_used":(true|false)|\(exit .*'
