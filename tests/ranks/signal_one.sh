#!/bin/bash
# Starts a launcher of Open MPI and, once rank 1 has worked for a while, sends it a signal. Exits 0 if the
# launcher then ends with a failure. usage: signal_one.sh SIGNAL PATTERN COMMAND...   PATTERN: of pgrep -f
set -u
signal=$1 pattern=$2
shift 2
"$@" &
launcher=$!
rank=''
for _ in {1..600}; do # a minute
    for process in $(pgrep -f "$pattern"); do # under load the newest one may be another rank
        grep -qzx OMPI_COMM_WORLD_RANK=1 "/proc/$process/environ" && rank=$process
    done
    [ -n "$rank" ] && break
    sleep 0.1
done
[ -n "$rank" ] || { echo "no rank 1 was started within a minute"; kill "$launcher"; exit 1; }
worked() { # hundredths of a second of processor time: more than MPI takes to connect the ranks
    awk '{ sub(/.*[)] /, ""); print $12 + $13 }' "/proc/$rank/stat" 2>/dev/null
}
for _ in {1..1200}; do # a minute
    hundredths=$(worked) || break # it has ended
    [ "$hundredths" -ge 150 ] && break
    sleep 0.05
done
kill "-$signal" "$rank"
wait "$launcher"
code=$?
kill -KILL "$rank" 2>/dev/null
[ "$code" != 0 ]
