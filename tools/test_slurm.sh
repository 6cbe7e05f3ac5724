#!/bin/bash
# Ranks started by Slurm: builds the command and the plugin, and runs tests/ranks/slurm.sh with them.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake -S . -B build/slurm -G Ninja -DFRINGE_CUDA=OFF -DFRINGE_TESTS=OFF >build/slurm.log || { cat build/slurm.log; exit 1; }
ninja -C build/slurm fringe fringe_mpi >>build/slurm.log || { cat build/slurm.log; exit 1; }
tests/ranks/slurm.sh "$PWD/build/slurm/fringe" "$PWD/build/slurm/fringe-mpi.so" "$PWD"
