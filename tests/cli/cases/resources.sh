#!/bin/bash
# Exit 4: memory and disk. Nothing half-written stays.
run fringe bfs eight.gr -s 1 -o /dev/full -q
run fringe bfs eight.gr -s 1 -o no/such/folder.tsv -q
run fringe apsp eight.gr -o /dev/full -q --strategy multi-bfs --weights none
run fringe gen kronecker:scale=16 -o big.mtx --max-memory 1M
ls -A
# a closed standard output does not become the report, and a full one is named though it was written to before the end
fringe bench eight.gr --sources 1 --report page.html 2>err.log >&-
echo "exit $?: $(cat err.log)"
head -n 1 page.html
fringe bench eight.gr --sources 1 2>err.log >/dev/full
echo "exit $?: $(cat err.log)"
fringe bfs eight.gr -s 1 -o - -q 2>err.log >/dev/full
echo "exit $?: $(cat err.log)"
