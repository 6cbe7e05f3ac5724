#!/bin/bash
# GNU's OpenMP ends the process by exit(1) where it gets no threads. The command makes it 4: 1 says
# that an answer is wrong.
ldd "$FRINGE" | grep -q libgomp || { echo "skip: built with another OpenMP than GNU's"; exit 77; }
ulimit -v 400000
export OMP_STACKSIZE=1G
run fringe bfs uniform:n=2000,edges=8000,seed=1 -s 1 -q -j 2 --strategy direction-optimizing |
    grep -v '^$\|^libgomp'
