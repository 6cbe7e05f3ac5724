#!/bin/bash
# The loops that measure a GPU's limits run, and count right, in 6 MB; the GPU is asked first.
fringe bench --suite microbench --max-gpu-mem 6M >microbench.jsonl
echo "exit $?"
grep -c '"device":{"kind":"cuda"' microbench.jsonl
sed -E 's/.*"microbench"/"microbench"/; s/"value":[1-9][0-9.e+]*/"value":N/' microbench.jsonl
run fringe bench --suite microbench --backend cuda --max-gpu-mem 1K
run fringe bench --suite microbench --backend cuda --device 3

# auto names what it expected of each level that the whole chip takes.
levels() { fringe bfs kronecker:scale=9,seed=1 -s 1 --backend cuda --explain --json "$@" | grep -oE '"method":"(top-down|bottom-up)"[^}]*'; }
levels | grep -vc '"expected_ns":[1-9]'
levels --knob direction=2 | sed -E 's/[0-9]+/N/g' | sort -u
