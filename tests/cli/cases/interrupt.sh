#!/bin/bash
# Ctrl-C: exit 130, no partial file.
"$FRINGE" bfs kronecker:scale=22,seed=1 -s 1 -o out.tsv 2>err.log &
pid=$!
sleep 1
kill -INT $pid
wait $pid
echo "exit $?"
sed -E 's/while .*/while .../' err.log
find . -name '*out.tsv*'
# A second signal ends the command at once; both arrive before it continues. It leaves no temporary file.
"$FRINGE" apsp grid2d:rows=100,cols=100 -o twice.tsv -q &
pid=$!
for _ in {1..500}; do
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
# A row of all pairs, a long serial search, a check: each leaves soon after Ctrl-C.
soon() {
    "$FRINGE" "$@" -q -j 1 2>err.log &
    pid=$!
    sleep 1.5
    begin=$(date +%s%N)
    kill -INT $pid
    wait $pid
    code=$?
    [ $((($(date +%s%N) - begin) / 1000000)) -lt 3000 ] && echo "exit $code, soon" || echo "exit $code, late"
    sed -E 's/while .*/while .../' err.log
}
graph=uniform:n=1000000,edges=8000000,seed=1
soon sssp $graph --weights random:1,255 -s 1 --strategy dijkstra --repeat 1000
soon apsp $graph --weights random:1,255 --strategy multi-sssp
soon apsp uniform:n=12000,edges=48000,seed=1 --weights random:1,255 --strategy floyd-warshall
soon sssp $graph --weights random:1,255 -s 1 --strategy dijkstra --repeat 1000 --json >out.json
grep -o '"status":"FR_CANCELLED","exit_code":130,"message":"interrupted' out.json
