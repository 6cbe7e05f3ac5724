#!/bin/bash
# `beamer` is another name of direction-optimizing; results carry the canonical name.
graph=kronecker:scale=7,seed=3
fringe bfs $graph -s 5 -q --strategy direction-optimizing -o - | cut -f1,2 >levels.tsv
fringe bfs $graph -s 5 -q --strategy beamer --knob alpha=3 --verify -o - | cut -f1,2 | cmp - levels.tsv
fringe bfs $graph -s 5 --strategy beamer --json | grep -o '"strategy": *"[^"]*"' | sort -u
fringe bfs $graph -s 5 -q --strategy bearer || echo refused
fringe bfs $graph -s 5 --strategy beamer --knob alpha=3 --json | grep -o '"knobs":{[^}]*}'
fringe list strategies | grep -A1 ' direction-optimizing ' | tail -1
fringe list strategies --json | grep -o '"name":"direction-optimizing","alias":"[^"]*"'
fringe bench $graph --problem bfs --backend cpu --strategies serial,beamer --sources 1 --json |
    grep -o '"strategy":"[^"]*"'
fringe help --completion bash | grep -o "direction-optimizing beamer" | sort -u
