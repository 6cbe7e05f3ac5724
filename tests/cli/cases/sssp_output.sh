#!/bin/bash
# The contract of the output file of `fringe sssp`.
run fringe sssp eight.gr -s 1 -o - --quiet --strategy dijkstra
run fringe sssp eight.gr -s 1 -o out.tsv -q --format graphalytics --strategy dijkstra
cat out.tsv
run fringe sssp eight.gr -s 1 -o - -q --strategy dijkstra --dist-type int64 --max-distance 3
printf '1 2 0.1\n2 3 0.2\n1 3 0.75\n3 4 1e300\n4 5 16777217\n' >float.txt
run fringe sssp float.txt -s 1 -o - -q --strategy dijkstra --verify
run fringe sssp float.txt -s 1 -o - -q --strategy dijkstra --weight-type float32 --max-distance 9
run fringe sssp eight.gr -s 1 -o OUT.CSV -q --strategy dijkstra
head -2 OUT.CSV
