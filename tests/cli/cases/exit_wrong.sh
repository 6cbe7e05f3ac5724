#!/bin/bash
# Exit 1: a wrong answer.
run fringe bfs eight.gr -s 1 -o good.tsv -q
run fringe verify eight.gr good.tsv --quiet
sed 's/^5\t3/5\t2/' good.tsv >bad.tsv
run fringe verify eight.gr bad.tsv
run fringe verify eight.gr bad.tsv --json --quiet | sed -E 's/.*"verification":"([a-z]+)".*/\1/'
