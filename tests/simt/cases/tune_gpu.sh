#!/bin/bash
# fringe tune on the backend of the GPU: rows, knobs and the profile.
profile=p.tsv
fringe tune kronecker:scale=5 --backend cuda --seconds 2 --sources 2 --profile $profile --problem bfs |
    grep -oE '^(bfs on the GPU|found|measured|profile +p.tsv)'
cut -f1,2,5 $profile | tail -1
fringe bfs kronecker:scale=5 -s 0 --verify --backend cuda --profile $profile | grep -oE 'profile:|the answer is right'
awk -F'\t' -v OFS='\t' 'NR > 2 { $6 = "xbfs"; $7 = "block=64,alpha=0.5"; $8 = 1000; $9 = 2000 } 1' $profile >edited.tsv
fringe bfs kronecker:scale=5 -s 0 --verify --backend cuda --profile edited.tsv | grep -E '^(strategy|verified)'
fringe bfs kronecker:scale=5 -s 0 --backend cpu --profile edited.tsv 2>&1 | grep -oE '^fringe.*|profile: .*'
echo "more than there is"
fringe bfs kronecker:scale=5 -s 0 --backend cuda --profile edited.tsv --max-gpu-mem 1K |
    grep '^strategy' | sed -E 's/[0-9.]+ MB/SIZE/g; s/; cheapest.*//'
