#!/bin/bash
# Every format on standard input, plain and compressed: read as from a file, or a sentence that says what to do.
data=$(dirname "$(realpath "$0")")/../../data
levels() { fringe bfs - -s "$1" -q -o - "${@:2}" 2>&1 | head -n 3 | paste -sd' '; }
for name in eight.fringe eight.mtx eight.gr eight.net eight.txt eight.csv eight.el eight.wel eight.graph eight-010.graph \
    eight-111.graph eight.sg eight.wsg eight.v eight.mtx.gz eight.tar.gz; do
    echo "$name: $(levels 1 <"$data/$name")"
    [[ $name == *.gz ]] || echo "$name, compressed: $(gzip -c "$data/$name" | levels 1)"
done
for format in el wel sg wsg metis ldbc; do
    name=eight.$format
    case $format in metis) name=eight.graph ;; ldbc) name=eight.v ;; esac
    echo "--input-format $format: $(levels 1 --input-format $format <"$data/$name")"
done
# a triangle in METIS, whose lines could be edges; edge lists whose first line could be the head of METIS
printf '3 3\n2 3\n1 3\n1 2\n' | fringe info - | grep -E '^(vertices|edges)'
# the same with an empty line at the end, as some files of the 10th DIMACS challenge have it
printf '3 3 0\n2 3 \n1 3 \n1 2 \n\n' | fringe info - | grep -E '^(vertices|edges)'
for edges in '1 0' '1 1\n1 2' '2 1\n1 2\n2 1' '3 4\n4 5'; do
    printf '%b\n' "$edges" | fringe convert - - --format snap -q | paste -sd' '
done
