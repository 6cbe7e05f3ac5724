#!/bin/bash
# The counters and kernels that the command prints in a build whose kernels count.
graph=kronecker:scale=6,seed=1
# Removes lines that name the graph, sources and times, and hides counters that depend on the order of threads.
reproducible() {
    grep -vE '^(graph|size|loaded|source|time|clocks|rate|reached|    *[0-9]+ )' |
        sed -E -e 's/duplicates_found [0-9]+/duplicates_found N/' -e 's/atomics [1-9][0-9]*/atomics N/'
}

for strategy in queue simple; do
    echo "\$ $strategy"
    fringe bfs $graph -s 1 --backend cuda --strategy $strategy --counters --explain | steady | reproducible
done

# Vertices that a bottom-up pass visits a level early: only if it may.
for knobs in async=0 async=1; do
    echo "\$ xbfs $knobs"
    fringe bfs kronecker:scale=10,seed=1 --undirected -s 1 --backend cuda --strategy xbfs --counters \
        --knob $knobs --knob balance=2 | grep -oE 'early [0-9]+' | sed -E 's/early [1-9][0-9]*/early N/'
done
