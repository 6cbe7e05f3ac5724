#!/bin/bash
# Starts a launcher of Open MPI and, once its ranks have worked for a while, sends rank 1 a signal. Exits 0 if the
# launcher then ends with a failure. usage: signal_one.sh SIGNAL PATTERN COMMAND...   PATTERN: of pgrep -f
set -u
signal=$1 pattern=$2
shift 2
"$@" &
launcher=$!
rank=''
for _ in $(seq 100); do
    for process in $(pgrep -f "$pattern"); do # under load the newest one may be another rank
        grep -qzx OMPI_COMM_WORLD_RANK=1 "/proc/$process/environ" && rank=$process
    done
    [ -n "$rank" ] && break
    sleep 0.1
done
sleep 2
kill "-$signal" "$rank"
wait "$launcher"
code=$?
kill -KILL "$rank" 2>/dev/null
[ "$code" != 0 ]
