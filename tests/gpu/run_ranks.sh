#!/bin/bash
# Builds and runs tests/gpu/gpu_ranks, BFS and SSSP on ranks with a GPU each, on a machine with GPUs. NCCL is from
# NCCL_HOME, else of the Python package nvidia-nccl-cu12 (which torch brings).
# usage: run_ranks.sh [BUILD_DIR [RANKS [SCALE [times]]]]    times: of the Kronecker graph alone
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
build=${1:-$source/build-gpu-ranks}
root=${NCCL_HOME:-$(python3 -c 'import nvidia.nccl as p; print(list(p.__path__)[0])' || true)}
cmake -S "$source" -B "$build" -G Ninja -DFRINGE_CUDA=GPU -DFRINGE_GPU_TESTS_ONLY=ON -DFRINGE_ARCHIVE=OFF \
    -DFRINGE_NCCL_ROOT="$root"
ninja -C "$build" gpu_ranks
"$build/tests/gpu/gpu_ranks" "${@:2}"
