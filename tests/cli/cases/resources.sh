#!/bin/bash
# Exit 4: memory and disk. Nothing half-written stays.
run fringe bfs eight.gr -s 1 -o /dev/full -q
run fringe bfs eight.gr -s 1 -o no/such/folder.tsv -q
run fringe apsp eight.gr -o /dev/full -q --strategy multi-bfs --weights none
run fringe gen kronecker:scale=16 -o big.mtx --max-memory 1M
ls -A
