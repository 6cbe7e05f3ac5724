#!/bin/bash
# On a terminal there are colours and a progress bar; with NO_COLOR or in a pipe there are none.
command -v script >/dev/null || { echo "skip: script(1) is not installed"; exit 77; }
export TERM=xterm
tty_run() { script -qec "$1" /dev/null </dev/null; }
escapes() { tr -d '\r' | grep -c "$(printf '\033')\[[0-9]*m" | sed 's/^[1-9][0-9]*$/some/'; }
unset NO_COLOR
tty_run "$FRINGE bfs eight.mtx -s 1" | escapes
NO_COLOR=1 tty_run "$FRINGE bfs eight.mtx -s 1" | escapes
TERM=dumb tty_run "$FRINGE bfs eight.mtx -s 1" | escapes
"$FRINGE" bfs eight.mtx -s 1 | escapes
# The bar: a phase of more than a second, cut off by Ctrl-C, leaves a clean line.
slow=(apsp "uniform:n=7000,edges=70000" --strategy floyd-warshall -k isa=0 -j 1)
tty_run "timeout --preserve-status -s INT 9 $FRINGE ${slow[*]}; echo exit \$?" | tr '\r' '\n' >bar.log
grep -cE 'all pairs .*\[#*\.+\] +[0-9]+ %$' bar.log | sed 's/^[1-9][0-9]*$/bars/'
tail -2 bar.log | tr -d '\033' | sed 's/^\[K//'
timeout --preserve-status -s INT 3 "$FRINGE" "${slow[@]}" 2>&1 | grep -c '\[#*\.*\]' || true
