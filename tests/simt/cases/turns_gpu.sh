#!/bin/bash
# `auto` on the GPU where levels turn from pushes to pulls and back, on graphs greater than the
# conformance suite's: every answer checked, and that there were such turns.
turns() { # from the lines of --explain
    awk '$2 == "bottom-up" { pulled = 1 } $2 == "top-down" { back += pulled }
         END { print "turns back to pushes:", back ? "yes" : "no" }'
}
for graph in kronecker:scale=12,edge_factor=8,seed=1 small-world:n=6000,k=16,p=0.02,seed=1; do
    for cost in 100 300; do
        for disable in 0 single-block single-block+aggregated-claims; do
            echo "\$ $graph push_cost_percent=$cost disable=$disable"
            fringe bfs $graph --undirected --simple --backend cuda --strategy auto --sources 3 \
                --verify -q -k push_cost_percent=$cost -k disable=$disable || echo "exit $?"
        done
    done
    fringe bfs $graph --undirected --simple --backend cuda --strategy auto -s 5 -k disable=single-block --explain | turns
done
