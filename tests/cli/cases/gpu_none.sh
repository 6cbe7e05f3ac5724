#!/bin/bash
# No GPU here: said in words, exit 4; auto needs none.
[ ! -e /dev/nvidiactl ] && ! command -v nvidia-smi >/dev/null || { echo "skip: there is a GPU"; exit 77; }
fringe list strategies | grep -q ' cuda ' || { echo "skip: built without CUDA"; exit 77; }
run fringe bfs eight.mtx -s 1 -q --backend cuda --strategy queue
run fringe bfs eight.mtx -s 1 -q --verify
