#!/bin/bash
# docs/strategies.md or papers/README.md has a row for every strategy: of the command, and of the command over the
# kernels on the host, which lists the GPU's too.
# usage: check_strategies.sh BUILD_DIR
set -u
bad=0 checked=0
for fringe in "$1/fringe" "$1/tests/simt/fringe_on_host"; do
    [ -x "$fringe" ] || continue
    while read -r problem backend name _; do
        checked=$((checked + 1))
        case $backend in cpu | cuda) ;; *) continue ;; esac
        grep -qE "^\| \[\`$name\`\]" docs/strategies.md papers/README.md ||
            { echo "no row for $name ($problem, $backend) in docs/strategies.md or papers/README.md"; bad=1; }
    done < <("$fringe" list strategies | grep -E '^  (bfs|sssp|apsp) ')
done
[ "$checked" -gt 10 ] || { echo "skip: no command is built in $1"; exit 77; }
exit "$bad"
