#!/usr/bin/env bash
# All pairs on a GPU: Floyd-Warshall, multi-bfs, multi-sssp, johnson and their knobs, each in turns with its defaults.
#   bench/apsp.sh BUILD     JSON lines of bench_turns on standard output
set -eu
program=$1/bench/bench_turns status=0
one() { "$program" -p apsp -d -r 3 -t 20 "$@" || status=1; }
dense() { echo "uniform:n=$1,edges=$2,directed=1,seed=1"; }
kronecker=kronecker:scale=20,edge_factor=16,seed=1 smaller=kronecker:scale=18,edge_factor=16,seed=1
grid=grid2d:rows=1000,cols=1000,keep=0.9,seed=1
fw=floyd-warshall bfs=multi-bfs sssp=multi-sssp
one -n 0 "$(dense 16384 2000000)" $fw $fw:fused=0 $fw:tile=64
one -n 0 -P "$(dense 16384 2000000)" $fw
one -n 0 "$(dense 4096 1000000)" $fw auto
one -n 0 -P "$(dense 4096 1000000)" $fw
one -n 0 -w 1,255,200 "$(dense 4096 1000000)" $fw
one -n 0 "$(dense 1024 100000)" $fw $fw:tile=128
one -n 1024 -w none "$kronecker" $bfs:sources=1024 $bfs:sources=512 $bfs:sources=64
one -n 512 -w none "$kronecker" $bfs $bfs:pull=0 $bfs:lanes=32
one -n 512 -w none -P "$kronecker" $bfs
one -n 512 -w none "$grid" $bfs
one -n 256 "$smaller" $sssp:sources=256 $sssp:sources=64 $sssp:sources=256,hub=1e9 $sssp:sources=256,delta=1e6
one -n 256 -P "$smaller" $sssp:sources=256
one -n 256 "$grid" $sssp:sources=256 $sssp:sources=64 $sssp:sources=64,delta=2000
one -n 256 -w 1,255,200 "$smaller" johnson:sources=256
one -n 64 -w 1,255,200 "$grid" johnson:sources=64
exit $status
