#!/bin/bash
# Binary files that were written earlier: .fringe of each version of its layout, and results. They are read, and the
# same bytes are written again. A new version of the layout gets a file of its own; the others stay as they are.
data=$(dirname "$(realpath "$0")")/../../data
for name in eight eight-float64 eight-int64 eight-names three-ids; do
    case $name in eight-names) source=0 ;; three-ids) source=10 ;; *) source=1 ;; esac
    cp "$data/$name.fringe" .
    echo "$name: version $(od -An -tu1 -j12 -N1 $name.fringe | tr -d ' '), from $source:" \
        "$(fringe sssp $name.fringe -s "$source" -q -o - | cut -f1,2 | paste -sd' ')"
    fringe convert $name.fringe -q -o again.fringe && cmp $name.fringe again.fringe
done
fringe sssp eight.fringe -s 1 -q -o sssp.npy && cmp sssp.npy "$data/eight-sssp.npy" && echo "eight-sssp.npy: the same"
fringe apsp eight.fringe -s 1,2 -q -o rows.npy && cmp rows.npy "$data/eight-rows.npy" && echo "eight-rows.npy: the same"
