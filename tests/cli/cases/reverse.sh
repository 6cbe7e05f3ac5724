#!/bin/bash
# Traversals against the edges, limits of 0 and parents by rule, each checked.
printf '1 2 0\n2 3 5\n1 3 5\n4 2 1\n' >roads.wel
run fringe sssp roads.wel -s 3 --reverse --verify -q -o -
run fringe bfs roads.wel -s 3 --reverse --verify -q -o there.tsv
run fringe verify roads.wel there.tsv --reverse -q
run fringe verify roads.wel there.tsv -q
run fringe apsp roads.wel -s 3 --reverse --verify -q -o -
run fringe apsp roads.wel --stream --reverse -o x.npy
run fringe sssp roads.wel -s 1 --max-distance 0 --verify -q -o -
run fringe bfs roads.wel -s 1 --max-level 0 --verify -q -o -
printf '1 2 4\n1 3 1\n2 4 1\n3 4 4\n' >tie.wel
run fringe sssp tie.wel -s 1 --parents min-id --verify -q -o -
run fringe sssp tie.wel -s 1 --parents nearest --verify -q -o -
printf '1 2 1\n2 3 -5\n3 1 2\n1 4 1\n' >cycle.wel
run fringe sssp cycle.wel -s 4 --reverse --verify
