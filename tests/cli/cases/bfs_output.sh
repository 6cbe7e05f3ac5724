#!/bin/bash
# The contract of the output file of `fringe bfs`.
run fringe bfs eight.mtx -s 1 -o - --quiet
run fringe bfs eight.mtx -s 1,7 -o out.tsv --quiet --verify --parents min-id
cat out.tsv
run fringe bfs eight.gr -s 1 -o - -q --max-level 1
run fringe bfs eight.gr -s 1 -o - -q --targets 3 --strategy serial
run fringe bfs eight.gr -s 6 -o - -q --format graphalytics
find . -name '*out.tsv*'
# The graph itself, also by another name: refused before anything is written; convert may replace it.
ln -s eight.mtx other.mtx
run fringe bfs eight.mtx -s 1 -q -o other.mtx --format tsv
run fringe components eight.mtx -q -o ./eight.mtx --format tsv
head -n 1 eight.mtx
run fringe convert eight.mtx eight.mtx -q --simple
# A link is followed, also to a file that does not exist.
mkdir folder
ln -s folder/new.tsv link.tsv
fringe bfs eight.gr -s 1 -q -o link.tsv
head -1 folder/new.tsv
[ -L link.tsv ] && echo "still a link"
ln -s around.tsv around.tsv
run fringe bfs eight.gr -s 1 -q -o around.tsv
