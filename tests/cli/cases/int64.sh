#!/bin/bash
# Whole weights beyond int32 are exact, and what does not fit int64 is refused.
printf 'p sp 3 2\na 1 2 9007199254740991\na 2 3 2\n' >b53.gr
printf 'p sp 3 2\na 1 2 9223372036854775806\na 2 3 2\n' >b63.gr
printf 'p sp 3 2\na 1 2 9223372036854775808\na 2 3 2\n' >b64.gr
printf '1 2 9007199254740993\n2 3 .5\n' >mixed.txt
run fringe sssp b53.gr -s 1 -o - -q --verify
for strategy in dijkstra bellman-ford delta-step spira-window; do run fringe sssp b53.gr -s 1 -o - -q --verify --strategy $strategy | grep -E '^3|exit'; done
for strategy in auto floyd-warshall multi-sssp johnson; do run fringe apsp b53.gr -s 1 -o - -q --verify --strategy $strategy | grep -E '3	|exit'; done
run fringe sssp b53.gr -s 1 -o a.npy -q
grep -ao "'distance', '<i8'" a.npy
run fringe verify b53.gr a.npy -s 1 -q
fringe sssp b53.gr -s 1 -o a.tsv -q
sed -i 's/993/994/' a.tsv
run fringe verify b53.gr a.tsv -s 1 -q
fringe path b53.gr -s 1 -t 3 --json | grep -o '"distance":[0-9]*'
fringe info b53.gr | grep weights
fringe info b53.gr --json | grep -o '"weight_m[a-z]*":[0-9]*'
run fringe sssp b53.gr -s 1 -q --dist-type float64
run fringe sssp b53.gr -s 1 -q -o - --weight-type float64
run fringe sssp b53.gr -s 1 -q -o - --max-distance 9007199254740992 --verify
run fringe sssp b53.gr -s 1 -q -o - --max-distance 9007199254740993
run fringe sssp b53.gr -s 1 --cache -q -o -
run fringe sssp b53.gr -s 1 --cache -q -o -
run fringe sssp b63.gr -s 1 -q
run fringe sssp b63.gr -s 1 -q -o - --max-distance 9223372036854774784
run fringe apsp b63.gr -q --strategy floyd-warshall
run fringe sssp b64.gr -s 1 -q
run fringe sssp b64.gr -s 1 -q -o - --weight-type float64
run fringe sssp mixed.txt -s 1 -q
run fringe sssp eight.mtx -s 1 -q -o - --weight-type int64
# a limit that int32 cannot hold (issue D2)
printf '1 2 2000000000\n2 3 2000000000\n3 4 1\n' >b31.txt
for strategy in auto dijkstra bellman-ford delta-step spira-window; do run fringe sssp b31.txt -s 1 --max-distance 5000000000 -q -o - --verify --strategy $strategy | grep -E '^([$]|4)'; done
# sums beyond float32 are float64, as those beyond int32 are int64
printf '0 1 3e38\n1 2 3e38\n' >f38.wel
# shellcheck disable=SC2086 # words
for command in "sssp -s 0" apsp; do run fringe $command f38.wel --weight-type float32 -q -o - --verify; done
