#!/bin/bash
# Exit 2: what the user should have said.
run fringe
run fringe nonsense
run fringe bfs
run fringe bfs eight.gr
run fringe bfs eight.gr eight.mtx -s 1
run fringe bfs eight.gr -s
run fringe bfs eight.gr -s 1x
run fringe bfs eight.gr -s 99999999999999999999
run fringe bfs eight.gr -s 1,
run fringe bfs eight.gr -s 1 --sources 3
run fringe bfs eight.gr --sources 3 -o x
run fringe bfs eight.gr --sources 0
run fringe bfs eight.gr -s 1 --no-such-option
run fringe bfs eight.gr -s 1 -Z
run fringe bfs eight.gr -s 1 --strategy nonsense
run fringe bfs eight.gr -s 1 --strategy serial --knob depth=3
run fringe bfs eight.gr -s 1 --knob depth
run fringe bfs eight.gr -s 1 -o x --format xml
run fringe bfs eight.gr -s 1 -o - --json
run fringe bfs eight.gr -s 1 --weights random:5
run fringe bfs eight.gr -s 1 --weights random:5,1
run fringe bfs eight.gr -s 1 --weight-type int7
run fringe bfs eight.gr -s 1 --max-memory lots
run fringe bfs eight.gr -s 1 --threads=-1
run fringe bfs eight.gr -s 1 --seed=-1
run fringe gen kronecker:scale=4
run fringe path eight.gr -s 1
run fringe list nonsense
run fringe apsp eight.gr -o x --format graphalytics
run fringe bench eight.gr --strategies nonsense
run fringe help nonsense
run fringe bfs eight.gr -s 1 --format npy
run fringe apsp eight.gr --format npy
run fringe bfs star:n=5 -s 0 --cache
run fringe info star:n=5 --input-format mtx
run fringe info star:n=5 --weight-column w
run fringe gen star:n=3 -o -
run fringe gen star:n=3 -o - --format ldbc
run fringe convert eight.gr - --format el --json
ls -A
# an option with a value that it does not take, abbreviations of several options, a missing second argument
run fringe bfs eight.gr -s 1 --json=yes
run fringe bfs eight.gr -s 1 --max 3
run fringe apsp eight.gr --source=1 -t 2,3 -q -o -
run fringe apsp eight.gr --sources-list=1
run fringe verify eight.gr
run fringe convert
