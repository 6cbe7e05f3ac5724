#!/bin/bash
# With --json every outcome is one JSON object, also of a failure and of a wrong command line.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
printf 'p sp 4 3\na 1 2 2000000000\na 2 3 2000000000\na 3 4 1\n' >big.gr
fringe bfs eight.gr -s 1 -o right.tsv -q
sed 's/^2\t1/2\t7/' right.tsv >wrong.tsv
check='
import json, re, sys
lines, code, errors = sys.stdin.read().splitlines(), int(sys.argv[1]), int(sys.argv[2])
o = json.loads(lines[-1])
print("lines" if len(lines) > 1 else "object", o["status"], o["exit_code"], "|",
      re.sub("[0-9.]+ [KMG]?i?B (in addition|in use)", r"SIZE \1", o.get("message", "")))
cycle = o.get("negative_cycle")
if cycle: print("  cycle", cycle["weight"], cycle["vertices"])
if code != o["exit_code"] or errors != (code != 0): print("  exit", code, "with", errors, "lines on standard error")'
while read -r command; do
    echo "$ fringe $command"
    eval "fringe $command" >out.json 2>err.log
    python3 -c "$check" $? "$(wc -l <err.log)" <out.json
done <<'END'
path cycle.gr -s 1 -t 4 --json
apsp cycle.gr --json
apsp cycle.gr --stream --backend cpu -o m.npy --json
sssp cycle.gr -s 1 --json
sssp cycle.gr -s 1 --mark-negative-cycles --json
bfs eight.gr -s 1 --json
list formats --json
verify eight.gr wrong.tsv -s 1 --json
sssp big.gr -s 1 --dist-type int32 --json
apsp big.gr --dist-type int32 --json
bfs missing.gr -s 1 --json
info missing.gr --json
convert missing.gr out.mtx --json
gen nonsense:n=3 -o out.mtx --json
tune missing.gr --json
graph500 --scale 10 --strategy nonsense --json
bench missing.gr --json
bench eight.gr --strategies serial,nonsense --json
bench compare missing.jsonl missing.jsonl --json
bench roofline missing.jsonl missing.jsonl --json
doctor --nonsense --json
bfs eight.gr --json
bfs eight.gr -s 1 --threads 5000 --json
bfs eight.gr -s 1 --js --nonsense
bfs eight.gr -s 1 -o - --json
bfs eight.gr -s 1 -o /dev/full --json
bfs eight.gr -s 1 --max-memory 1k --json
list nonsense --json
nonsense --json
END
# names that are not UTF-8: the bytes are replaced, and the object keeps its members
cp eight.gr $'caf\xe9.gr'
for command in "bfs caf?.gr -s 1" "convert caf?.gr caf?.mtx" "bfs none? -s 1"; do
    # shellcheck disable=SC2086 # words
    fringe ${command//\?/$'\xe9'} --json 2>/dev/null | grep -oE '"(name|output|message)":"(caf|none)[^"]*"'
done
