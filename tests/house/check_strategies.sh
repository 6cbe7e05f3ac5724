#!/bin/bash
# Every BFS strategy for the GPU has a paragraph in docs/strategies.md and a line in its table.
set -u
bad=0 rows=0
while read -r name; do
    rows=$((rows + 1))
    grep -q "^\*\*$name\*\* (" docs/strategies.md || { echo "$name: no paragraph in docs/strategies.md"; bad=1; }
    grep -q "^| \`$name\` |" docs/strategies.md || { echo "$name: no line in the table there"; bad=1; }
done < <(sed -n 's/^ *\.name = "\(.*\)",$/\1/p' src/cuda/bfs/*.cu)
[ "$rows" -ge 9 ] || { echo "only $rows strategies found in src/cuda/bfs"; bad=1; }
exit "$bad"
