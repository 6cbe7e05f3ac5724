#!/bin/bash
# A suite prints a JSON line for every graph and strategy; what cannot run says why.
keys() { grep -oE '"(suite|case|strategy|verification|runs|skipped|stopped)":("[^"]*"|[0-9]+)' | paste -sd' '; }
lines() { while read -r line; do echo "$line" | keys; done; }
one=(--strategies serial --backend cpu)
fringe bench --suite smoke "${one[@]}" --sources 3 | lines
fringe bench --suite smoke "${one[@]}" --sources 3 | grep -c '"hash":"[0-9a-f]\{16\}".*"commit":"[^"]\{7,\}"'
fringe bench --suite smoke --only path-200 "${one[@]}" --repeat 200000 --time-limit 0.05 |
    lines | sed -E 's/runs":[0-9]+/runs":N/; s/after [0-9]+ of/after N of/'
fringe bench --suite gpu --only moscow,cnr-2000 | lines
mkdir files && fringe bench --suite gpu --only moscow --graphs files | lines
cp eight.gr files/osm-moscow-roads.gr
fringe bench --suite gpu --only moscow "${one[@]}" --graphs files --sources 2 | lines
fringe bench --suite smoke-sssp --strategies bellman-ford,dijkstra --backend cpu --sources 2 |
    lines | sed -E 's/"skipped":"[^"]*/"skipped":"WHY/'
fringe bench --suite smoke-sssp --only grid-30 --strategies bellman-ford --backend cpu --sources 2 |
    grep -oE '"(weight_type|directed|relaxations)":("int32"|true|[1-9])' | paste -sd' '
run fringe bench
run fringe bench --suite nix
run fringe bench eight.gr --suite gpu
run fringe bench eight.gr --only moscow
run fringe bench --suite smoke --only nix
run fringe bench --suite smoke --only kron10,nix
