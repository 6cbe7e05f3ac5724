#!/usr/bin/env bash
# What each part and knob of BFS `auto` brings on a GPU, on the nine graphs of --suite gpu.
#
#   bench/bfs_auto_knobs.sh BUILD GRAPHS   GRAPHS: the folder of cnr-2000 and osm-moscow-roads
#
# A block of lines per graph: the defaults with a line per level, then each variant. About a minute.
set -eu
build=$1
graphs=$2
status=0

one() {
    timeout 30 "$build/bench/bench_bfs_knobs" "$@" || status=1
}

parts=(auto :parts=1022 :parts=1021 :parts=1015 :parts=1007 :parts=0)
wide=("${parts[@]}" :parts=895 :parts=767 :parts=511 :bias=40 :bias=200 :bias=500 :probe=32 :probe=1024 :block=256 :direction=1)
thin=(auto :parts=1022 :parts=1019 :parts=991 :parts=959 :parts=0 :threads=128 :threads=256
    :threads=1024 :cluster=8 :small=0 :small=2048 :small=4096 :small=16384 :small=32768 bfs4k)

one -n 16 "$graphs/osm-moscow-roads.gr.zst" "${thin[@]}"
one -n 8 grid2d:rows=1400,cols=1400,keep=0.7,seed=1 "${thin[@]}"
one -n 8 grid3d:x=215,y=215,z=215 "${thin[@]}" :threads=1024,small=16384 :threads=1024,small=32768
one -n 32 -u -s -l kronecker:scale=21,edge_factor=16,seed=1 auto
one -n 32 -u -s kronecker:scale=21,edge_factor=16,seed=1 "${wide[@]}"
one -n 32 -u -s -l uniform:n=2000000,edges=64000000,seed=1 auto
one -n 32 -u -s uniform:n=2000000,edges=64000000,seed=1 "${wide[@]}"
one -n 32 -s -l rmat:scale=22,edges=5400000,n=2394385,seed=1 auto
one -n 32 -s rmat:scale=22,edges=5400000,n=2394385,seed=1 "${wide[@]}" xbfs :small=0
one -n 16 -u -s -l "$graphs/cnr-2000.mtx.zst" auto
one -n 32 -u -s "$graphs/cnr-2000.mtx.zst" "${wide[@]}" :small=0
one -n 16 -s rmat:scale=23,edges=72000000,n=4847571,seed=1 "${wide[@]}"
one -n 8 -u -s kronecker:scale=24,edge_factor=16,seed=1 "${wide[@]}"
exit $status
