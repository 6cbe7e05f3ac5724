#!/bin/bash
# A strategy that runs on a GPU only, in a build without GPU strategies: the reason, whatever the backend; CMake leaves
# this case out where they are built.
run fringe sssp eight.mtx -s 1 -q --strategy multi-device
run fringe sssp eight.mtx -s 1 -q --strategy multi-device --backend cuda
run fringe bfs eight.mtx -s 1 -q --strategy hier-queue --backend cpu
run fringe bfs eight.mtx -s 1 -q --strategy hier
run fringe bfs eight.mtx -s 1 -q --strategy near-far
run fringe apsp eight.mtx -q --strategy auto --backend cuda
run fringe bfs eight.mtx -s 1 -q --backend cuda
# bench and graph500 give the same reasons, before they measure anything
run fringe bench eight.mtx --strategies serial,hier-queue
run fringe bench eight.mtx --strategies hier
run fringe bench eight.mtx --backend cuda
run fringe bench --suite smoke --strategies hier-queue
run fringe bench --suite smoke --backend cuda
run fringe graph500 --scale 4 --strategy hier-queue
run fringe graph500 --scale 4 --strategy near-far
run fringe graph500 --scale 4 --backend cuda
