#!/bin/sh
# make demo: installs what is missing, builds the command and only what it needs, in a folder
# of its own, and runs BFS and SSSP on the road graph that the repository ships, both verified. Where a
# GPU is present, the strategies `auto` of BFS and SSSP are built for it, for that GPU alone; `make` builds all.
# usage: tools/demo.sh    environment: BUILD (build-demo), CMAKE (cmake)
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build-demo} cmake=${CMAKE:-cmake}
graph=data/amsterdam-roads.gr.zst
source=1 # the graph's first junction

traverse() { # ARGS: one run of the command, shown
    printf '\n$ fringe %s\n' "$*"
    "$build/fringe" "$@"
}

tools/setup.sh build
begin=$(date +%s)
mkdir -p "$build"
"$cmake" -S . -B "$build" -G Ninja -DFRINGE_TESTS=OFF -DFRINGE_CUDA=GPU -DFRINGE_GPU_STRATEGIES=auto \
    >"$build/configure.log" 2>&1 || { cat "$build/configure.log"; exit 1; }
"$cmake" --build "$build" --target fringe
seconds=$(($(date +%s) - begin))

echo "The streets of Amsterdam, junctions and bends as vertices, lengths as weights ($graph)."
traverse bfs "$graph" -s "$source" --verify
traverse sssp "$graph" -s "$source" --verify
gpu=$(sed -n 's/^-- GPU strategies: //p' "$build/configure.log")
case $gpu in built*)
    traverse bfs "$graph" -s "$source" --verify --backend cuda
    traverse sssp "$graph" -s "$source" --verify --backend cuda
    ;;
esac
printf '\nbuilt in %s s: %s; GPU strategies %s\n' "$seconds" "$build/fringe" "$gpu"
printf '%s\n' "\`fringe\` is yours in this shell after:" "export PATH=$PWD/$build:\$PATH"
