#!/bin/bash
# The loops that measure a GPU's limits run, and count right, in 6 MB; the GPU is asked first.
fringe bench --suite limits --max-gpu-mem 6M >limits.jsonl
echo "exit $?"
grep -c '"device":{"kind":"cuda"' limits.jsonl
sed -E 's/.*"limit"/"limit"/; s/"value":[1-9][0-9.e+]*/"value":N/' limits.jsonl
run fringe bench --suite limits --backend cuda --max-gpu-mem 1K
run fringe bench --suite limits --backend cuda --device 3

# auto names what it expected of each level that the whole chip takes.
levels() { fringe bfs kronecker:scale=9,seed=1 -s 1 --backend cuda --explain --json "$@" | grep -oE '"choice":"(top-down|bottom-up)"[^}]*'; }
levels | grep -vc '"expected_ns":[1-9]'
levels --knob direction=2 | sed -E 's/[0-9]+/N/g' | sort -u
