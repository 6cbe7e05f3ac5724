#!/bin/bash
# The trace that the persistent kernels of `auto` write for --explain: over all levels or rounds, and
# all launches of 1,024 of them, the edges sum to the answer's, and each launch's last record
# has the edges that only its end knows.
compares() { # FIELD: whether the edges of the level list sum to that field of the answer
    tr '{[' '\n' | awk -v field="\"$1\":" '
        function number(key) { return substr($0, index($0, key) + length(key)) + 0 }
        index($0, field) && !total { total = number(field) }
        /^"method":/ { levels++; sum += number("\"edges\":") }
        END { print "more than one launch:", (levels > 1024 ? "yes" : "no")
              print "edges sum:", (total && sum == total ? "right" : sum " instead of " total) }'
}
for graph in kronecker:scale=9,seed=1 grid2d:rows=24,cols=24 path:n=1300; do
    echo "\$ bfs $graph"
    fringe bfs $graph --undirected --backend cuda --strategy auto -s 5 --explain --json | compares reached_edges
    echo "\$ sssp $graph"
    fringe sssp $graph --undirected --weights random:1,9 --backend cuda --strategy auto -s 5 \
        -k hops=0 --explain --json | compares edges_examined
done
