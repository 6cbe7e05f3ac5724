#!/bin/bash
# Ids that are strings: read, solved, written, verified and converted by name.
printf 'from,to,km\n"Doe, ""J""",ann,3\nann,bob,2\nbob,Zürich,1\nbob,"Doe, ""J""",1\nZürich,New York,5\n' >roads.csv
run fringe info roads.csv --ids strings | grep -E "vertices|note"
run fringe info roads.csv --ids auto | grep note
run fringe sssp roads.csv --ids strings -s ann -o - -q
run fringe bfs roads.csv --ids strings -s 'ann,"Doe, ""J"""' -t 'New York' -o - -q
run fringe convert roads.csv --ids strings -o roads.fringe -q
run fringe sssp roads.fringe -s ann -o dist.tsv -q
run fringe verify roads.fringe dist.tsv -s ann -q
sed -i 's/8/7/' dist.tsv
run fringe verify roads.fringe dist.tsv -s ann -q
run fringe path roads.fringe -s ann -t 'New York'
run fringe path roads.fringe -s ann -t 'New York' --json | grep -o '"path":.*\]'
printf 'ann\tNew York\nNew York\tann\n' >pairs.tsv
run fringe path roads.fringe --pairs pairs.tsv
run fringe components roads.fringe --strong -o - -q
run fringe apsp roads.fringe -s ann -t bob -o - -q
run fringe apsp roads.fringe -s ann --max-distance 3 --parents any -o - -q
printf 'New York\n' >works.txt
printf 'bob\tDoe, "J"\n' >bridge.txt
run fringe sssp roads.fringe -s ann --closed-vertices works.txt --closed-edges bridge.txt --verify -o - -q
run fringe path roads.fringe -s ann -t '"Doe, ""J"""' --closed-edges bridge.txt
printf 'New York\tann\n' >none.txt
run fringe bfs roads.fringe -s ann --closed-edges none.txt
run fringe bfs roads.fringe -s ann --closed-vertices pairs.tsv
run fringe bfs roads.fringe -s ann --closed-vertices roads.csv
run fringe convert roads.fringe -o again.tsv -q
cat again.tsv
run fringe convert roads.fringe -o again.csv -q
cat again.csv
run fringe sssp again.csv --ids strings -s ann -o - -q
run fringe convert roads.fringe -o roads.mtx
run fringe bfs roads.fringe -s ann -o level.npy -q
run fringe bfs roads.fringe -s nobody
run fringe bfs roads.csv -s ann
run fringe bfs roads.csv --ids strings --id-base 1 -s ann
