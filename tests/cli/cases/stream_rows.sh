#!/bin/bash
# The matrix made in its file some rows at a time, gone on with, and refused.
graph=uniform:n=300,edges=1800,seed=1
weights=(--weights "random:1,255")

fringe apsp $graph "${weights[@]}" -q --backend cpu -o right.npy
run fringe apsp $graph "${weights[@]}" -q --backend cpu --stream --verify -o matrix.npy
cmp right.npy matrix.npy && echo "the same file"
ls matrix.npy*
hash=$(fringe info $graph "${weights[@]}" --json | sed -n 's/.*"hash": *"\([0-9a-f]*\)".*/\1/p')
printf 'fringe apsp --stream 1\nhash %s\nn 300\ntype int32\nrows 200\n' "$hash" >matrix.npy.part
mv matrix.npy matrix.npy.tmp && echo older >matrix.npy
run fringe apsp $graph "${weights[@]}" --backend cpu --stream -o matrix.npy | grep -E 'strategy|resumed|written'
cmp right.npy matrix.npy && echo "the same file"
printf 'fringe apsp --stream 1\nhash %s\nn 300\ntype int32\npivots 200\n' "$hash" >matrix.npy.part
run fringe apsp $graph "${weights[@]}" -q --backend cpu --stream -o matrix.npy
rm matrix.npy.part

# An older file stays until the new one is complete; a link is followed, also to nothing.
echo older >old.npy
run fringe apsp path:n=3000000 -q --backend cpu --stream -o old.npy | sed "s/matrix: .*/matrix/"
ls old.npy*
cat old.npy
mkdir folder
ln -s folder/target.npy link.npy
fringe apsp $graph "${weights[@]}" -q --backend cpu --stream -o link.npy
cmp right.npy folder/target.npy && [ -L link.npy ] && echo "the same file"

fringe apsp $graph -q --backend cpu -o hops.npy
run fringe apsp $graph --backend cpu --stream -o matrix.npy | grep strategy
cmp hops.npy matrix.npy && echo "the same file"
below=(--weights "potential:0,255,200")
fringe apsp $graph "${below[@]}" -q --backend cpu --strategy floyd-warshall -o below.npy
run fringe apsp $graph "${below[@]}" --backend cpu --stream -o matrix.npy | grep strategy
cmp below.npy matrix.npy && echo "the same file"
run fringe apsp $graph -q --backend cpu --strategy floyd-warshall --stream -o matrix.npy
run fringe apsp $graph -q --strategy auto --backend cpu --stream -o matrix.npy
cmp hops.npy matrix.npy && echo "the same file"
# Without a GPU, and nothing asked for, the CPU makes the rows.
[ -e /dev/nvidiactl ] || fringe apsp $graph -q --stream -o matrix.npy
cmp hops.npy matrix.npy && echo "the same file"
