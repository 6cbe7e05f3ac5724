#!/bin/bash
# Queries between vertices: algorithms, several paths, pairs, coordinates.
for options in '--algorithm bidirectional' '--algorithm alt' '--landmarks 3' '--paths 1'; do
    read -ra words <<<"$options"
    run fringe path eight.gr -s 1 -t 5 "${words[@]}"
done
run fringe path eight.gr -s 1 -t 5 --paths 3
run fringe path eight.gr -s 1 -t 5 --paths 3 -q -o -
run fringe path eight.gr -s 1 -t 8 --algorithm alt
run fringe path eight.gr -s 3 -t 3 --paths 2
run fringe path eight.mtx -s 1 -t 5 --algorithm bidirectional
printf '# trips\n1 5\n\n1 8\n4 4\n' >trips
run fringe path eight.gr --pairs trips
run fringe path eight.gr --pairs trips --landmarks 2 -q -o -
run fringe path eight.gr --pairs trips -q -o pairs.tsv
cat pairs.tsv
fringe path eight.gr --pairs trips --json | grep -oE '"pairs":[^s]*,"settled"'
fringe path eight.gr -s 1 -t 5 --paths 2 --json | grep -oE '"algorithm":"[a-z]*"|"distance":[0-9]*'
{ echo 'c places' && echo 'p aux sp co 8'; for v in 1 2 3 4 5 6 7 8; do echo "v $v $((v * 10)) -$v.5"; done; } >eight.co
run fringe path eight.gr -s 1 -t 5 --coordinates eight.co
run fringe path eight.gr --pairs trips --coordinates eight.co
head -n 5 eight.co >few.co
run fringe path eight.gr -s 1 -t 5 --coordinates few.co
echo 'v 1 x 2' >wrong.co
run fringe path eight.gr -s 1 -t 5 --coordinates wrong.co
run fringe path eight.gr -s 1 -t 5 --coordinates none.co
printf '1 5 9\n' >wrong
run fringe path eight.gr --pairs wrong
printf '1 99\n' >wrong
run fringe path eight.gr --pairs wrong
printf 'p sp 2 1\na 1 2 -3\n' >minus.gr
run fringe path minus.gr -s 1 -t 2 --paths 2
run fringe path eight.gr -s 1 -t 5 --algorithm astar
run fringe path eight.gr -s 1 -t 5 --algorithm alt --coordinates eight.co
run fringe path eight.gr -s 1 -t 5 --algorithm bidirectional --landmarks 3
run fringe path eight.gr -s 1 --pairs trips
run fringe path eight.gr --paths 2
run fringe path eight.gr -s 1 -t 5 --paths 2 --strategy dijkstra
run fringe path eight.gr -s 1 -t 5 --paths 0
# the field of a line that is wrong
for line in 'v 1 2' 'v x 2 3' 'v 1 1e999 3' 'v 1 2 3 4' '  q'; do
    printf 'c none\n%s\n' "$line" >wrong.co
    run fringe path eight.gr -s 1 -t 5 --coordinates wrong.co
done
