#!/bin/bash
# Numbers that a file gets: the shortest text that reads back the same.
printf '1 2 0.1\n1 3 1e-7\n1 4 123456.789\n1 5 0.30000000000000004\n1 6 5e-324\n1 7 1.7976931348623157e308\n1 8 3\n1 9 2.5e15\n1 10 1234567890123456.5\n' >numbers.txt
run fringe sssp numbers.txt -s 1 --strategy dijkstra -o - -q
