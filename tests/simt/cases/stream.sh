#!/bin/bash
# The matrix made in its file, gone on with, and refused.
graph=uniform:n=150,edges=900,seed=1
weights=(--weights "random:1,255")
parts=(--knob tile=64 --knob stream=64)

fringe apsp $graph "${weights[@]}" -q --backend cpu -o right.npy
run fringe apsp $graph "${weights[@]}" -q --stream "${parts[@]}" --verify -o matrix.npy
cmp right.npy matrix.npy && echo "the same file"
ls matrix.npy*
hash=$(fringe info $graph "${weights[@]}" --json | sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p')
printf 'fringe apsp --stream 1\nhash %s\nn 150\ntype int32\npivots 64\n' "$hash" >matrix.npy.part
mv matrix.npy matrix.npy.tmp
run fringe apsp $graph "${weights[@]}" --stream "${parts[@]}" -o matrix.npy | grep -E 'resumed|written'
cmp right.npy matrix.npy && echo "the same file"
printf 'fringe apsp --stream 1\nhash 0\n' >matrix.npy.part
run fringe apsp $graph "${weights[@]}" -q --stream -o matrix.npy
run fringe apsp $graph -q --stream -o matrix.tsv
run fringe apsp $graph -q --stream -s 1 -o matrix.npy
