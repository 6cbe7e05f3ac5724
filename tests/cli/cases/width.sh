#!/bin/bash
# Help and histogram fit the terminal; elsewhere they have 80 columns. The lines of examples, which
# are typed as they are, are not broken.
command -v script >/dev/null || { echo "skip: script(1) is not installed"; exit 77; }
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "skip: script(1) makes no terminal here"; exit 77; }
export TERM=xterm
tty_run() { script -qec "$1" /dev/null </dev/null | tr -d '\r'; }
longest() {
    grep -vE '^  (fringe|mpirun)' | awk -v limit="$1" '{ if (length($0) > widest) widest = length($0) }
        END { print widest <= limit ? "fits " limit : "is " widest " wide, not " limit }'
}
for columns in 60 100; do
    COLUMNS=$columns tty_run "$FRINGE bfs --help" | longest $columns
    COLUMNS=$columns tty_run "$FRINGE --help" | longest $columns
done
tty_run "stty cols 60; env -u COLUMNS $FRINGE bfs --help" | longest 60
COLUMNS=48 tty_run "$FRINGE info star:n=1000" | grep '#' | longest 48
COLUMNS=200 tty_run "$FRINGE bfs --help" | awk 'length($0) > 100' | grep -c . | sed 's/^[1-9][0-9]*$/uses wide lines/'
COLUMNS=48 "$FRINGE" bfs --help | cmp - <("$FRINGE" bfs --help) && echo "not a terminal: 80 columns"
