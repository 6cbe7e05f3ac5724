#!/bin/bash
# SSSP over all GPUs of a host (strategy multi-device): correctness on small graphs, then times compared with one GPU
# on Kronecker 20, 22 and 24 with weights 1 to 255, 16 sources each, and the rounds of one source, in less than 90
# seconds on two H200s without the build. JSON lines on standard output.
#   bench/multi_sssp.sh [BUILD [DEVICES [SCALE SOURCES]... [rounds] [KNOB=VALUE,...]...]]
# Several settings of knobs take turns: bench/multi_sssp.sh build 2 24 16 rounds far_divisor=4 far_divisor=8
# BUILD: a folder configured with FRINGE_CUDA=ON and FRINGE_TESTS=ON, by default build; its programs are built if
# they are missing.
set -eu
case "${1:-}" in -h | --help) sed -n 2,8p "$0"; exit 0 ;; esac
build=${1:-build} devices=${2:-2}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- rounds
test=$build/tests/gpu/test_gpu_multi_sssp
bench=$build/bench/bench_multi_sssp
if [ ! -x "$test" ] || [ ! -x "$bench" ]; then
    cmake --build "$build" -j "$(nproc)" --target test_gpu_multi_sssp bench_multi_sssp >&2
fi
status=0
timeout 60 "$test" >&2 || status=$?
case $status in
0) ok=true ;;
77) echo "skip: fewer than two GPUs" >&2; exit 77 ;;
*) ok=false ;;
esac
echo "{\"program\": \"test_gpu_multi_sssp\", \"status\": $status, \"passed\": $ok}"
timeout 120 "$bench" "$devices" "$@" || status=$?
exit "$status"
