#!/bin/bash
# Files of many pieces: every number of threads, and every kind of output file, gets the same bytes.
run fringe gen path:n=100000 -o path.fringe -q
for format in tsv graphalytics npy; do
    fringe bfs path.fringe -s 7 -q --format $format -o one --threads 1
    for threads in 2 5; do
        fringe bfs path.fringe -s 7 -q --format $format -o more --threads $threads
        cmp one more && echo "$format $threads threads: the same"
    done
    fringe bfs path.fringe -s 7 -q --format $format -o - --threads 5 | cmp one - && echo "$format pipe: the same"
    echo before >appended
    fringe bfs path.fringe -s 7 -q --format $format -o - --threads 5 >>appended
    (echo before && cat one) | cmp appended && echo "$format appended: the same"
done
run fringe bfs path.fringe -s 7 -q -o /dev/full --threads 5
(ulimit -f 300; trap '' XFSZ; run fringe bfs path.fringe -s 7 -q -o large.tsv --threads 5)
find . -name '*large*'
run fringe verify path.fringe one -q
