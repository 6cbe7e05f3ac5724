#!/bin/bash
# Closed vertices and edges: traversals, paths, all pairs, checks of their results.
printf '1 2 1\n2 3 1\n1 4 5\n4 3 5\n3 5 1\n2 3 7\n' >roads.wel
printf '2 3\n' >bridge.txt
printf '# repaired next week\n\n2\n' >works.txt
run fringe sssp roads.wel -s 1 --closed-edges bridge.txt --verify -q -o -
run fringe sssp roads.wel -s 1 --closed-vertices works.txt --verify -q -o there.tsv
run fringe verify roads.wel there.tsv --closed-vertices works.txt -q
run fringe verify roads.wel there.tsv -q
run fringe sssp roads.wel -s 3 --reverse --closed-edges bridge.txt --verify -q -o -
run fringe bfs roads.wel -s 1 --strategy direction-optimizing --closed-edges bridge.txt --closed-vertices works.txt --verify -q -o -
run fringe apsp roads.wel -s 1,2 -t 5 --closed-vertices works.txt --verify -q -o -
run fringe path roads.wel -s 1 -t 5
run fringe path roads.wel -s 1 -t 5 --closed-edges bridge.txt
run fringe path roads.wel -s 1 -t 5 --closed-edges bridge.txt --algorithm bidirectional
printf '3 2\n' >back.txt
run fringe sssp roads.wel --undirected -s 1 --closed-edges back.txt --verify -q -o -
run fringe sssp roads.wel -s 1 --closed-edges back.txt
run fringe sssp roads.wel -s 1 --closed-edges works.txt
printf '9\n' >lost.txt
run fringe sssp roads.wel -s 1 --closed-vertices lost.txt
printf '1x\n' >word.txt
run fringe sssp roads.wel -s 1 --closed-vertices word.txt
run fringe sssp roads.wel -s 1 --closed-vertices none.txt
run fringe sssp roads.wel -s 1 --closed-vertices .
printf '\xef\xbb\xbf5\r\n' >marked.txt
fringe sssp roads.wel -s 1 --closed-vertices marked.txt | grep closed
run fringe apsp roads.wel --stream -o x.npy --closed-vertices works.txt
fringe bfs roads.wel -s 1 --closed-vertices works.txt | grep closed
# ---- a road in both directions, one of them closed, read from texts and from a binary copy ----
printf 'p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 1\na 3 2 1\n' >roads.gr
echo 1 2 >one
fringe sssp roads.gr -s 2 --closed-edges one -q -o -
fringe info roads.gr | grep '^edges'
fringe convert roads.gr -o roads.fringe -q
fringe convert roads.gr -o roads.mtx -q
for file in roads.fringe roads.mtx; do
    for direction in --directed --undirected; do
        run fringe sssp $file -s 2 --closed-edges one $direction --drop-parallel -q -o -
    done
    run fringe sssp $file -s 2 --closed-edges one -q -o -
    run fringe centrality $file --measure betweenness -q -o -
done
