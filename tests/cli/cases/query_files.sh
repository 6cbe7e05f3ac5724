#!/bin/bash
# Sources and targets from files, and the routes of many pairs.
printf '1\n# a comment\n4\n' >sources
printf '5\n8\n2\n' >targets
run fringe apsp eight.gr --sources-file sources --targets-file targets -q -o -
run fringe sssp eight.gr --sources-file sources -q -o -
echo 2 | run fringe bfs eight.gr --sources-file - -t 5 -q -o -
run fringe path eight.gr --sources-file sources --targets-file targets
run fringe path eight.gr --sources-file sources -t 5 --routes
run fringe path eight.gr -s 1 --targets-file targets --routes --landmarks 2 -q -o -
printf '1 5\n5 1\n3 4\n' >pairs
run fringe path eight.gr --pairs pairs --routes
run fringe path eight.gr --pairs pairs --routes -q -o - --format ndjson
printf 'new york\tb b\nb b\tc\n' >named.txt
printf 'new york\tc\nc\tnew york\n' | run fringe path named.txt --ids strings --pairs - --routes -q -o - --format json
run fringe path named.txt --ids strings -s 'new york' -t c --paths 2 -q -o - --format ndjson
fringe path eight.gr --pairs pairs --routes --json | grep -o '"pairs":.*\]\]'
fringe gen path:n=30001 -q -o path.el
seq 0 29999 >many
fringe apsp path.el -s 30000 --targets-file many --undirected -q -o - | tail -2
fringe bfs path.el --sources-file many --undirected 2>&1 | grep merged
# ---- what is refused ----
printf '1\n9\n' >wrong
printf '1 2\n' >two
: >empty
run fringe path eight.gr --pairs empty
for file in wrong two empty missing; do
    run fringe sssp eight.gr --sources-file $file -q
done
run fringe sssp eight.gr -s 1 --sources-file sources
run fringe apsp eight.gr --sources 2 --sources-file sources
run fringe bfs eight.gr -s 1 -t 2 --targets-file targets
run fringe bfs - --sources-file - </dev/null
run fringe path eight.gr --sources-file - --targets-file - </dev/null
run fringe path eight.gr --sources-file sources
run fringe path eight.gr --sources-file sources -t 5 --paths 2
run fringe path eight.gr --pairs pairs --sources-file sources
run fringe path eight.gr -s 1 -t 5 --routes
run fringe path eight.gr --pairs pairs --routes -o x.npy
