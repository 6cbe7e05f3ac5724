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
