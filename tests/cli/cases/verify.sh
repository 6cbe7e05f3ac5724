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
run fringe verify eight.mtx missing.tsv
run fringe verify eight.mtx .
