#!/bin/bash
# Exit 3: what is wrong with the input, and where.
# shellcheck disable=SC2059 # the text has escapes
bad() { printf "$1" >"bad.$2"; shift 2; run fringe info "bad.${SUFFIX:-mtx}" "$@"; }
mtx() { SUFFIX=mtx bad "$1" mtx; }
banner='%%%%MatrixMarket matrix coordinate integer general\n'
run fringe info missing.mtx
mkdir folder
run fringe info folder
mtx ''
mtx "$banner"
mtx "${banner}2 2 2\n1 2 3\n"
mtx "${banner}2 2 1\n1 2 3\n2 1 3\n"
mtx "${banner}2 2 1\n0 2 3\n"
mtx "${banner}2 2 1\n1 3 3\n"
mtx "${banner}-2 -2 1\n1 2 3\n"
mtx "${banner}3000000000 3000000000 1\n1 2 3\n"
mtx "${banner}2 2 2000000000000\n1 2 3\n"
mtx "${banner}2 2 1\n1 2 99999999999999999999\n"
mtx "${banner}2 2 1\n1 2 3 junk\n"
real='%%%%MatrixMarket matrix coordinate real general\n'
mtx "${real}2 2 1\n1 2 1e400\n"
mtx "${real}2 2 1\n1 2 nan\n"
mtx '%%%%MatrixMarket matrix coordinate complex general\n2 2 1\n1 2 1 1\n'
mtx '%%%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n'
SUFFIX=gr bad 'p sp 2 1\na 1 3 4\n' gr
SUFFIX=txt bad '1 2\n3 x\n' txt
SUFFIX=txt bad 'x1 2\n2 3\n' txt
SUFFIX=txt bad '1 2\n2 3 4\n' txt
SUFFIX=txt bad '1 2\n2\n' txt
SUFFIX=el bad '0 99999999\n' el
run fringe info bad.el --max-memory 100M | sed "s, [0-9]* B in use, N B in use,"
SUFFIX=gml bad 'graph [\n' gml
SUFFIX=bin bad '\001\002\377\000\003' bin
run fringe bfs eight.gr -s 9
run fringe bfs eight.gr -s 1 --targets 0
run fringe sssp negative.gr -s 1 --strategy dijkstra
run fringe sssp negative.gr -s 1 --strategy delta-step
run fringe apsp negative.gr --strategy multi-sssp
run fringe info eight.gr --input-format nonsense
run fringe info kronecker:scale=nonsense
printf '1 2\n2 x\n' | run fringe info -
printf '1 2\n2 3\n' | run fringe convert - - --format el --quiet
printf '1 2\n2 3\n' | run fringe convert - -
run fringe info - --cache <eight.gr
run fringe convert eight.gr last.el
run fringe convert eight.gr last.el --weights none
run fringe convert eight.gr last.xyz
run fringe convert eight.gr whole.fringe --quiet
cp whole.fringe broken.fringe
size=$(stat -c %s broken.fringe)
printf '\377' | dd of=broken.fringe bs=1 seek=$((size / 2)) conv=notrunc status=none
run fringe bfs broken.fringe -s 1
# A file that cannot be written is refused before the graph is read.
run fringe bfs none.txt -s 1 -o no/such/levels.tsv
run fringe convert none.txt .
# A name that is no file's, and almost a generator's.
run fringe info kroneker:scale=4
