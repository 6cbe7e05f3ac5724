#!/bin/bash
# Refusals name what an option takes and the way out; an explicit format wins over the suffix.
run fringe bfs eight.gr -s 1 --threads 5000
run fringe bfs eight.gr -s 1 --max-level=-1
run fringe sssp eight.gr -s 1 --max-distance=-1
run fringe graph500 --scale 99
run fringe bfs eight.gr -s 1 --max-memory 0
run fringe info star:n=5 --weight-column 2
run fringe bfs eight.gr -s 1 -o ''
run fringe bfs '' -s 1
run fringe bfs eight.gr -s 1 --tuning-cache ''
run fringe bfs - -s 1 --cache
run fringe bfs eight.gr -s 1 --strategy dijkstra
run fringe sssp eight.gr -s 1 --strategy nonsense
run fringe sssp eight.gr -s 1 --strategy delta-step --knob depth=3
run fringe sssp eight.gr -s 1 --strategy delta-step --knob delta=-3
run fringe sssp eight.gr -s 1 --dist-type float32
run fringe bench eight.gr --strategies serial,nonsense
run fringe bench --suite smoke --strategies dijkstra
# formats
run fringe bfs eight.gr -s 1 -o levels.npy --format tsv -q
head -2 levels.npy
run fringe bfs eight.gr -s 1 -o levels.tsv --format npy -q
head -c 6 levels.tsv | tail -c 5
echo
run fringe convert eight.gr
run fringe convert eight.gr -
run fringe convert eight.gr a.mtx -o b.mtx
run fringe convert eight.gr -o b.mtx -q
run fringe convert b.mtx - --format gr -q
run fringe convert eight.gr -o - --format nonsense
run fringe convert eight.gr out.nonsense
run fringe convert eight.gr out.mtx.gz
# memory: what is taken differs between builds, the limit does not
sizes() { sed -E 's/[0-9.]+ [KMG]?i?B (in addition|in use)/SIZE \1/g'; }
run fringe bfs eight.gr -s 1 --max-memory 1k | sizes
run fringe gen uniform:n=1000000,edges=100000000 -o out.mtx --max-memory 10M | sizes
run fringe graph500 --scale 10 --max-memory 3k | sizes
ls -A
