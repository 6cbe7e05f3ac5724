#!/bin/bash
# The rows of all pairs divided among GPUs, of which the executor has one; a traversal of them; wrong lists
# are refused.
run fringe apsp grid2d:rows=6,cols=7 --devices all --strategy multi-bfs -o one.tsv --quiet
run fringe apsp grid2d:rows=6,cols=7 --backend cpu -o cpu.tsv --quiet
cmp one.tsv cpu.tsv && echo equal
run fringe apsp grid2d:rows=6,cols=7 --devices 0,3 --strategy multi-bfs
run fringe apsp grid2d:rows=6,cols=7 --devices 0,0
run fringe apsp grid2d:rows=6,cols=7 --devices 0,x
run fringe apsp grid2d:rows=6,cols=7 --devices 0,1 --device 1
run fringe apsp grid2d:rows=6,cols=7 --devices 0,1 --backend cpu
run fringe apsp grid2d:rows=6,cols=7 --devices 0,1 --stream -o x.npy
run fringe bfs grid2d:rows=6,cols=7 -s 0 --devices all --parents min-id --explain -o one.tsv | grep -E '^([$]|strategy|exit)'
run fringe bfs grid2d:rows=6,cols=7 -s 0 --devices all --knob all=1 --parents min-id -o many.tsv --quiet
run fringe bfs grid2d:rows=6,cols=7 -s 0 --backend cpu --parents min-id -o cpu.tsv --quiet
cmp one.tsv cpu.tsv && cmp many.tsv cpu.tsv && echo equal
run fringe bfs grid2d:rows=6,cols=7 -s 0 --devices 0,3
run fringe bfs grid2d:rows=6,cols=7 -s 0 --devices all --strategy queue
run fringe sssp grid2d:rows=6,cols=7 --weights random:1,9 -s 0 --devices all --parents min-id --explain -o one.tsv | grep -E '^([$]|strategy|exit)'
run fringe sssp grid2d:rows=6,cols=7 --weights random:1,9 -s 0 --devices all --knob all=1 --parents min-id -o many.tsv --quiet
run fringe sssp grid2d:rows=6,cols=7 --weights random:1,9 -s 0 --backend cpu --parents min-id -o cpu.tsv --quiet
cmp one.tsv cpu.tsv && cmp many.tsv cpu.tsv && echo equal
