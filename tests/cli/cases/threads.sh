#!/bin/bash
# Threads or memory that the system refuses: exit 4 with a message, never 1, which says that an
# answer is wrong. Without --threads there are as many threads as can be had.
limited() { (ulimit -v "$1" && shift && "$@"); }
graph=uniform:n=2000,edges=8000,seed=1
run limited 400000 "$FRINGE" bfs $graph -s 1 -q -j 200 | sed -E 's/^\$.*-j 200/$ -j 200/; s/start only [0-9]+ of/start only N of/'
run limited 400000 "$FRINGE" bfs $graph -s 1 -q -j 0 | sed -E 's/^\$.*-j 0/$ -j 0/'
limited 400000 "$FRINGE" bfs $graph -s 1 -j 200 --json 2>/dev/null | grep -o '"status":.*"exit_code":4'
