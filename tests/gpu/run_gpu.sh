#!/bin/bash
# make test-gpu: builds, runs the suite of the GPU rows on every GPU of this machine, then a reduced
# one under compute-sanitizer beside graphs of more than 2^31 edges. Before that each BFS row again
# and again. Programs are dealt out to the GPUs, the longest first; native ones have a GPU to
# themselves, since beside each other they take turns, each launch waiting for its turn. On four H200s
# four and a half minutes without the build. Ends with a summary; all of it is also in $LOG.
#   LOG=FILE          the log (default $BUILD/test-gpu.log)
#   BUILD=DIR         where to build (default build-gpu)
#   SKIP_BUILD=1      takes the programs as they are in $BUILD/tests/gpu and $BUILD/watched/tests/gpu,
#                     or in $BUILD and $BUILD/watched: needs no nvcc
#   COMMIT=NAME       what the log says was built (default: git describe)
#   GPUS="0 2"        the GPUs to use (default: CUDA_VISIBLE_DEVICES, else all)
#   ONLY=REGEX        only the programs of such names (native-bfs-xbfs, stress-scan, memcheck-sssp-hbf)
#   BUDGET=SECONDS    what has not begun by then is not run, said so, and a failure (default: no end)
#   NATIVE_LIMIT=400  seconds for one native program
#   REDUCED=2         knob settings per strategy under compute-sanitizer; 0: none
#   TOOLS="memcheck racecheck initcheck synccheck"
#   SHAPES=hubs       graphs under compute-sanitizer; memcheck has "kronecker-directed" too
#   APSP_SHAPES=dag   those of rows for all pairs
#   DENSE_SHAPES=cycle-directed   those of floyd-warshall, n^3 under a tool
#   TOOL_JOBS=6       programs at once on a GPU there, which spend most of their time starting
#   LIMIT=150         seconds for one tool and strategy
#   LARGE=1           graphs of 2.3e9 and 4.4e9 edges (28 GB of host memory for each GPU); 0: none
#   STRESS=1000       runs per strategy; 0: none
set -u
cd "$(dirname "$0")/../.." || exit 2
BUILD=${BUILD:-build-gpu} STRESS=${STRESS:-1000} LARGE=${LARGE:-1} REDUCED=${REDUCED:-2} LIMIT=${LIMIT:-150}
TOOLS=${TOOLS-memcheck racecheck initcheck synccheck} SHAPES=${SHAPES:-hubs} APSP_SHAPES=${APSP_SHAPES:-dag}
DENSE_SHAPES=${DENSE_SHAPES:-cycle-directed}
TOOL_JOBS=${TOOL_JOBS:-6}
NATIVE_LIMIT=${NATIVE_LIMIT:-400} BUDGET=${BUDGET:-0} ONLY=${ONLY:-} SKIP_BUILD=${SKIP_BUILD:-}
mkdir -p "$BUILD"
BUILD=$(cd "$BUILD" && pwd) LOG=${LOG:-$BUILD/test-gpu.log}

missing() {
    echo "test-gpu: $1" >&2
    exit 2
}
PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer
[ -n "$SKIP_BUILD" ] || command -v nvcc >/dev/null ||
    missing "no nvcc: the CUDA toolkit is not installed (or not in PATH)"
command -v nvidia-smi >/dev/null || missing "no nvidia-smi: no NVIDIA driver is installed"
ask="nvidia-smi --query-gpu=index,name,driver_version,compute_cap --format=csv,noheader"
present=$($ask 2>&1) || missing "no GPU: $present"
[[ $present == *,*,*,* ]] || missing "no GPU: $present"
GPUS=${GPUS:-${CUDA_VISIBLE_DEVICES:-$(cut -d, -f1 <<<"$present")}}
read -ra gpus <<<"$(tr ',\n' '  ' <<<"$GPUS")"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$LOG"
say() { echo "$*" | tee -a "$LOG"; }
began=$SECONDS

# Twice: racecheck, initcheck and synccheck see nothing in a program whose kernels may launch others.
# The second build's launch none.
build() {
    local generator=() watched directory=$BUILD
    command -v ninja >/dev/null && generator=(-G Ninja)
    for watched in OFF ON; do
        cmake -S . -B "$directory" "${generator[@]}" -DFRINGE_GPU_TESTS_ONLY=ON -DFRINGE_ARCHIVE=OFF \
            -DFRINGE_SANITIZER_BUILD=$watched && cmake --build "$directory" -j "$(nproc)" || return 1
        directory=$BUILD/watched
    done
}

# ---- programs, a line each: "SECONDS NAME COMMAND...", seconds as once seen, to begin with the longest

