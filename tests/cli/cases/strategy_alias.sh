#!/bin/bash
# `beamer` is another name of direction-optimizing; results carry the canonical name.
graph=kronecker:scale=7,seed=3
fringe bfs $graph -s 5 -q --strategy direction-optimizing -o - | cut -f1,2 >levels.tsv
fringe bfs $graph -s 5 -q --strategy beamer --knob alpha=3 --verify -o - | cut -f1,2 | cmp - levels.tsv
fringe bfs $graph -s 5 --strategy beamer --json | grep -o '"strategy": *"[^"]*"' | sort -u
fringe bfs $graph -s 5 -q --strategy bearer || echo refused
