#!/bin/bash
# Every strategy of the table gives the same levels and distances.
rows() { fringe list strategies | awk -v p="$1" '$1 == p && $2 == "cpu" { print $3 }'; }
graph=kronecker:scale=7,seed=3
fringe bfs $graph -s 5 -q --strategy serial -o - | cut -f1,2 >levels.tsv
for s in $(rows bfs); do
    fringe bfs $graph -s 5 -q --strategy "$s" --verify -o - | cut -f1,2 | cmp - levels.tsv
done
fringe sssp $graph --weights random:1,99 -s 5 -q --strategy dijkstra -o - | cut -f1,2 >distances.tsv
for s in $(rows sssp); do
    fringe sssp $graph --weights random:1,99 -s 5 -q --strategy "$s" --verify -o - |
        cut -f1,2 | cmp - distances.tsv
done
fringe apsp $graph -q --strategy multi-bfs -o - >pairs.tsv
for s in $(rows apsp); do
    fringe apsp $graph -q --strategy "$s" --verify -o - | cmp - pairs.tsv
done
wc -l <pairs.tsv
# Where every edge counts the same, the levels of BFS are the distances, and the summary says so.
fringe sssp path:n=5 -s 0 | grep strategy
fringe sssp path:n=5 -s 0 --weights random:1,9 | grep strategy
