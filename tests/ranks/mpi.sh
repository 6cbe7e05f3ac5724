#!/bin/bash
# Ranks over MPI on one host: answers on 1 to 4 ranks compared with one process's, and what happens when a
# rank is refused, killed, stopped or short of memory: all end soon, with one message, and no file is left.
# usage: mpi.sh FRINGE MPIRUN PLUGIN SOURCE_DIR
set -u
source=$4
# shellcheck source=tests/ranks/mpi_common.sh
. "$(dirname "$0")/mpi_common.sh"

graph=kronecker:scale=10,seed=2
weights=random:1,255
"$fringe" bfs $graph -s 5 -q -o bfs.tsv || exit 1
"$fringe" sssp $graph --weights $weights -s 5 -q -o sssp.tsv || exit 1
"$fringe" gen $graph --weights $weights -o g.fringe >/dev/null || exit 1
for n in 1 2 3 4; do
    ranks $n bfs $graph -s 5 -q --verify -o out.tsv || complain "bfs on $n ranks"
    cmp <(cut -f1,2 bfs.tsv) <(cut -f1,2 out.tsv) || complain "levels of $n ranks"
    "$fringe" verify $graph out.tsv -s 5 -q || complain "parents of $n ranks"
    ranks $n sssp g.fringe -s 5 -q --verify -o out.tsv || complain "sssp on $n ranks"
    cmp <(cut -f1,2 sssp.tsv) <(cut -f1,2 out.tsv) || complain "distances of $n ranks"
done
ranks 2 bfs $graph --sources 3 --verify --explain >log || complain "several sources"
for line in '^ranks  *2, 2 on this host' 'pull .* bitmap'; do
    grep -q "$line" log || { cat log; complain "the summary has no '$line'"; }
done
[ "$(ranks 2 bfs $graph -s 5 --json | grep -c '"ranks":2,')" = 1 ] || complain "JSON of two ranks"
ranks 2 graph500 --scale 8 --sources 4 >log || complain "graph500"
for line in '^num_mpi_processes: *2$' 'validation: *passed'; do
    grep -q "$line" log || complain "graph500 has no '$line'"
done

# Each ends within the time of `limited` (else the code is 124), with a message once and an exit code; `$work/out`
# must not be there.
ends() { # NAME CODE MESSAGE COMMAND...
    local name=$1 code=$2 message=$3 got
    shift 3
    limited "$@" >log 2>&1
    got=$?
    [ $got = "$code" ] || { cat log; complain "$name: exit $got, not $code"; }
    [ "$(grep -cE -e "$message" log)" = 1 ] || { cat log; complain "$name: not once '$message'"; }
    [ -z "$(find . -name 'out*')" ] || complain "$name: left a file: $(echo out*)"
}
host=$(hostname)
rm -f out.tsv
ends copies 2 'started as 2 ranks, which would all do the same: --ranks' "$mpirun" -n 2 "$fringe" bfs $graph -s 5 -o out
ends command 2 'this command runs as one process' "$mpirun" -n 2 "$fringe" info $graph
ends unconnected 2 'MPI does not connect the 4 processes that were started' \
    env SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0 "$fringe" bfs $graph -s 5 --ranks -o out
ends option 2 '--reverse cannot be used with --ranks' "$fringe" bfs $graph -s 5 --ranks --reverse
ends timeout 2 '--rank-timeout needs --ranks' "$fringe" bfs $graph -s 5 --rank-timeout 3
ends source 3 'no vertex has the id 4000' "$mpirun" -n 2 "$fringe" bfs $graph -s 4000 --ranks -o out
ends memory 4 "fringe: rank 1 on $host: not enough memory" \
    "$mpirun" -n 1 "$fringe" bfs $graph -s 5 --ranks -o out : -n 1 "$fringe" bfs $graph -s 5 --ranks -o out --max-memory 300K
ends arguments 2 "rank 1 on $host has other arguments for fr_part_generate" \
    "$mpirun" -n 1 "$fringe" bfs $graph -s 5 --ranks -o out : -n 1 "$fringe" bfs kronecker:scale=9 -s 5 --ranks -o out
ends folder 4 "rank 0 on $host: nowhere/out: cannot be written" "$mpirun" -n 2 "$fringe" bfs $graph -s 5 --ranks -o nowhere/out

printf '#include "ranks/world/comm.h"\nconst fri_comm_plugin FRI_COMM_PLUGIN = {"9.9.9", sizeof(fri_comm), 0};\n' >other.c
cc -shared -fPIC -I"$source/src" -o other.so other.c || complain "a plugin of another version"
FRINGE_MPI=$work/other.so ends plugin 2 'other.so: of version 9.9.9; this library is' \
    env OMPI_COMM_WORLD_SIZE=1 "$fringe" bfs $graph -s 5 --ranks -o out
FRINGE_MPI=$work/none.so ends no-plugin 3 'ranks need the plugin fringe-mpi.so' \
    env OMPI_COMM_WORLD_SIZE=1 "$fringe" bfs $graph -s 5 --ranks -o out

# A rank that is stopped or killed while all traverse, which a graph of many levels lets them do for long.
long=("$mpirun" -n 2 "$fringe" bfs path:n=30000000 -s 0 --ranks -o out)
ends killed 0 'exited on signal 9|KILLED BY SIGNAL: 9|TERMINATION' "$source/tests/ranks/signal_one.sh" KILL "^$fringe bfs path:n=30000000" "${long[@]}"
# mpirun resumes the stopped rank, which may print the message as well
ends stopped 0 "fringe: rank 0 on $host: no answer from another rank within 1 s" \
    "$source/tests/ranks/signal_one.sh" STOP "^$fringe bfs path:n=30000000" "${long[@]}" --rank-timeout 1

# The same with the other MPI of Debian, which has a plugin of its own: two ranks, since its ranks spin.
if mpicc=$(command -v mpicc.mpich) && mpich=$(command -v mpirun.mpich); then
    export FRINGE_MPI=$work/mpich.so
    "$mpicc" -shared -fPIC -O2 -D_GNU_SOURCE -I"$source/include" -I"$source/src" -o "$FRINGE_MPI" \
        "$source/plugins/fringe_mpi.c" || complain "the plugin for MPICH"
    limited "$mpich" -n 2 "$fringe" sssp g.fringe -s 5 --ranks -q --verify -o out.tsv || complain "sssp with MPICH"
    cmp <(cut -f1,2 sssp.tsv) <(cut -f1,2 out.tsv) || complain "distances with MPICH"
    rm -f out.tsv
    ends copies 2 'started as 2 ranks' "$mpich" -n 2 "$fringe" bfs $graph -s 5 -o out
else
    echo "skipped: no MPICH is found (apt-get install libmpich-dev mpich)"
fi
exit $bad
