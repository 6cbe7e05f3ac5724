#!/bin/bash
# Results of other programs.
printf '1 0\n2 1\n3 1\n4 2\n5 3\n6 9223372036854775807\n7 9223372036854775807\n8 9223372036854775807\n' >ldbc.txt
run fringe verify eight.mtx ldbc.txt -s 1 | steady
printf 'vertex\tdistance\n1\t0\n2\t3.0\n3\t1\n4\t8\n5\t11\n6\tinf\n7\tInfinity\n8\tinf\n' >plain.tsv
run fringe verify eight.gr plain.tsv -s 1 | steady
run fringe verify eight.gr plain.tsv -s 2 -q
sed 's/^5\t11/5\t10/' plain.tsv >wrong.tsv
run fringe verify eight.gr wrong.tsv -s 1 -q
sed 's/^5\t11/5\t11.5/' plain.tsv >wrong.tsv
run fringe verify eight.gr wrong.tsv -s 1 -q
sed '$d' plain.tsv >short.tsv
run fringe verify eight.gr short.tsv -q
sed 's/^8/9/' plain.tsv >strange.tsv
run fringe verify eight.gr strange.tsv -q
sed 's/^8/7/' plain.tsv >twice.tsv
run fringe verify eight.gr twice.tsv -q
sed 's/^8.*/8 x/' plain.tsv >junk.tsv
run fringe verify eight.gr junk.tsv -q
printf 'node\tdistance\n' >head.tsv
run fringe verify eight.gr head.tsv -q
printf '1 0\n2 1\n3 1\n4 2\n5 3\n6 7\n7 7\n8 7\n' >unsaid.txt
run fringe verify eight.mtx unsaid.txt -q
run fringe verify eight.mtx unsaid.txt -q --problem bfs
# Sums of float32 are off by more than those of doubles, and by no more than they may be.
grid=grid2d:rows=20,cols=20
options=(-s 0 -q --weights "random:0.5,9.5")
for out in f.tsv f.npy; do
    fringe sssp $grid "${options[@]}" --weight-type float32 -o $out
    run fringe verify $grid $out "${options[@]}" --weight-type float32
    run fringe verify $grid $out "${options[@]}" --dist-type float32
done
run fringe verify $grid f.npy "${options[@]}"
fringe verify $grid f.tsv "${options[@]}" 2>&1 | grep -o "wrong answer"
sed -E '5s/(\.[0-9]{3})[0-9]*/\14/' f.tsv >wrong.tsv
fringe verify $grid wrong.tsv "${options[@]}" --dist-type float32 2>&1 | grep -o "wrong answer"
run fringe verify eight.mtx missing.tsv
run fringe verify eight.mtx .
