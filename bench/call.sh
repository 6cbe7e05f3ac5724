#!/bin/bash
# What a call waits for beyond the traversal's clock, on one GPU: call_wall on the graphs of `fringe bench --suite gpu` and
# batch_wall, of one build or of several in turns; at most 80 s a build, without building. Text on standard output.
#   bench/call.sh GRAPHS BUILD...
# GRAPHS: folder of cnr-2000 and osm-moscow-roads. BUILD: a folder configured with FRINGE_CUDA=ON; its programs are built if
# they are missing. TESTS=1: first runs the GPU tests of results and batches, if BUILD has them. THREADS: 16 by default.
set -eu
case "${1:-}" in -h | --help) sed -n 2,6p "$0"; exit 0 ;; esac
[ $# -ge 2 ] || { sed -n 4p "$0" >&2; exit 2; }
graphs=$1 threads=${THREADS:-16}
shift
status=0
# part SECONDS PROGRAM ARGUMENT...
part() {
    local begin=$SECONDS limit=$1 code=0
    shift
    echo "== $*"
    timeout "$limit" "$@" || code=$?
    [ $code = 0 ] || { echo "failed: $1: status $code"; status=1; }
    echo "-- $((SECONDS - begin)) s"
}
for build in "$@"; do
    if [ ! -x "$build/bench/call_wall" ] || [ ! -x "$build/bench/batch_wall" ]; then
        cmake --build "$build" -j "$(nproc)" --target call_wall batch_wall >&2
    fi
    for test in results batch queries; do
        [ "${TESTS:-0}" = 1 ] && [ -x "$build/tests/gpu/test_gpu_$test" ] && part 60 "$build/tests/gpu/test_gpu_$test"
    done
done
for build in "$@"; do
    part 45 "$build/bench/call_wall" -g "$graphs" -n 16 -t "$threads"
done
for build in "$@"; do
    part 20 "$build/bench/batch_wall" -n 64 -t "$threads" lj-like kron21
    part 25 "$build/bench/batch_wall" -n 64 -t "$threads" -p bfs kron24
done
exit $status