seconds_of() {
    case $1 in
    native-sssp-*) echo 40 ;;
    native-apsp-*) echo 30 ;;
    native-*) echo 12 ;; # bfs, extremes
    large-*) echo 60 ;;
    memcheck-apsp-floyd*) echo 20 ;;
    stress-*) echo 8 ;;
    *) echo 3 ;;
    esac
}
program() { # NAME COMMAND...
    [[ $1 =~ $ONLY ]] && echo "$(seconds_of "$1") $*"
    return 0
}
by_row() { case $1 in test_gpu_bfs | test_gpu_sssp | test_gpu_apsp) return 0 ;; *) return 1 ;; esac }
native_programs() {
    local path part row
    for path in "$programs"/test_gpu_*; do
        part=${path##*/test_gpu_}
        if by_row "test_gpu_$part"; then
            for row in $("$path" --rows); do program "native-$part-$row" "$path" "$row"; done
        else
            program "native-$part" "$path"
        fi
    done
    for row in $bfs_rows; do program "native-extremes-$row" "$programs/gpu_extremes" "$row"; done
    [ "$STRESS" -gt 0 ] || return 0
    for row in $bfs_rows; do program "stress-$row" "$programs/gpu_stress" "$STRESS" "$row"; done
}
# The rows are dealt out to as many programs as there are GPUs: each makes the graphs for itself.
large_programs() {
    local group row i
    for ((group = 1; group <= ${#gpus[@]}; group++)); do
        i=0 list=()
        for row in $bfs_rows; do ((i++ % ${#gpus[@]} == group - 1)) && list+=("$row"); done
        ((${#list[@]} == 0)) || program "large-$group" "$programs/gpu_large" "${list[@]}"
    done
}
tool_programs() {
    local tool path part row shapes from small
    for tool in $TOOLS; do
        shapes=$SHAPES from=$watched
        [ "$tool" != memcheck ] || shapes="kronecker-directed $SHAPES" from=$programs
        program "planted-$tool" planted "$tool" "$from/gpu_planted"
        for part in bfs sssp apsp; do
            path=$from/test_gpu_$part small=$shapes
            [ "$part" != apsp ] || small="$APSP_SHAPES"
            for row in $("$path" --rows); do
                [ "$row" != floyd-warshall ] || small=$DENSE_SHAPES
                program "$tool-$part-$row" watched "$tool" "$path" "$row" "$small"
            done
        done
    done
}

# ---- running them

# A row under a tool: fails when the program does or the tool remarks anything.
# shellcheck disable=SC2317 # run_one calls it
watched() {
    local tool=$1 code out=$work/$name.tool
    shift
    local options=(--tool "$tool")
    [ "$tool" = initcheck ] && options+=(--check-api-memory-access no) # host writes go unseen
    FRINGE_REDUCED=$REDUCED compute-sanitizer "${options[@]}" "$@" >"$out" 2>&1
    code=$?
    cat "$out"
    [ -z "$(remarks "$out")" ] || code=9
    return "$code"
}
# A program with a fault under the tool for such faults: fails when that says nothing.
# shellcheck disable=SC2317 # run_one calls it
planted() {
    local out=$work/$name.planted
    compute-sanitizer --tool "$1" "$2" "$1" >"$out" 2>&1
    cat "$out"
    if remarks "$out" | grep -q '^REPORT'; then
        echo "a planted fault was reported: 1 cases, 0 failed"
    else
        echo "$1 did not report a planted fault: 1 cases, 1 failed"
        return 1
    fi
}
# What the tools remarked in FILES..., block by block: "REPORT|BLIND  NAMES  TEXT", tabs between, the
# text's lines joined by "|". Addresses are left out, so that equal remarks are one. BLIND: the tool
# says that it does not know launches from a kernel, and looks at nothing then.
remarks() {
    awk '
        function close_block() {
            if (text != "" && index(names[text] " ", " " name " ") == 0) names[text] = names[text] " " name
            text = ""
        }
        FNR == 1 { close_block(); name = FILENAME; gsub(/.*\/|\.(tool|planted)$/, "", name) }
        !/^=========/ { next }
        { sub(/^=+ ?/, ""); gsub(/0x[0-9a-f]+/, "0x..") }
        /^ *$/ || /^COMPUTE-SANITIZER/ || /SUMMARY/ { close_block(); next }
        { text = text "|" $0 }
        END {
            close_block()
            for (t in names) {
                kind = t ~ /Dynamic Parallelism is not supported/ ? "BLIND" : "REPORT"
                print kind "\t" substr(names[t], 2) "\t" substr(t, 2)
            }
        }' "$@" /dev/null
}
# One program on a GPU. The last line that it says, and all of what a failed one says, goes to the log.
run_one() {
    local gpu=$1 start=$SECONDS code left=$NATIVE_LIMIT text
    name=$2
    shift 2
    [[ $1 != watched && $1 != planted ]] || left=$LIMIT
    if [ "$BUDGET" -gt 0 ] && [ "$left" -gt $((BUDGET - SECONDS + began)) ]; then
        left=$((BUDGET - SECONDS + began))
    fi
    if [ "$left" -le 0 ]; then
        text="$name: not begun: the $BUDGET s are spent" code=124
    else
        export CUDA_VISIBLE_DEVICES=$gpu name
        timeout "$left" bash -c '"$@"' _ "$@" >"$work/$name" 2>&1
        code=$?
        text="$name: $(grep -E 'failed$|ERROR SUMMARY|RACECHECK SUMMARY|^skip' "$work/$name" |
            sed 's/^=* *//' | paste -sd ';'), exit $code, $((SECONDS - start)) s, GPU $gpu"
        [ "$code" -eq 0 ] || text+=$'\n'$(tail -60 "$work/$name")
    fi
    [ "$code" -eq 0 ] || touch "$work/failed"
    flock "$work/log.lock" tee -a "$LOG" <<<"$text"
}
export -f watched planted remarks
export work REDUCED
# Runs the lines of the list FILE, JOBS at once on each GPU.
run_list() {
    local jobs=$1 gpu slot line words
    sort -s -k1,1nr "$2" >"$2.sorted"
    exec 8<"$2.sorted" # its place is shared by all workers
    for gpu in "${gpus[@]}"; do
        for ((slot = 0; slot < jobs; slot++)); do
            while { flock 9; read -r line <&8; code=$?; flock -u 9; [ $code -eq 0 ]; } 9<"$work"; do
                read -ra words <<<"$line"
                run_one "$gpu" "${words[@]:1}" 8<&-
            done &
        done
    done
    wait
    exec 8<&-
}
# "native: 24 programs, 61234 cases, 0 failed" from the lines of the log that begin with such a name.
count_up() {
    grep -E "^($1)-[a-z0-9-]+: " "$LOG" | awk -v what="$2" '
        { programs++; bad += !/, exit 0, / }
        match($0, /[0-9]+ (cases|checks|runs|traversals), [0-9]+ failed/) {
            split(substr($0, RSTART, RLENGTH), part, /[ ,]+/); cases += part[1]; failed += part[3]
        }
        END { printf "%s: %d programs, %d of them failed; %d cases, %d failed\n", what, programs, bad, cases, failed }'
}

# ---- the whole

say "date: $(date -u +%FT%TZ)"
while read -r line; do say "gpu: $line"; done <<<"$present"
say "GPUs used: ${gpus[*]}; cores: $(nproc)"
say "commit: ${COMMIT:-$(git describe --always --dirty 2>/dev/null || echo unknown)}"
if [ -z "$SKIP_BUILD" ]; then
    say "nvcc: $(nvcc --version | grep release)"
    build >"$work/build" 2>&1 ||
        { tail -40 "$work/build" | tee -a "$LOG"; say "test-gpu: the build failed"; exit 1; }
    say "built in $((SECONDS - began)) s"
fi
programs=$BUILD/tests/gpu watched=$BUILD/watched/tests/gpu
[ -d "$programs" ] || programs=$BUILD watched=$BUILD/watched
[[ -x $programs/test_gpu_bfs && -x $watched/test_gpu_bfs ]] || missing "no programs in $programs or $watched"
[ -z "$SKIP_BUILD" ] ||
    say "programs: as they were, $(cat "$programs"/*gpu_* "$watched"/*gpu_* | sha256sum | cut -c1-16)"
[ -z "$ONLY" ] || say "a part: ONLY=$ONLY"
bfs_rows=$("$programs/test_gpu_bfs" --rows)

start=$SECONDS
say "== native: every row, shape, query and knob setting; degrees of 10^6, depths beyond 10^5, a thousand sizes; stress: $STRESS runs of each BFS row, levels compared, parents validated"
native_programs >"$work/list"
run_list 1 "$work/list"
say "native and stress: $((SECONDS - start)) s"

start=$SECONDS
: >"$work/tools"
: >"$work/large"
[ "$LARGE" -eq 0 ] || large_programs >"$work/large"
if [ "$REDUCED" -gt 0 ] && [ -n "$TOOLS" ]; then
    command -v compute-sanitizer >/dev/null || missing "no compute-sanitizer in PATH or the CUDA folder"
    tool_programs >"$work/tools"
fi
say "== large: more than 2^31 and more than 2^32 edges; $TOOLS: $REDUCED knob settings of each row on $SHAPES, and a planted fault for each tool"
(run_list 1 "$work/large") &
(run_list "$TOOL_JOBS" "$work/tools")
wait
say "compute-sanitizer and large: $((SECONDS - start)) s"

if compgen -G "$work/*.tool" >/dev/null; then
    say "== all that compute-sanitizer remarked, in full"
    remarks "$work"/*.tool | while IFS=$'\t' read -r kind names text; do
        say "$kind, from $(wc -w <<<"$names") programs: $names"
        tr '|' '\n' <<<"$text" | sed 's/^/    /' | tee -a "$LOG"
    done
fi

say "== in all"
count_up native native | tee -a "$LOG"
count_up stress stress | tee -a "$LOG"
count_up large large | tee -a "$LOG"
for tool in $TOOLS planted; do count_up "$tool" "$tool" | tee -a "$LOG"; done
for gpu in "${gpus[@]}"; do
    say "GPU $gpu: $(grep -cE ", GPU $gpu\$" "$LOG") programs"
done
verdict=passed code=0
[ ! -e "$work/failed" ] || verdict=FAILED code=1
say "test-gpu: $verdict in $((SECONDS - began)) s"
exit "$code"
