#!/bin/bash
# Scaling over the GPUs of a host, in one call of less than ten minutes with the build on four H200s and 64 cores: BFS
# of Kronecker 22 to 28 and SSSP of Kronecker 20 to 26 on 2, 4 and 8 GPUs, if the host has them, compared with
# one; rows of all pairs and many sources divided among them; then the tests that use several GPUs. Lines for
# bench/results on standard output, each as soon as it is measured: JSON, and `#` lines that say how a step ended.
#   bench/scaling_gpus.sh [BUILD [STEP]...]
# BUILD: build-gpus by default; a folder without programs is configured for them. STEP, the cheap ones first: bfs sssp
# devices bfs-27 sssp-26 bfs-28 tests ranks; and, not by default, bfs-29, sssp-27 and sssp-28, whose graphs take 70 to
# 98 GB of one GPU and of the host: each number of GPUs is measured alone.
# LIMIT: seconds for everything, 570 by default; COMMIT: of the sources, if there is no .git here.
set -eu
case "${1:-}" in -h | --help) sed -n 2,10p "$0"; exit 0 ;; esac
root=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-build-gpus} limit=${LIMIT:-570}
shift $(($# > 0))
[ $# -gt 0 ] || set -- bfs sssp devices bfs-27 sssp-26 bfs-28 tests ranks

gpus=$(nvidia-smi --query-gpu=index --format=csv,noheader | wc -l)
counts=''
for count in 2 4 8; do
    if [ "$gpus" -ge "$count" ]; then counts="$counts $count"; fi
done
[ -n "$counts" ] || [[ "$*" =~ ^(bfs-29|sssp-2[78])$ ]] || { echo "skip: fewer than two GPUs" >&2; exit 77; }

targets='bench_turns test_gpu_multi_devices test_gpu_multi_sssp test_gpu_devices gpu_ranks'
if [ ! -x "$build/bench/bench_turns" ] || [ ! -x "$build/tests/gpu/gpu_ranks" ]; then
    if [ ! -e "$build/CMakeCache.txt" ]; then
        nccl=${NCCL_HOME:-$(python3 -c 'import nvidia.nccl as p; print(list(p.__path__)[0])' 2>/dev/null || true)}
        cmake -S "$root" -B "$build" -G Ninja -DFRINGE_CUDA=GPU -DFRINGE_GPU_TESTS_ONLY=ON -DFRINGE_ARCHIVE=OFF \
            -DFRINGE_NCCL_ROOT="$nccl" >&2
    fi
    # shellcheck disable=SC2086 # words
    cmake --build "$build" -j "$(nproc)" --target $targets >&2
    echo "# built after $SECONDS s"
fi

field() { nvidia-smi --query-gpu="$1" --format=csv,noheader | head -n 1; }
commit=${COMMIT:-$(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)}
echo "{\"date\": \"$(date +%F)\", \"device\": \"$(field name)\", \"driver\": \"$(field driver_version)\", \"gpus\": $gpus, \"cores\": $(nproc)," \
    "\"commit\": \"$commit\"}"

status=0 to=1
# step NAME PROGRAM ARGUMENTS...: within the time that is left, its output to descriptor $to.
step() {
    local name=$1 begin=$SECONDS code=0
    shift
    if [ $((limit - SECONDS)) -gt 0 ]; then
        timeout $((limit - SECONDS)) "$@" >&"$to" || code=$?
        echo "# $name: exit status $code after $((SECONDS - begin)) s"
    else
        code=124
        echo "# $name: not started, no time is left"
    fi
    if [ "$code" -ne 0 ] && [ "$code" -ne 77 ]; then status=1; fi
}

# turns NAME SIDE OPTIONS...: SIDE on each number of GPUs compared with auto on one of them; evenly spaced sources.
turns() {
    local name=$1 side=$2
    shift 2
    # shellcheck disable=SC2086 # words
    step "$name" "$build/bench/bench_turns" -e "$@" auto@1 ${counts// / $side@}
}
# traversals NAME PROBLEM [SCALE SOURCES]...
traversals() {
    local name=$1 problem=$2
    shift 2
    for (( ; $#; )); do
        turns "$name" multi-device:all=1 -p "$problem" -n "$2" "kronecker:scale=$1,seed=1"
        shift 2
    done
}

# alone PROBLEM SCALE: each number of GPUs by itself, for graphs that one GPU does not hold twice.
alone() {
    local count
    step "$name" "$build/bench/bench_turns" -e -p "$1" -n 4 "kronecker:scale=$2,seed=1" auto@1
    for count in $counts; do
        step "$name" "$build/bench/bench_turns" -e -p "$1" -n 4 "kronecker:scale=$2,seed=1" "multi-device:all=1@$count"
    done
}

for name; do
    case $name in
    bfs) traversals bfs bfs 22 32 23 32 24 32 25 32 26 16 ;;
    bfs-27) traversals bfs-27 bfs 27 16 ;;
    bfs-28) traversals bfs-28 bfs 28 8 ;;
    sssp) traversals sssp sssp 20 16 21 16 22 16 23 16 24 16 ;;
    sssp-26) traversals sssp-26 sssp 25 16 26 8 ;;
    bfs-29) alone bfs 29 ;;
    sssp-27) alone sssp 27 ;;
    sssp-28) alone sssp 28 ;;
    devices)
        turns rows auto -p apsp -w none -n 4096 kronecker:scale=20,seed=1
        turns weighted-rows auto -p apsp -n 512 kronecker:scale=20,seed=1
        turns sources auto -a -n 64 kronecker:scale=24,seed=1
        ;;
    tests)
        to=2
        for part in multi_devices multi_sssp devices; do step "test_gpu_$part" "$build/tests/gpu/test_gpu_$part"; done
        to=1
        ;;
    ranks) step ranks "$build/tests/gpu/gpu_ranks" ;;
    *) echo "scaling_gpus.sh: no step $name" >&2; exit 2 ;;
    esac
done
exit "$status"
