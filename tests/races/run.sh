#!/bin/bash
# BFS and SSSP under ThreadSanitizer: builds the library with it into build/races, without what it reads and writes, and runs
# traversals.c on five graphs. Fails at a data race, a wrong sum or where no second thread came; 77: it cannot run here.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=build/races flags='-fsanitize=thread -g1 -O1'
mkdir -p build
cmake -S . -B $dir -G Ninja -DFRINGE_LIBRARY_ONLY=ON -DFRINGE_CUDA=OFF -DFRINGE_ARCHIVE=OFF -DFRINGE_TESTS=OFF \
    -DCMAKE_C_FLAGS="$flags" >$dir.log 2>&1 || { cat $dir.log; exit 1; }
nice ninja -C $dir --quiet fringe_static
# shellcheck disable=SC2086 # words
"${CC:-cc}" $flags -std=gnu17 -Wall -Wextra -Werror -Iinclude -fopenmp -o $dir/traversals tests/races/traversals.c $dir/libfringe.a -lm
run=(setarch -R)
"${run[@]}" true 2>/dev/null || run=() # without random addresses, which some versions refuse
if ! "${run[@]}" $dir/traversals undirected 'path:n=100' >$dir.log 2>&1 && grep -q 'FATAL: ThreadSanitizer' $dir.log; then
    echo "skip: ThreadSanitizer cannot start here: $(grep -m 1 FATAL $dir.log)"
    exit 77
fi
status=0
while read -r direction description; do
    "${run[@]}" $dir/traversals "$direction" "$description" || status=1
done <<'G'
directed grid2d:rows=250,cols=250,keep=0.7
directed grid3d:x=30,y=30,z=30
directed random-geometric:n=40000,degree=8
undirected kronecker:scale=13,edge_factor=8
directed rmat:scale=14,edges=100000
G
exit $status
