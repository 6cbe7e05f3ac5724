#!/bin/bash
# Components and centrality on the GPU: the same files as from the CPU, and verified.
graph=kronecker:scale=6,seed=3
same() { # COMMAND...
    for backend in cpu cuda; do
        run fringe "$@" --backend $backend -q -o $backend.tsv
    done
    cmp cpu.tsv cuda.tsv && echo "the same $(wc -l <cpu.tsv) lines"
}
same components $graph --verify
same components $graph --directed
same components $graph --undirected --strong
same components $graph --directed --strong --verify
same centrality $graph --undirected --measure closeness
same centrality $graph --directed --measure closeness --reached-only
same centrality star:n=40 --undirected
same centrality $graph --undirected --measure eccentricity
same centrality $graph --directed --weights random:1,9 --measure eccentricity
same centrality $graph --directed --weights random:1,9 --measure closeness
same centrality star:n=40 --undirected --weights random:0.5,1.5
run fringe centrality $graph --samples 40 --backend cuda --json | grep -o '"samples":[0-9]*'
run fringe centrality $graph --backend cuda --max-gpu-mem 2K
run fringe components $graph --backend cuda --max-gpu-mem 100B
