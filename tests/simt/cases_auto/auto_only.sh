#!/bin/bash
# The command of FRINGE_GPU_STRATEGIES=auto (make demo): what it has on the GPU works for every type of weights; what it
# has not is not listed, runs on the CPU unless the GPU is asked for, and is then refused with the reason.
fringe list strategies | awk '/^ *(bfs|sssp|apsp) +cuda / { print $1, $2, $3 }'
graph=kronecker:scale=7,seed=2
answer() { grep -E '^([$]|strategy|verified|exit|fringe:)' | sed 's/ (a window.*//'; }
run fringe bfs $graph -s 5 --backend cuda --verify | answer
printf '0 1 5000000000\n1 2 7\n0 2 5000000009\n' >int64.wel
printf '0 1 0.5\n1 2 0.25\n0 2 1.5\n' >float64.wel
for type in int32 int64; do
    run fringe sssp $graph --weights random:1,9 -s 5 --dist-type $type --backend cuda --verify | answer
done
for type in int64 float64; do run fringe sssp $type.wel -s 0 --backend cuda --verify | answer; done
printf '0 1 4\n1 2 -2\n0 2 5\n2 3 1\n' >int32-negative.wel
printf '0 1 4\n1 2 -5000000000\n0 2 5\n2 3 1\n' >int64-negative.wel
printf '0 1 .5\n1 2 -.25\n0 2 1.5\n2 3 1\n' >float64-negative.wel
echo 1 >closed.txt
for type in int32 int64 float64; do
    run fringe sssp $type-negative.wel -s 0 --backend cuda --verify | answer
    run fringe sssp $type-negative.wel -s 0 --backend cuda --verify --closed-vertices closed.txt | answer
    run fringe sssp $type-negative.wel -s 3 --reverse --backend any --verify | answer
done
printf '0 1 4\n1 2 -2\n2 1 1\n' >cycle.wel
run fringe sssp cycle.wel -s 0 --backend cuda --verify
run fringe sssp int32-negative.wel -s 0 --backend cuda --max-gpu-mem 1K | answer
run fringe bfs $graph --directed -s 5 --backend cuda --parents min-id --verify | answer
run fringe sssp $graph -s 5 --weights random:1,9 --backend cuda --max-gpu-mem 4K | answer
run fringe bfs $graph -s 5 --strategy queue
run fringe sssp $graph -s 5 --strategy near-far --backend cuda
run fringe bfs $graph -s 5 --devices all
run fringe apsp grid2d:rows=6,cols=7 --backend cuda
run fringe apsp grid2d:rows=6,cols=7 --strategy johnson --backend cuda
run fringe apsp grid2d:rows=6,cols=7 -q -o any.tsv
run fringe bfs $graph -s 5 --ranks --backend cuda
for backend in any cuda; do
    run fringe components $graph --backend $backend -q -o components.tsv
    for measure in closeness betweenness eccentricity; do
        run fringe centrality star:n=40 --undirected --measure $measure --backend $backend -q -o $measure.tsv
    done
done
fringe bench --suite microbench --max-gpu-mem 6M | grep -q '"device":{"kind":"cuda"' && echo "microbench on the GPU"
