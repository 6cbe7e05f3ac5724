#!/bin/bash
# Where an answer may not be the one that was meant, a line on standard error says so, once, and with -q nothing does.
said() { # what stands on standard error
    echo "\$ fringe $*"
    { fringe "$@" >/dev/null; } 2>&1
}
printf '1 2 5\n2 3 1\n3 1 1\n3 4 2\n' >once.txt
said sssp once.txt -s 4
said sssp once.txt -s 4 -q
said sssp once.txt -s 4 --undirected
said sssp once.txt -s 4 --reverse
said bfs once.txt -s 1,4
said apsp once.txt -s 4 -o rows.tsv --json
said bfs star:n=5 -s 0
echo "a source with nothing around it"
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 1\n2 1\n' >alone.mtx
said bfs alone.mtx -s 3
said apsp alone.mtx
said apsp alone.mtx --max-distance 1
said apsp once.txt -q
echo "few vertices are reached"
{ seq 2 100 | sed 's/.*/& 1/'; echo 1 101; } >in.txt
said bfs in.txt -s 1
said bfs in.txt -s 1 --max-level 1
{ cat in.txt; awk '{ print $2, $1 }' in.txt; seq 200 2 500 | awk '{ print $1, $1 + 1 }'; seq 200 2 500 | awk '{ print $1 + 1, $1 }'; } >twice.txt
said bfs twice.txt -s 200
echo "columns, and names that are integers"
printf '1 2 5 1082040961\n2 3 1 1082040962\n' >four.txt
said sssp four.txt -s 1
said sssp four.txt -s 1 -q
printf 'a,b,c\n1,2,3\n2,3,4\n' >header.csv
said sssp header.csv -s 1
said sssp once.txt --ids strings -s 1
said sssp once.txt --ids strings -s 1 -q
said sssp once.txt --ids auto -s 1
printf '1 2\n2 x\n' >names.txt
said bfs names.txt --ids strings -s 1
# ---- decimal commas in a table that commas divide ----
printf 'from,to,cost\n5,6,"2,5"\n' >commas.csv
run fringe info commas.csv --decimal comma
