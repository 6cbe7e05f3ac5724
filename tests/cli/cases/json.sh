#!/bin/bash
# One valid JSON object a run, with every field of the contract.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
show() { python3 -c '
import json, sys
o = json.loads(sys.stdin.read())
def shape(v):
    if isinstance(v, dict): return {k: shape(x) for k, x in v.items()}
    if isinstance(v, list): return [shape(v[0])] if v else []
    return type(v).__name__
for k, v in shape(o).items(): print(" ", k, v)
'; }
for command in "bfs eight.mtx -s 1 --verify" "bfs eight.mtx --sources 3 --repeat 2 --explain" \
    "sssp eight.gr -s 1 --counters --strategy dijkstra" \
    "graph500 --scale 4 --sources 2" "tune eight.mtx --seconds 0.1 --sources 2 --tuning-cache p.tsv" "info eight.gr" "path eight.mtx -s 1 -t 5" "doctor" "convert eight.gr out.mtx"; do
    echo "$ fringe $command --json"
    # shellcheck disable=SC2086 # words
    fringe $command --json | show | sed 's/^  archive NoneType/  archive str/' # without libarchive
done
fringe list --json | python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)))'
fringe bench eight.mtx --json --sources 2 --strategies serial,direction-optimizing | python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    print(o["strategy"], o["verification"])'
