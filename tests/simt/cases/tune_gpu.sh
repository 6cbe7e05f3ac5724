#!/bin/bash
# fringe tune on the backend of the GPU: rows, knobs and the tuning cache.
cache=p.tsv
fringe tune kronecker:scale=5 --backend cuda --seconds 2 --sources 2 --tuning-cache $cache --problem bfs |
    grep -oE '^(bfs on the GPU|found|measured|cache file +p.tsv)'
cut -f1,2,5 $cache | tail -1
fringe bfs kronecker:scale=5 -s 0 --verify --backend cuda --tuning-cache $cache | grep -oE 'tuned:|the answer is right'
awk -F'\t' -v OFS='\t' 'NR > 2 { $6 = "xbfs"; $7 = "block=64,alpha=0.5"; $8 = 1000; $9 = 2000 } 1' $cache >edited.tsv
fringe bfs kronecker:scale=5 -s 0 --verify --explain --backend cuda --tuning-cache edited.tsv | grep -E '^(strategy|verified)'
fringe bfs kronecker:scale=5 -s 0 --explain --backend cpu --tuning-cache edited.tsv 2>&1 | grep -oE '^fringe.*|tuned: .*'
echo "more than there is"
fringe bfs kronecker:scale=5 -s 0 --explain --backend cuda --tuning-cache edited.tsv --max-gpu-mem 1K |
    grep '^strategy' | sed -E 's/[0-9.]+ [KM]?i?B\>/SIZE/g; s/; cheapest.*//'
