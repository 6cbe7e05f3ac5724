#!/bin/bash
# On a terminal there are colors and a progress bar; with NO_COLOR or in a pipe there are none.
command -v script >/dev/null || { echo "skip: script(1) is not installed"; exit 77; }
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "skip: script(1) makes no terminal here"; exit 77; }
export TERM=xterm
tty_run() { script -qec "$1" /dev/null </dev/null; }
escapes() { tr -d '\r' | grep -c "$(printf '\033')\[[0-9]*m" | sed 's/^[1-9][0-9]*$/some/'; }
unset NO_COLOR
tty_run "$FRINGE bfs eight.mtx -s 1" | escapes
NO_COLOR=1 tty_run "$FRINGE bfs eight.mtx -s 1" | escapes
TERM=dumb tty_run "$FRINGE bfs eight.mtx -s 1" | escapes
"$FRINGE" bfs eight.mtx -s 1 | escapes
# The bar: a phase of more than a second; Ctrl-C, sent once a bar stands there, leaves a clean line.
slow=(apsp "uniform:n=6000,edges=600000" --strategy johnson -j 1)
bar='[a-z ]+ .*\[#*\.+\] +[0-9]+ %'
until_bar_then_interrupt() {
    for ((i = 0; i < 600; i++)); do
        tr '\r' '\n' <bar.log | grep -qE "$bar" && break
        sleep 0.1
    done
    kill -INT "$(cat pid)"
}
: >bar.log
until_bar_then_interrupt &
tty_run "sh -c 'echo \$\$ >pid; exec $FRINGE ${slow[*]}'; echo exit \$?" >bar.log
wait
tr '\r' '\n' <bar.log | grep -cE "$bar\$" | sed 's/^[1-9][0-9]*$/bars/'
tr '\r' '\n' <bar.log | tail -2 | tr -d '\033' | sed 's/^\[K//'
timeout --preserve-status -s INT 3 "$FRINGE" "${slow[@]}" 2>&1 | grep -c '\[#*\.*\]' || true
# After a second a new phase is named at once, though it has counted nothing.
tty_run "sh -c '(echo 1 2; sleep 1.5; echo 2 3) | $FRINGE info - --input-format snap'" |
    tr '\r' '\n' | tr -d '\033' | grep -o 'numbering vertices' | uniq
