#!/bin/bash
# One valid JSON object a run, with every field of the contract.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
# usage: COMMAND...: each member of their objects, its type, and the numbers of the commands that have it
cat >members.py <<'END'
import json, subprocess, sys
def shape(v):
    if isinstance(v, dict): return {k: shape(x) for k, x in v.items()}
    if isinstance(v, list): return [shape(v[0])] if v else []
    return type(v).__name__
members = {}
for number, command in enumerate(sys.argv[2:], 1):
    print(number, "fringe", command, "--json")
    out = subprocess.run([sys.argv[1], *command.split(), "--json"], stdout=subprocess.PIPE).stdout
    for key, value in shape(json.loads(out)).items():
        if key == "archive": value = "str" # None without libarchive
        members.setdefault(f"{key} {value}", []).append(number)
for member, numbers in members.items(): print(member, "|", *numbers)
END
python3 members.py "$FRINGE" "bfs eight.mtx -s 1 --verify" "bfs eight.mtx --sources 3 --repeat 2 --explain" \
    "sssp eight.gr -s 1 --counters --strategy dijkstra" "graph500 --scale 4 --sources 2" \
    "tune eight.mtx --seconds 0.1 --sources 2 --tuning-cache p.tsv" "info eight.gr" "path eight.mtx -s 1 -t 5" "doctor" \
    "convert eight.gr out.mtx"
fringe list --json | python3 -c 'import json, sys; print(sorted(json.load(sys.stdin)))'
fringe bench eight.mtx --json --sources 2 --strategies serial,direction-optimizing | python3 -c '
import json, sys
for line in sys.stdin:
    o = json.loads(line)
    print(o["strategy"], o["verification"])'
