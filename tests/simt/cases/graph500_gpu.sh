#!/bin/bash
# Graph500 and the report on the backend of the GPU.
fringe graph500 --scale 5 --sources 3 --backend cuda --strategy auto,hbf | grep -E 'NBFS|nedge|sssp strategy|validation'
echo "exit ${PIPESTATUS[0]}"
fringe graph500 --scale 5 --sources 2 --backend cuda --strategy bfs4k --problem bfs --json |
    grep -oE '"(kind|backend|strategy|ran|validation)":"[a-z0-9]*"'
run fringe graph500 --scale 5 --backend cuda --problem bfs --strategy dijkstra
fringe bench kronecker:scale=5 --backend cuda --strategies 'bfs4k,queue' --sources 2 --report page.html >/dev/null
grep -oE '"strategy":"[a-z0-9]*","backend":"cuda"|"points":.."[a-z -]*",0,0,1' page.html
