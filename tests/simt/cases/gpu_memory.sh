#!/bin/bash
# What the command says of a GPU's memory and of counters in a build whose kernels do not count.
graph=kronecker:scale=6,seed=1

run fringe bfs $graph -s 1 -q --backend cuda --strategy queue --max-gpu-mem 1K
run fringe bfs $graph -s 1 -q --backend cuda --strategy queue --max-gpu-mem 1M --verify
run fringe bfs $graph -s 1 -q --backend cuda --strategy queue --device 3
run fringe bfs $graph -s 1 -q --backend cuda --strategy queue --counters
