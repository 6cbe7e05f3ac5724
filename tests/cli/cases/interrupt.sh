#!/bin/bash
# Ctrl-C: exit 130, no partial file.
"$FRINGE" bfs kronecker:scale=22,seed=1 -s 1 -o out.tsv 2>err.log &
pid=$!
handles_interrupt $pid
sleep 1
kill -INT $pid
wait $pid
echo "exit $?"
sed -E 's/while .*/while .../' err.log
find . -name '*out.tsv*'
# Also while it waits for standard input.
mkfifo silent
exec {writer}<>silent
"$FRINGE" info - <silent 2>err.log {writer}>&- &
pid=$!
handles_interrupt $pid
kill -INT $pid
for _ in {1..3000}; do # half a minute
    kill -0 $pid 2>/dev/null || break
    sleep 0.01
done
exec {writer}>&- # otherwise the command would wait for ever
wait $pid
echo "exit $?"
cat err.log
# A second signal ends the command at once; both arrive before it continues. It leaves no temporary file.
"$FRINGE" apsp grid2d:rows=100,cols=100 -o twice.tsv -q -j 1 & # one thread gets both
pid=$!
for _ in {1..6000}; do
    [ -e "twice.tsv.$pid.tmp" ] && break
    sleep 0.01
done
[ -e "twice.tsv.$pid.tmp" ] && echo "a temporary file"
kill -STOP $pid
kill -INT $pid
kill -TERM $pid
kill -CONT $pid
wait $pid
[ $? -gt 128 ] && echo "ended"
find . -name '*twice*'
# The same with a format of several files, and with the copy of --cache.
twice() { # TEMPORARY_FILE, $ for the process, FRINGE_ARGUMENTS...
    local file attempt
    for attempt in {1..20}; do # the process may end before it is stopped
        rm -f large.el.fringe-cache
        "$FRINGE" "${@:2}" -q -j 1 &
        pid=$!
        file=${1/\$/$pid}
        until [ -e "$file" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.002; done
        kill -STOP $pid 2>/dev/null && [ -e "$file" ] && break
        wait $pid
    done
    [ "$attempt" -lt 20 ] && echo "a temporary file"
    kill -INT $pid
    kill -TERM $pid
    kill -CONT $pid
    wait $pid
    [ $? -gt 128 ] && echo "ended"
    find . -name '*.tmp'
}
twice 'parts.e.$.tmp' gen uniform:n=200000,edges=2000000 -o parts.v
"$FRINGE" gen uniform:n=200000,edges=2000000 -o large.el -q
twice 'large.el.fringe-cache.$.tmp' bfs large.el -s 1 --cache
rm large.el
# Milliseconds of processor time, which other processes do not prolong.
of_process() { # PROCESS: its own so far
    awk '{ sub(/.*[)] /, ""); print ($12 + $13) * 10 }' "/proc/$1/stat"
}
of_children() { # FILE: what `times` said of all processes that have ended
    awk -F '[ms ]+' 'NR == 2 { print ($1 * 60 + $2 + $3 * 60 + $4) * 1000 }' "$1"
}
# A row of all pairs, a long serial search, a check: each leaves soon after Ctrl-C.
soon() {
    times >before.times
    "$FRINGE" "$@" -q -j 1 2>err.log &
    pid=$!
    handles_interrupt $pid
    sleep 1.5
    until_signal=$(of_process $pid)
    kill -INT $pid
    wait $pid
    code=$?
    times >after.times
    late=$(awk -v a="$(of_children after.times)" -v b="$(of_children before.times)" -v c="$until_signal" \
        'BEGIN { if (a - b - c > 1000) print a - b - c " ms " }')
    echo "exit $code, ${late:-soon}"
    sed -E 's/while .*/while .../' err.log
}
graph=uniform:n=1000000,edges=8000000,seed=1
soon sssp $graph --weights random:1,255 -s 1 --strategy dijkstra --repeat 1000
soon apsp $graph --weights random:1,255 --strategy multi-sssp
soon apsp uniform:n=12000,edges=48000,seed=1 --weights random:1,255 --strategy floyd-warshall
soon sssp $graph --weights random:1,255 -s 1 --strategy dijkstra --repeat 1000 --json >out.json
grep -o '"status":"FR_CANCELLED","exit_code":130,"message":"interrupted' out.json
# A mapped file that another program empties before it is used.
"$FRINGE" convert grid2d:rows=300,cols=300 -o mapped.fringe -q
mkfifo ids
"$FRINGE" bfs mapped.fringe --sources-file ids 2>err.log &
pid=$!
exec {writer}>ids # which the command opens once the graph is there
: >mapped.fringe
echo 0 >&$writer
exec {writer}>&-
wait $pid
echo "exit $?"
cat err.log
