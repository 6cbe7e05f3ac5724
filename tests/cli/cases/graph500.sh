#!/bin/bash
# The Graph500 procedure: the reference code's lines, counts that do not depend on time, exit codes.
steady_values() {
    sed -E '/time:|TEPS|validate:|generation|transfer/s/ [0-9.e+-]+$/ N/; s/^(device|fringe): .*/\1: .../'
}
fringe graph500 --scale 9 --seed 5 --strategy serial,dijkstra | steady_values
echo "exit ${PIPESTATUS[0]}"
fringe graph500 --scale 5 --edge-factor 4 --sources 3 --problem bfs --strategy direction-optimizing | steady_values |
    grep -vE '^bfs .* N$'
fringe graph500 --scale 1 --edge-factor 1 --seed 2 --problem sssp --dist-type float64 --strategy dijkstra |
    grep -E 'NBFS|nedge|validation'
run fringe graph500
run fringe graph500 --scale 31
run fringe graph500 --scale 5 --strategy nix
run fringe graph500 --scale 5 --strategy serial,dijkstra,auto
run fringe graph500 --scale 5 --strategy serial,direction-optimizing
run fringe graph500 --scale 5 --strategy serial,
fringe graph500 --scale 5 --strategy auto,serial | grep '^bfs *strategy'
run fringe graph500 --scale 5 --strategy dijkstra --problem bfs
run fringe graph500 --scale 20 --max-memory 300M | sed -E "s/[0-9]{5,}/N/g; s/[0-9.]+ [KMG]?i?B (in addition|in use)/SIZE \\1/g"

# Ctrl-C.
"$FRINGE" graph500 --scale 22 2>err.log &
pid=$!
handles_interrupt $pid
sleep 1
kill -INT $pid
wait $pid
echo "exit $?"
wc -l <err.log
