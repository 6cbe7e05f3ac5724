#!/bin/bash
# What a person reads.
run fringe info eight.gr | steady
run fringe info star:n=1000 | steady
run fringe bfs eight.mtx -s 1 --verify --strategy serial | steady
run fringe path eight.mtx -s 1 -t 5
run fringe path eight.mtx -s 1 -t 8
run fringe path eight.mtx -s 3 -t 3
run fringe path eight.mtx -s 1 -t 5 -o - -q
run fringe convert eight.gr out.mtx --weights none --undirected --simple | steady
cat out.mtx
run fringe gen path:n=3 -o p.el --quiet
cat p.el
run fringe apsp eight.mtx --strategy multi-bfs -s 1,6 -o - --quiet
run fringe apsp eight.mtx --strategy multi-bfs -s 1,6 -t 6,2 -o - --quiet --verify
run fringe apsp eight.mtx -t 99 -o - --quiet
printf '\357\273\277from,to,cost,when\n1,2,3,x\n2,3,4,y\n' >names.csv
run fringe info names.csv | steady | sed -n 1,9p
run fringe bfs names.csv -s 1 --strategy serial --explain | steady | grep note
run fringe info names.csv --json | grep -o '"note":"[^"]*"'
run fringe bfs eight.mtx -s 1 --strategy serial --explain | grep note
run fringe convert eight.mtx - --format pajek -q
# What is not read and what is guessed is said; -q is silent.
printf 'id,source,target,weight\n1,10,20,5\n2,20,30,15\n3,10,30,40\n' >id-first.csv
run fringe sssp id-first.csv -s 10 -o - | grep -E '^fringe|^[0-9]'
run fringe sssp id-first.csv -s 10 -o - -q
printf 'a,b,c\n1,2,3\n' >unknown.csv
run fringe info unknown.csv | grep -E '^fringe|weights|note'
printf '1\t2\t1,5\n2\t3\t2,5\n' >comma.tsv
run fringe info comma.tsv
run fringe info comma.tsv --decimal comma | grep weights
run fringe info eight.gr --separator tab
