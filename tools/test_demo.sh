#!/bin/bash
# The build of `make demo` on a machine with a GPU, which nvcc alone is enough for: it links, lists on the GPU what it
# is to have, and takes at most 150 s of processor time, 75 s of two cores: half of it is auto.cu of SSSP and of BFS.
# usage: tools/test_demo.sh    environment: ARCHITECTURE (90-real)
set -euo pipefail
cd "$(dirname "$0")/.."
command -v nvcc >/dev/null || [ -x /usr/local/cuda/bin/nvcc ] || { echo "skip: no nvcc here"; exit 77; }
most=150 build=build/demo
export CCACHE_DISABLE=1
rm -rf "$build"
mkdir -p "$build"

compile() {
    cmake -S . -B "$build" -G Ninja -DFRINGE_TESTS=OFF -DFRINGE_CUDA=ON -DFRINGE_GPU_STRATEGIES=auto \
        -DFRINGE_CUDA_ARCHITECTURES="${ARCHITECTURE:-90-real}"
    cmake --build "$build" --target fringe
}
TIMEFORMAT='%U %S'
if ! { time compile >build/demo.log 2>&1; } 2>build/demo.time; then
    tail -20 build/demo.log
    exit 1
fi
has=$("$build/fringe" list strategies | awk '$2 == "cuda" { printf "%s %s, ", $1, $3 }')
[ "$has" = 'bfs auto, sssp auto, sssp topology-bf, ' ] || { echo "on the GPU it has: $has"; exit 1; }
read -r user system <build/demo.time
echo "processor time: $user s, and $system s of the system"
awk -v s="$user" -v t="$system" -v most=$most 'BEGIN { exit !(s + t <= most) }' || { echo "more than $most s"; exit 1; }
