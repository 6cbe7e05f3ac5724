#!/bin/bash
# Scores, the diameter, sampling, and options that a measure does not have.
printf '1 2\n2 3\n3 4\n2 4\n4 5\n7 8\n' >net.txt
for measure in betweenness closeness harmonic eccentricity; do
    run fringe centrality net.txt --undirected --measure $measure -q -o -
done
run fringe centrality net.txt --undirected --normalized -q -o scores.tsv
head -3 scores.tsv
run fringe centrality net.txt --measure closeness --reached-only -q -o -
run fringe centrality net.txt --undirected --measure diameter --json | grep -o '"\(diameter\|radius\|traversals\)":[0-9.]*'
run fringe centrality net.txt --undirected --measure harmonic | steady
run fringe centrality grid2d:rows=20,cols=20 --samples 50 --normalized --json | grep -o '"\(normalized\|samples\|error_bound\)":[a-z0-9.]*'
run fringe centrality grid2d:rows=20,cols=20 --samples 50 | grep -c 'with a probability of 95 %'
run fringe centrality net.txt --measure closeness --samples 3
run fringe centrality net.txt --reached-only
run fringe centrality net.txt --measure diameter -o -
run fringe centrality net.txt -o scores.npy -q
head -n 1 scores.npy | tr -cd "[:print:]\n"
run fringe centrality net.txt --measure pagerank
run fringe centrality net.txt --weights random:0,0
run fringe centrality net.txt --measure eccentricity --weights random:0.5,1.5 --backend cuda
