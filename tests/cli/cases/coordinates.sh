#!/bin/bash
# Coordinates of vertices: points in place of ids, the columns x and y of what is written.
{ echo 'p aux sp co 8' && for v in 1 2 3 4 5 6 7 8; do echo "v $v $((v * 10)) -$v.5"; done; } >eight.co
places=(--coordinates eight.co)
run fringe sssp eight.gr -s @21,-2 "${places[@]}" -q -o -
run fringe sssp eight.gr -s 1,@49,-5e0 "${places[@]}" --reached-only -q -o near.csv
cat near.csv
run fringe sssp eight.gr -s @10,-1.5 -t @50,-5 "${places[@]}" --max-distance 3,8 -q -o near.ndjson
cat near.ndjson
run fringe bfs eight.gr -s @10,-2 "${places[@]}" -q -o levels.npy
tr -d '\0' <levels.npy | head -c 200 | grep -oa "'descr.*\]"
run fringe apsp eight.gr -s @10,-2,5 -t @31,-3 "${places[@]}" -q -o -
run fringe path eight.gr -s @10,-2 -t @50,-5 "${places[@]}" -q -o -
run fringe path eight.gr -s 1 -t 8 "${places[@]}" -q -o -
run fringe path eight.gr -s 1 -t 5 --paths 2 "${places[@]}" -q -o -
run fringe path eight.mtx -s 1 -t 5 "${places[@]}" -q -o -
printf '@10,-2\t5\n2 @30,-3.5\n' >trips
run fringe path eight.gr --pairs trips "${places[@]}"
printf '@10,-2\n' >one
run fringe sssp eight.gr --sources-file one "${places[@]}" --closed-vertices one -q -o - --reached-only
# ---- the file is read again ----
for file in near.tsv near.csv; do
    fringe sssp eight.gr -s 1 "${places[@]}" -q -o $file
    run fringe verify eight.gr $file -s 1 | tail -1
done
printf 'vertex\tdistance\tparent\tx\n' >wrong.tsv
run fringe verify eight.gr wrong.tsv -s 1
# ---- what a user may not expect ----
run fringe bfs eight.gr -s @-2,21 "${places[@]}" -o /dev/null | steady
printf 'ann bob\nbob @1,2\n' >names.txt
run fringe bfs names.txt --ids strings -s '"@1,2"' --undirected -q -o -
# ---- what is refused ----
run fringe bfs eight.gr -s @10,-2
run fringe bfs eight.gr -s @10 "${places[@]}"
run fringe bfs eight.gr -s @10,x "${places[@]}"
run fringe bfs eight.gr -s @nan,2 "${places[@]}"
run fringe bfs eight.gr --sources-file one
run fringe bfs eight.gr -s 1 "${places[@]}" -o levels --format graphalytics
run fringe sssp eight.gr -s 1 "${places[@]}" -o d.tsv --mark-negative-cycles
run fringe bfs eight.gr -s 1 --coordinates none.co
run fringe bfs names.txt --ids strings -s ann "${places[@]}"
# ---- real weights, and none ----
printf '1 2 0.5\n2 3 0.25\n1 3 2\n' >real.txt
printf 'v 1 0 0\nv 2 1 0\nv 3 2 0\n' >real.co
run fringe path real.txt -s 1 -t @2,1 --coordinates real.co -q -o -
run fringe path real.txt -s 1 -t 3 --coordinates real.co --weights none -q -o -
