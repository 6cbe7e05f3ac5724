#!/bin/bash
# Negative weights, negative cycles (exit 1, the cycle printed), sums that leave int32.
run fringe sssp negative.gr -s 1 -o - -q --verify
run fringe sssp cycle.gr -s 1 -o out.tsv --verify
run fringe path cycle.gr -s 1 -t 4
run fringe apsp cycle.gr -o out.tsv -q --strategy johnson
run fringe sssp cycle.gr -s 4 -o - -q
fringe sssp cycle.gr -s 1 --json 2>&1 | grep -o '"negative_cycle":.*\|^fringe.*'
find . -name '*out.tsv*'
printf 'p sp 4 3\na 1 2 2000000000\na 2 3 2000000000\na 3 4 1\n' >big.gr
run fringe sssp big.gr -s 1 --verify | steady
run fringe sssp big.gr -s 1 -o - -q
run fringe sssp big.gr -s 1 --dist-type int32
run fringe apsp big.gr -s 1 -o - -q --strategy johnson
for strategy in johnson floyd-warshall; do run fringe apsp big.gr -q --dist-type int32 --strategy $strategy; done
run fringe sssp big.gr -s 1 --dist-type int32 --strategy bellman-ford
run fringe path big.gr -s 1 -t 4
run fringe sssp cycle.gr -s 1 --mark-negative-cycles --verify -o past.tsv -q
cat past.tsv
run fringe verify cycle.gr past.tsv -s 1 --mark-negative-cycles -q
run fringe verify cycle.gr past.tsv -s 1 -q
sed 's/^3	-inf/3	7/' past.tsv >wrong.tsv
run fringe verify cycle.gr wrong.tsv -s 1 --mark-negative-cycles -q
fringe sssp cycle.gr -s 1 --mark-negative-cycles --verify -o past.npy -q
run fringe verify cycle.gr past.npy -s 1 --mark-negative-cycles -q
fringe sssp cycle.gr -s 1 --mark-negative-cycles --verify --json 2>/dev/null | grep -o '"\(status\|reached\|verification\)":[^,]*' | paste -sd' '
printf 'p sp 3 2\na 1 2 4\na 2 3 -1\n' >both.gr
run fringe sssp both.gr -s 1 -q --undirected
run fringe apsp both.gr -q --undirected -o -
