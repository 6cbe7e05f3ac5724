#!/bin/bash
# docs/strategies.md has a section with the current source and knobs of every strategy: those of the
# command, and those of the command over the kernels on the host, which lists the GPU's too.
# usage: check_strategies.sh BUILD_DIR
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
bad=0 checked=0
for fringe in "$1/fringe" "$1/tests/simt/fringe_on_host"; do
    [ -x "$fringe" ] || continue
    checked=$((checked + 1))
    python3 -B tools/strategy_tables.py --check "$fringe" || bad=1
done
[ "$checked" -gt 0 ] || { echo "skip: no command is built in $1"; exit 77; }
exit "$bad"
