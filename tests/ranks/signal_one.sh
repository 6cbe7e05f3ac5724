#!/bin/bash
# Starts a launcher and, once its ranks have worked for a while, sends one of them a signal. Exits 0 if the
# launcher then ends with a failure. usage: signal_one.sh SIGNAL PATTERN COMMAND...   PATTERN: of pgrep -f
set -u
signal=$1 pattern=$2
shift 2
"$@" &
launcher=$!
rank=''
for _ in $(seq 100); do
    rank=$(pgrep -n -f "$pattern" || true)
    [ -n "$rank" ] && break
    sleep 0.1
done
sleep 2
kill "-$signal" "$rank"
wait "$launcher"
code=$?
kill -KILL "$rank" 2>/dev/null
[ "$code" != 0 ]
