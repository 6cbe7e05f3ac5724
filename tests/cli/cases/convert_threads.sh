#!/bin/bash
# Text of many pieces is the same for every number of threads: also where one vertex has most edges,
# and for vertices without edges.
fringe gen star:n=30000 --weights random:1,99 -o star.fringe -q
fringe gen kronecker:scale=12,edge_factor=8 --weights random:0,1 --weight-type float64 -o kron.fringe -q
for graph in star kron; do
    for format in mtx gr snap wel el; do
        weights='file'
        [ $format != el ] || weights='none'
        [ $graph.$format != kron.gr ] || continue # whole weights only
        fringe convert $graph.fringe -o one --format $format --weights $weights -q --threads 1 2>error || { cat error; continue; }
        fringe convert $graph.fringe -o more --format $format --weights $weights -q --threads 5
        fringe convert $graph.fringe -o - --format $format --weights $weights -q --threads 3 | cmp one - &&
            cmp one more && echo "$graph.$format: the same, $(wc -l <one) lines, $(cksum <one)"
    done
done
run fringe convert star.fringe -o /dev/full --format mtx -q --threads 5
