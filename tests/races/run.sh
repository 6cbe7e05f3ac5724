#!/bin/bash
# Builds the library with ThreadSanitizer into build/races, without what it reads and writes, and runs traversals.c: all strategies
# whose threads are the context's own. OpenMP's have one thread here, as gcc's are not instrumented and their loops look like races.
# Fails at a data race, at a wrong sum, or where a context with teams of all sizes had no second thread; 77: it cannot run here.
set -euo pipefail
cd "$(dirname "$0")/../.."
export OMP_THREAD_LIMIT=1
dir=build/races flags='-fsanitize=thread -g1 -O1'
mkdir -p build
cmake -S . -B $dir -G Ninja -DFRINGE_LIBRARY_ONLY=ON -DFRINGE_CUDA=OFF -DFRINGE_ARCHIVE=OFF -DFRINGE_TESTS=OFF \
    -DCMAKE_C_FLAGS="$flags" >$dir.log 2>&1 || { cat $dir.log; exit 1; }
nice ninja -C $dir --quiet fringe_static
# shellcheck disable=SC2086 # words
"${CC:-cc}" $flags -std=gnu17 -Wall -Wextra -Werror -Iinclude -Isrc -fopenmp -o $dir/traversals tests/races/traversals.c $dir/libfringe.a -lm
run=(setarch -R)
"${run[@]}" true 2>/dev/null || run=() # without random addresses, which some versions refuse
if ! "${run[@]}" $dir/traversals bfs auto undirected unit 'path:n=100' >$dir.log 2>&1 &&
    grep -q 'FATAL: ThreadSanitizer' $dir.log; then
    echo "skip: ThreadSanitizer cannot start here: $(grep -m 1 FATAL $dir.log)"
    exit 77
fi
status=0
while read -r -a trial; do
    "${run[@]}" $dir/traversals "${trial[@]}" || status=1
done <<'G'
bfs auto directed unit grid2d:rows=250,cols=250,keep=0.7
bfs auto directed unit grid3d:x=30,y=30,z=30
bfs auto undirected unit kronecker:scale=13,edge_factor=8
bfs auto directed unit rmat:scale=14,edges=100000
bfs direction-optimizing undirected unit kronecker:scale=13,edge_factor=8
sssp auto directed weighted grid2d:rows=250,cols=250,keep=0.7
sssp auto directed weighted grid3d:x=30,y=30,z=30
sssp auto directed weighted random-geometric:n=40000,degree=8
sssp auto undirected weighted kronecker:scale=13,edge_factor=8
sssp delta-step undirected weighted kronecker:scale=13,edge_factor=8
sssp spira-window directed weighted rmat:scale=14,edges=100000
apsp multi-bfs undirected unit kronecker:scale=10,edge_factor=8
apsp floyd-warshall directed weighted grid2d:rows=20,cols=20
G
exit $status
