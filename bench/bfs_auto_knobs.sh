#!/usr/bin/env bash
# Measures the effect of each feature and knob of BFS `auto` on a GPU, on the nine graphs of --suite gpu.
#
#   bench/bfs_auto_knobs.sh BUILD GRAPHS   GRAPHS: the folder of cnr-2000 and osm-moscow-roads
#
# Prints JSON lines of bench_turns per graph, each variant in turns with the defaults; of some also the levels of the
# slowest source. Takes about a minute.
set -eu
build=$1
graphs=$2
status=0

one() {
    timeout 30 "$build/bench/bench_turns" -P "$@" || status=1
}

# Each optimization switched off, then all of them.
common=(auto :disable=fused-init :disable=bitmap-claims :disable=skip-queue :disable=hub-parents :disable=262143)
wide=("${common[@]}" :disable=skip-no-in-edges :disable=balanced-push :disable=direct-bitmap
    :disable=deferred-levels :disable=pull-queues :disable=lazy-init :disable=aggregated-claims :disable=single-block :disable=sliced-push
    :push_cost_percent=40 :push_cost_percent=200 :push_cost_percent=500 :grid_threads=256 :direction=1)
thin=(auto :disable=fused-init :disable=cluster-bitmap :disable=local-finds :disable=ell
    :disable=history-cull :disable=strict-balance :disable=262143
    :cluster_threads=128 :cluster_threads=256 :cluster_threads=768 :cluster_threads=1024 :cluster=8 :persistent_max=0
    :persistent_threads=512 :cluster_max=0 :cluster_max=512 :cluster_max=2048 :cluster_max=4096 bfs4k)

one -n 16 "$graphs/osm-moscow-roads.gr.zst" "${thin[@]}"
one -n 8 grid2d:rows=1400,cols=1400,keep=0.7,seed=1 "${thin[@]}"
one -n 8 grid3d:x=215,y=215,z=215 "${thin[@]}"
one -n 32 -u -d -l 1 kronecker:scale=21,edge_factor=16,seed=1 auto
one -n 32 -u -d kronecker:scale=21,edge_factor=16,seed=1 "${wide[@]}"
one -n 32 -u -d -l 1 uniform:n=2000000,edges=64000000,seed=1 auto
one -n 32 -u -d uniform:n=2000000,edges=64000000,seed=1 "${wide[@]}"
one -n 32 -d -l 1 rmat:scale=22,edges=5400000,n=2394385,seed=1 auto
one -n 32 -d rmat:scale=22,edges=5400000,n=2394385,seed=1 "${wide[@]}" xbfs
one -n 16 -u -d -l 1 "$graphs/cnr-2000.mtx.zst" auto
one -n 32 -u -d "$graphs/cnr-2000.mtx.zst" "${wide[@]}"
one -n 16 -d rmat:scale=23,edges=72000000,n=4847571,seed=1 "${wide[@]}"
one -n 8 -u -d kronecker:scale=24,edge_factor=16,seed=1 "${wide[@]}"
exit $status
