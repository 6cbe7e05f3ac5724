#!/bin/bash
# The first answer of a process: a minimal CUDA program, step by step (first_answer.cu), and
# `fringe bfs --backend cuda` on a small binary graph, turn by turn; lazy and eager loading of
# modules. One JSON line per run; wall times in microseconds include the start of the process.
# usage: first_answer.sh [FRINGE [RUNS]]     FRINGE: build/fringe by default; RUNS: 9
set -eu
if [ "${1:-}" = --help ]; then
    sed -n '2,5s/^# //p' "$0"
    exit 0
fi
here=$(dirname "$0")
fringe=${1:-build/fringe}
runs=${2:-9}
nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
[ -x "$nvcc" ] || { echo "skip: no nvcc"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$nvcc" -O2 -std=c++17 -arch=native -o "$scratch/first_answer" "$here/first_answer.cu" 2>/dev/null ||
    "$nvcc" -O2 -std=c++17 -arch=sm_90 -o "$scratch/first_answer" "$here/first_answer.cu"
"$scratch/first_answer" >/dev/null 2>&1 || { echo "skip: no GPU can be used"; exit 77; }
"$fringe" convert "grid2d:rows=30,cols=33" "$scratch/small.fringe" >/dev/null 2>&1

# wall NAME COMMAND...: one line with the wall time
wall() {
    local name=$1 begin end
    shift
    begin=$(date +%s%N)
    "$@" >"$scratch/out" 2>&1
    end=$(date +%s%N)
    echo "{\"run\": \"$name\", \"wall_us\": $(((end - begin) / 1000))}"
}

for ((i = 0; i < runs; i++)); do
    wall minimal "$scratch/first_answer"
    cat "$scratch/out"
    for loading in LAZY EAGER; do
        wall "fringe, $loading" env CUDA_MODULE_LOADING=$loading "$fringe" bfs -s 0 --backend cuda --json \
            "$scratch/small.fringe"
        grep -o '"[a-z_]*_ns": *[0-9]*' "$scratch/out" | tr '\n' ' '
        echo
    done
done
