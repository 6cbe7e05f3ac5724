#!/bin/bash
# BFS over all GPUs of a host (strategy multi-device): correctness on small graphs, then times compared with one GPU on
# Kronecker 22, 24 and 26, in less than four minutes on two H200s without the build. JSON lines on standard output.
#   bench/multi_device.sh [BUILD [DEVICES [SCALE SOURCES]... [KNOBS]... [levels]]]
# KNOBS, levels: see bench/micro/bench_multi_device.c.
# BUILD: a folder configured with FRINGE_CUDA=ON and FRINGE_TESTS=ON, by default build; its programs are built if
# they are missing.
set -eu
case "${1:-}" in -h | --help) sed -n 2,7p "$0"; exit 0 ;; esac
build=${1:-build} devices=${2:-2}
shift $(($# < 2 ? $# : 2))
test=$build/tests/gpu/test_gpu_multi_devices
bench=$build/bench/bench_multi_device
if [ ! -x "$test" ] || [ ! -x "$bench" ]; then
    cmake --build "$build" -j "$(nproc)" --target test_gpu_multi_devices bench_multi_device >&2
fi
status=0
timeout 60 "$test" >&2 || status=$?
case $status in
0) ok=true ;;
77) echo "skip: fewer than two GPUs" >&2; exit 77 ;;
*) ok=false ;;
esac
echo "{\"program\": \"test_gpu_multi_devices\", \"status\": $status, \"passed\": $ok}"
timeout 180 "$bench" "$devices" "$@" || status=$?
exit "$status"
