#!/bin/bash
# The loops that measure a GPU's limits run, and count right, in 6 MB; the GPU is asked first.
fringe bench --suite limits --max-gpu-mem 6M >limits.jsonl
echo "exit $?"
grep -c '"device":{"kind":"cuda"' limits.jsonl
sed -E 's/.*"limit"/"limit"/; s/"value":[1-9][0-9.e+]*/"value":N/' limits.jsonl
run fringe bench --suite limits --backend cuda --max-gpu-mem 1K
run fringe bench --suite limits --backend cuda --device 3
