#!/bin/bash
# A strategy that runs on a GPU only, in a build without GPU strategies: the reason, whatever the backend; CMake leaves
# this case out where they are built.
run fringe sssp eight.mtx -s 1 -q --strategy multi-device
run fringe sssp eight.mtx -s 1 -q --strategy multi-device --backend cuda
run fringe bfs eight.mtx -s 1 -q --strategy hier-queue --backend cpu
run fringe bfs eight.mtx -s 1 -q --strategy hier
run fringe bfs eight.mtx -s 1 -q --strategy near-far
run fringe apsp eight.mtx -q --strategy auto --backend cuda
