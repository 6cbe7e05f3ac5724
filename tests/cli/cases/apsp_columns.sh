#!/bin/bash
# All pairs with columns, a limit and parents, each checked.
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
printf '1 2 4\n1 3 1\n2 4 1\n3 4 4\n4 5 2\n' >roads.wel
run fringe apsp roads.wel -s 1,4 -t 5,4,5 --verify -q -o -
run fringe apsp roads.wel -s 1,2 --max-distance 5 --verify -q -o -
run fringe apsp roads.wel -s 1,2 --max-distance 0 --verify -q -o -
run fringe apsp roads.wel -s 1 --parents min-id --verify -q -o -
run fringe apsp roads.wel -s 1 -t 5,4,2,0 --parents nearest --max-distance 5 --verify -q -o -
run fringe apsp roads.wel -s 1 -t 2,4 --strategy floyd-warshall --parents any --verify-rows 1 -q -o -
run fringe apsp roads.wel -s 1,2 -t 5,4 -q -o cells.npy
python3 -c 'b = open("cells.npy", "rb").read(); print(b[10:b.index(b"\n")].decode().strip(), b[-16:])'
run fringe apsp roads.wel --parents any -o cells.npy
run fringe apsp roads.wel --stream --max-distance 3 -o cells.npy
fringe apsp roads.wel -s 1 -t 5 | grep ^rows
