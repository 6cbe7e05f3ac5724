#!/bin/bash
# Parts of closeness and harmonic centrality are those of one call; a killed command continues; other checkpoints are refused.
graph=("kronecker:scale=13,edge_factor=8" --undirected --measure both)
run fringe centrality "${graph[@]}" -q -o whole.tsv
head -1 whole.tsv
run fringe centrality "${graph[@]}" -q -o first.tsv --count 3000
run fringe centrality "${graph[@]}" -q -o last.tsv --first 3000
{ cat first.tsv; tail -n +2 last.tsv; } | cmp - whole.tsv && echo "parts are equal"
run fringe centrality "${graph[@]}" --first 100 --count 1 --json | grep -o '"top[^]]*]'
"$FRINGE" centrality "${graph[@]}" -q -o made.tsv --threads 1 --backend cpu --checkpoint kept --checkpoint-every 64 &
for ((i = 0; i < 200 && $(stat -c %s kept 2>/dev/null || echo 0) <= 256; i++)); do sleep 0.05; done
{ kill -KILL $! && wait $!; } 2>/dev/null # no harm where it has ended
run fringe centrality "${graph[@]}" -o made.tsv --json --checkpoint kept --checkpoint-every 1000 | grep -o '"measure":"[^"]*"'
cmp made.tsv whole.tsv && echo "a killed command continues"
fringe centrality "${graph[@]}" -o made.tsv --checkpoint kept 2>&1 | grep saved
for other in --measure=closeness --reached-only --count=9; do
    run fringe centrality "${graph[@]}" "$other" --checkpoint kept
done
run fringe centrality "${graph[@]/13/12}" --checkpoint kept
rm kept
fringe centrality "${graph[@]}" --checkpoint kept --checkpoint-every 3000 2>&1 | grep saved | sed 's/, [0-9].*/, RATE/'
run fringe centrality "${graph[@]}" --first 8193
run fringe centrality "${graph[@]}" --checkpoint-every 5
run fringe centrality star:n=5 --checkpoint kept
