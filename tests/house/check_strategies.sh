#!/bin/bash
# Every BFS strategy for the GPU has a paragraph in docs/strategies.md and a line in its table.
set -u
bad=0 rows=0
while read -r name; do
    rows=$((rows + 1))
    grep -q "^\*\*$name\*\* (" docs/strategies.md || { echo "$name: no paragraph in docs/strategies.md"; bad=1; }
    grep -q "^| \`$name\` |" docs/strategies.md || { echo "$name: no line in the table there"; bad=1; }
done < <(git ls-files 'src/cuda/bfs/*.cu' | xargs sed -n 's/^ *\.name = "\(.*\)",$/\1/p')
[ "$rows" -ge 9 ] || { echo "only $rows strategies found in src/cuda/bfs"; bad=1; }
exit "$bad"
