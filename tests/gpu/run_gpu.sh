#!/bin/bash
# make test-gpu: builds, runs the suite of the GPU rows on a real GPU, then a reduced one under
# compute-sanitizer beside graphs of more than 2^31 edges, then each BFS row again and again. About
# ten minutes on an H200 with 16 cores (estimated from parts). Ends with a summary, also in $LOG.
#   LOG=FILE         the log (default $BUILD/test-gpu.log)
#   BUILD=DIR        where to build (default build-gpu)
#   JOBS=1           programs at once of the native suite; beside each other they take turns, each
#                    launch waiting for its turn
#   REDUCED=2        knob settings per strategy under compute-sanitizer; 0: none
#   TOOLS="memcheck racecheck initcheck synccheck"
#   SHAPES=hubs      graphs under compute-sanitizer; memcheck has "kronecker-directed" too
#   TOOL_JOBS=6      programs at once there, which spend most of their time starting
#   LIMIT=150        seconds for one tool and strategy
#   LARGE=1          graphs of 2.3e9 and 4.4e9 edges (40 GB of host memory); 0: none
#   STRESS=1000      runs per strategy; 0: none
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build-gpu} STRESS=${STRESS:-1000} LARGE=${LARGE:-1} REDUCED=${REDUCED:-2} LIMIT=${LIMIT:-150}
TOOLS=${TOOLS-memcheck racecheck initcheck synccheck} SHAPES=${SHAPES:-hubs} TOOL_JOBS=${TOOL_JOBS:-6} JOBS=${JOBS:-1}
cores=$(nproc)
mkdir -p "$BUILD"
BUILD=$(cd "$BUILD" && pwd) LOG=${LOG:-$BUILD/test-gpu.log}

missing() {
    echo "test-gpu: $1" >&2
    exit 2
}
PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer
command -v nvcc >/dev/null || missing "no nvcc: the CUDA toolkit is not installed (or not in PATH)"
command -v nvidia-smi >/dev/null || missing "no nvidia-smi: no NVIDIA driver is installed"
gpu=$(nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader 2>&1 | head -1) ||
    missing "no GPU: $gpu"
[[ $gpu == *,*,* ]] || missing "no GPU: $gpu"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$LOG"
say() { echo "$*" | tee -a "$LOG"; }
failed=0 began=$SECONDS

# Runs the lines of standard input ("NAME COMMAND..."), $1 at once; the last line that each says,
# and all of what a failed one says, goes to the log.
# shellcheck disable=SC2317 # xargs calls it
one_line() {
    local name=${1%% *} command=${1#* } start=$SECONDS code
    bash -c "$command" >"$work/$name" 2>&1
    code=$?
    echo "$name: $(grep -E 'failed$|ERROR SUMMARY|RACECHECK SUMMARY|^skip' "$work/$name" |
        sed 's/^=* *//' | paste -sd ';'), exit $code, $((SECONDS - start)) s"
    [ "$code" -eq 0 ] || { tail -60 "$work/$name"; touch "$work/failed"; }
}
# A row under a tool: fails when the program does or the tool reports anything. It always warns that
# it looks at no child launches (and counts that as an error): that alone is no report.
# shellcheck disable=SC2317 # a line of the list calls it
watched() {
    local tool=$1 code
    shift
    local options=(--tool "$tool")
    [ "$tool" = initcheck ] && options+=(--check-api-memory-access no) # host writes go unseen
    FRINGE_REDUCED=$REDUCED timeout "$LIMIT" compute-sanitizer "${options[@]}" "$@" >"$work/$tool.$$" 2>&1
    code=$?
    cat "$work/$tool.$$"
    grep '^=========' "$work/$tool.$$" |
        grep -qvE 'COMPUTE-SANITIZER|Dynamic Parallelism|SUMMARY|^========= *$' && code=9
    return "$code"
}
export -f one_line watched
export REDUCED LIMIT
export work
all_lines() {
    rm -f "$work/failed"
    # shellcheck disable=SC2016 # the inner shell expands it
    tr '\n' '\0' | xargs -0 -r -P "$1" -I{} bash -c 'one_line "$1"' _ {} | tee -a "$LOG"
    [ ! -e "$work/failed" ] || failed=1
}

say "date: $(date -u +%FT%TZ)"
say "gpu: $gpu"
say "commit: ${COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}"
say "nvcc: $(nvcc --version | grep release)"

generator=()
command -v ninja >/dev/null && generator=(-G Ninja)
{ cmake -S . -B "$BUILD" "${generator[@]}" -DFRINGE_GPU_TESTS_ONLY=ON -DFRINGE_ARCHIVE=OFF &&
    cmake --build "$BUILD" -j "$cores"; } >"$work/build" 2>&1 ||
    { tail -40 "$work/build" | tee -a "$LOG"; say "test-gpu: the build failed"; exit 1; }
say "built in $((SECONDS - began)) s"

programs=$(find "$BUILD/tests/gpu" -maxdepth 1 -type f -perm -u+x -name 'test_gpu_*' -printf '%f\n' | sort)
by_row() { case $1 in test_gpu_bfs | test_gpu_sssp | test_gpu_apsp) return 0 ;; *) return 1 ;; esac; }
start=$SECONDS
say "== native: every row, shape, query and knob setting"
for program in $programs; do
    path=$BUILD/tests/gpu/$program
    if by_row "$program"; then
        for row in $("$path" --rows); do echo "${program#test_gpu_}-$row $path $row"; done
    else
        echo "${program#test_gpu_} $path"
    fi
done >"$work/list"
all_lines "$JOBS" <"$work/list"
say "native: $((SECONDS - start)) s"

start=$SECONDS
: >"$work/list"
if [ "$LARGE" -gt 0 ]; then
    say "== large: more than 2^31 and more than 2^32 edges, beside the tools"
    echo "large $BUILD/tests/gpu/gpu_large" >"$work/list"
fi
if [ "$REDUCED" -gt 0 ] && [ -n "$TOOLS" ]; then
    command -v compute-sanitizer >/dev/null || missing "no compute-sanitizer in PATH or the CUDA folder"
    say "== $TOOLS: $REDUCED knob settings of each row on: $SHAPES"
    for tool in $TOOLS; do
        shapes=$SHAPES
        [ "$tool" != memcheck ] || shapes="kronecker-directed $SHAPES"
        for program in $programs; do
            by_row "$program" || continue
            path=$BUILD/tests/gpu/$program
            for row in $("$path" --rows); do
                echo "$tool-${program#test_gpu_}-$row watched $tool $path $row $shapes"
            done
        done
    done >>"$work/list"
fi
all_lines "$TOOL_JOBS" <"$work/list"
say "compute-sanitizer and large: $((SECONDS - start)) s"

if [ "$STRESS" -gt 0 ]; then
    start=$SECONDS
    say "== stress: $STRESS runs of each row, levels compared, parents validated"
    for row in $("$BUILD/tests/gpu/test_gpu_bfs" --rows); do
        echo "stress-$row $BUILD/tests/gpu/gpu_stress $STRESS $row"
    done >"$work/list"
    all_lines "$JOBS" <"$work/list"
    say "stress: $((SECONDS - start)) s"
fi

say "test-gpu: $([ $failed -eq 0 ] && echo passed || echo FAILED) in $((SECONDS - began)) s"
exit $failed
