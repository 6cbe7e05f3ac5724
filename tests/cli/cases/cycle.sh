#!/bin/bash
# A negative cycle that the first vertex does not reach.
printf '1 2 3\n3 4 1\n4 5 -4\n5 3 2\n' >far.txt
run fringe sssp far.txt -s 1 -q
run fringe cycle far.txt --verify
run fringe cycle far.txt --verify --json 2>/dev/null | grep -o '"negative_cycle":.*]'
printf '1 2 3\n2 1 -3\n' >zero.txt
run fringe cycle zero.txt
run fringe cycle zero.txt --json | grep -o '"negative_cycle":null'
run fringe cycle zero.txt --strategy dijkstra
