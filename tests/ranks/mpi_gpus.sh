#!/bin/bash
# Ranks with a GPU each, over MPI on one host: answers compared with one process's, the number of bytes, and the
# messages where a rank has no GPU or too little memory, or the plugin is missing.
# usage: mpi_gpus.sh FRINGE MPIRUN PLUGIN GPU_PLUGIN    FRINGE: its kernels run on the host
set -u
export FRINGE_NCCL=$4
# shellcheck source=tests/ranks/mpi_common.sh
. "$(dirname "$0")/mpi_common.sh"

graph=kronecker:scale=8,seed=2
weights=random:1,255
"$fringe" bfs $graph -s 5 -q --backend cpu -o bfs.tsv || exit 1
"$fringe" sssp $graph --weights $weights -s 5 -q --backend cpu -o sssp.tsv || exit 1
for n in 1 2 3; do
    ranks $n bfs $graph -s 5 -q --backend cuda --verify -o out.tsv || complain "bfs on $n ranks"
    cmp <(cut -f1,2 bfs.tsv) <(cut -f1,2 out.tsv) || complain "levels of $n ranks"
    ranks $n sssp $graph --weights $weights -s 5 -q --backend cuda --verify -o out.tsv || complain "sssp on $n ranks"
    cmp <(cut -f1,2 sssp.tsv) <(cut -f1,2 out.tsv) || complain "distances of $n ranks"
    "$fringe" verify $graph out.tsv --weights $weights -s 5 -q || complain "parents of sssp on $n ranks"
done
# 256 vertices: a slice has 16 bytes and the 64 of the report, which are one line of 128
ranks 3 bfs $graph -s 5 --backend cuda --explain >log || complain "explain"
for line in '^ranks .*1 thread and a GPU each' 'push .* bitmap  *256 B' 'pull .* bitmap  *256 B'; do
    grep -q "$line" log || { cat log; complain "the summary has no '$line'"; }
done
# on the host a message of SSSP has 256 bytes; the distances of 128 vertices have 1 KiB
ranks 3 sssp $graph --weights $weights -s 5 --backend cuda --explain >log || complain "explain of sssp"
for line in '^ranks .*1 thread and a GPU each' 'source  .* list  *512 B' 'dense  *2.50 KiB' 'pull  '; do
    grep -q "$line" log || { cat log; complain "the summary of sssp has no '$line'"; }
done
[ "$(ranks 2 sssp $graph -s 5 --backend cuda --json | grep -c '"backend":"cuda"')" = 1 ] || complain "JSON of sssp"
[ "$(ranks 2 bfs $graph -s 5 --backend cuda --json | grep -c '"backend":"cuda"')" = 1 ] || complain "JSON"
ranks 2 graph500 --scale 6 --sources 2 --backend cuda >log || complain "graph500"
for line in '^bfs  mean_time' '^sssp mean_time' 'validation: *passed'; do
    grep -q "$line" log || { cat log; complain "graph500 has no '$line'"; }
done

ends() { # NAME CODE MESSAGE COMMAND...
    local name=$1 code=$2 message=$3 got
    shift 3
    limited "$@" >log 2>&1
    got=$?
    [ $got = "$code" ] || { cat log; complain "$name: exit $got, not $code"; }
    grep -qE -e "$message" log || { cat log; complain "$name: no '$message'"; }
}
ends memory 2 '--max-gpu-mem without --backend cuda cannot be used with --ranks' \
    "$fringe" bfs $graph -s 5 --ranks --max-gpu-mem 1G
ends little 4 'rank [01] on .*not enough GPU memory' \
    "$mpirun" -n 2 "$fringe" bfs $graph -s 5 --ranks --backend cuda --max-gpu-mem 4K
ends little-sssp 4 'rank [01] on .*not enough GPU memory' \
    "$mpirun" -n 2 "$fringe" sssp $graph -s 5 --ranks --backend cuda --max-gpu-mem 4K
ends negative 3 'SSSP on ranks needs weights of at least 0' \
    "$mpirun" -n 2 "$fringe" sssp $graph --weights random:-9,9 -s 5 --ranks --backend cuda
FRINGE_NCCL=$work/none.so ends no-plugin 3 'ranks on GPUs need the plugin fringe-nccl.so' \
    "$mpirun" -n 2 "$fringe" bfs $graph -s 5 --ranks --backend cuda
exit $bad
