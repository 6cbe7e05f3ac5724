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

# all but 1, 2, 8, 16; then 128, 256, 512, 4096, 8192, 16384, 32768, 65536; then, of thin levels, 4, 32, 64, 1024, 2048
parts=(auto :parts=131070 :parts=131069 :parts=131063 :parts=131055 :parts=0)
wide=("${parts[@]}" :parts=130943 :parts=130815 :parts=130559 :parts=126975 :parts=122879 :parts=114687 :parts=98303 :parts=65535
    :bias=40 :bias=200 :bias=500 :block=256 :direction=1)
thin=(auto :parts=131070 :parts=131067 :parts=131039 :parts=131007 :parts=130047 :parts=129023 :parts=0 :threads=128 :threads=256
    :threads=768 :threads=1024 :cluster=8 :middle=0 :crew=512 :small=0 :small=512 :small=2048 :small=4096 bfs4k)

one -n 16 "$graphs/osm-moscow-roads.gr.zst" "${thin[@]}"
one -n 8 grid2d:rows=1400,cols=1400,keep=0.7,seed=1 "${thin[@]}"
one -n 8 grid3d:x=215,y=215,z=215 "${thin[@]}"
one -n 32 -u -s -l kronecker:scale=21,edge_factor=16,seed=1 auto
one -n 32 -u -s kronecker:scale=21,edge_factor=16,seed=1 "${wide[@]}"
one -n 32 -u -s -l uniform:n=2000000,edges=64000000,seed=1 auto
one -n 32 -u -s uniform:n=2000000,edges=64000000,seed=1 "${wide[@]}"
one -n 32 -s -l rmat:scale=22,edges=5400000,n=2394385,seed=1 auto
one -n 32 -s rmat:scale=22,edges=5400000,n=2394385,seed=1 "${wide[@]}" xbfs
one -n 16 -u -s -l "$graphs/cnr-2000.mtx.zst" auto
one -n 32 -u -s "$graphs/cnr-2000.mtx.zst" "${wide[@]}"
one -n 16 -s rmat:scale=23,edges=72000000,n=4847571,seed=1 "${wide[@]}"
one -n 8 -u -s kronecker:scale=24,edge_factor=16,seed=1 "${wide[@]}"
exit $status
