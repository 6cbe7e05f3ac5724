#!/bin/bash
# --cache: the copy next to the input, what makes it stale, and why there is none. -o - of a graph.
text() { printf '%b' "$1" >g.txt; }
text '1 2 5\n2 3 6\n'
run fringe sssp g.txt -s 1 -o - -q --cache
ls -A g.*
fringe sssp g.txt -s 1 --cache | grep cached
fringe sssp g.txt -s 1 | grep -c cached
touch -r g.txt before
text '1 2 7\n2 3 6\n' # as long and as old as it was
touch -r before g.txt
run fringe sssp g.txt -s 1 -o - -q --cache
run fringe sssp g.txt -s 1 -o - -q --cache --weights none
run fringe sssp g.txt -s 1 -o - -q --cache
printf X | dd of=g.txt.fringe-cache bs=1 seek=320 conv=notrunc status=none
run fringe sssp g.txt -s 1 -o - -q --cache
rm g.txt.fringe-cache
mkdir g.txt.fringe-cache
fringe bfs g.txt -s 1 --cache 2>note.log >answer.log
cat note.log
grep -c reached answer.log
run fringe bfs g.txt -s 1 -o - -q --cache
printf '1 2 0.1\n2 3 1453438800.33\n' >w.txt
fringe info w.txt | grep weights
fringe info w.txt --weight-type float32 | grep weights
fringe gen path:n=3 -o - --format mtx 2>summary.log | tail -n 3
fringe convert g.txt - --format gr 2>>summary.log | tail -n 3
grep -c written summary.log
