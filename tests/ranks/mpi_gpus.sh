#!/bin/bash
# BFS on ranks with a GPU each, over MPI on one host: answers compared with those of one process, the number of bytes,
# and the messages where a rank has no GPU, the plugin is missing or the problem is not BFS.
# usage: mpi_gpus.sh FRINGE MPIRUN PLUGIN GPU_PLUGIN    FRINGE: its kernels run on the host
set -u
export FRINGE_NCCL=$4
# shellcheck source=tests/ranks/mpi_common.sh
. "$(dirname "$0")/mpi_common.sh"

graph=kronecker:scale=8,seed=2
"$fringe" bfs $graph -s 5 -q --backend cpu -o bfs.tsv || exit 1
for n in 1 2 3; do
    ranks $n bfs $graph -s 5 -q --backend cuda --verify -o out.tsv || complain "bfs on $n ranks"
    cmp <(cut -f1,2 bfs.tsv) <(cut -f1,2 out.tsv) || complain "levels of $n ranks"
done
# 256 vertices: a slice has 16 bytes and the 64 of the report, which are one line of 128
ranks 3 bfs $graph -s 5 --backend cuda --explain >log || complain "explain"
for line in '^ranks .*1 thread and a GPU each' 'push .* bitmap  *256 B' 'pull .* bitmap  *256 B'; do
    grep -q "$line" log || { cat log; complain "the summary has no '$line'"; }
done
[ "$(ranks 2 bfs $graph -s 5 --backend cuda --json | grep -c '"backend":"cuda"')" = 1 ] || complain "JSON"
ranks 2 graph500 --scale 6 --sources 2 --problem bfs --backend cuda >log || complain "graph500"
grep -q 'validation: *passed' log || { cat log; complain "graph500 is not validated"; }

ends() { # NAME CODE MESSAGE COMMAND...
    local name=$1 code=$2 message=$3 got
    shift 3
    limited "$@" >log 2>&1
    got=$?
    [ $got = "$code" ] || { cat log; complain "$name: exit $got, not $code"; }
    grep -qE -e "$message" log || { cat log; complain "$name: no '$message'"; }
}
ends sssp 2 'ranks on GPUs solve BFS only; SSSP on ranks runs on CPU cores' \
    "$fringe" sssp $graph -s 5 --ranks --backend cuda
ends graph500 2 'ranks on GPUs solve BFS only \(--problem bfs\)' \
    "$fringe" graph500 --scale 6 --ranks --backend cuda
ends memory 2 '--max-gpu-mem without --backend cuda cannot be used with --ranks' \
    "$fringe" bfs $graph -s 5 --ranks --max-gpu-mem 1G
ends little 4 'rank [01] on .*not enough GPU memory' \
    "$mpirun" -n 2 "$fringe" bfs $graph -s 5 --ranks --backend cuda --max-gpu-mem 4K
FRINGE_NCCL=$work/none.so ends no-plugin 3 'ranks on GPUs need the plugin fringe-nccl.so' \
    "$mpirun" -n 2 "$fringe" bfs $graph -s 5 --ranks --backend cuda
exit $bad
