#!/bin/bash
# Binary files that were written earlier: .fringe of each version of its layout, and results. They are read, and the
# same bytes are written again. A new version of the layout gets a file of its own; the others stay as they are.
data=$(dirname "$(realpath "$0")")/../../data
for name in eight eight-pattern eight-float32 eight-float64 eight-int64 eight-names three-ids; do
    case $name in eight-names) source=0 ;; three-ids) source=10 ;; *) source=1 ;; esac
    cp "$data/$name.fringe" .
    echo "$name: version $(od -An -tu1 -j12 -N1 $name.fringe | tr -d ' '), from $source:" \
        "$(fringe sssp $name.fringe -s "$source" -q -o - | cut -f1,2 | paste -sd' ')"
    fringe convert $name.fringe -q -o again.fringe && cmp $name.fringe again.fringe
done

result() { # KEPT VERIFIED COMMAND...: is what the command writes now; VERIFIED: a result that `fringe verify` reads
    fringe "${@:3}" -q -o "$1" && cmp "$1" "$data/$1" && echo "$1: the same" &&
        { [ -z "$2" ] || fringe verify eight.fringe "$data/$1" -s 1 | grep '^verified'; }
}
result eight-bfs.npy read bfs eight.fringe -s 1 --parents min-id
result eight-sssp.npy read sssp eight.fringe -s 1
result eight-sssp.npz '' sssp eight-float32.fringe -s 1
result eight-rows.npy '' apsp eight.fringe -s 1,2
