#!/bin/bash
# The GPUs are listed by name only.
run fringe list devices
run fringe list devices --json
fringe list | grep -c Devices || true
# "device" of --json is where the answer was computed, whatever was asked for.
device() { # COMMAND...
    echo "$*: $(fringe "$@" --json | grep -o '"device":{[^}]*}' | sed 's/"threads":[0-9]*/"threads":N/; s/"name":"[^S][^"]*"/"name":"CPU"/; s/"driver":"[^"]*","cuda":"[^"]*"/"driver":D,"cuda":C/')"
}
graph=kronecker:scale=6,seed=3
for backend in cpu cuda any; do
    device bfs $graph -s 5 --backend $backend
    device components $graph --backend $backend
done
device sssp $graph --weights random:1,9 -s 5 --strategy near-far
device apsp grid2d:rows=4,cols=4 --strategy multi-bfs --backend cuda
device apsp grid2d:rows=4,cols=4 --stream -o all.npy --backend cuda
device path $graph -s 5 -t 7 --backend cuda
device centrality $graph --measure closeness --backend cuda
device bench $graph --sources 1 --strategies queue
device graph500 --scale 4 --sources 1 --backend cuda
device info $graph
