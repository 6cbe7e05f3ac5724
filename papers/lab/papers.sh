#!/bin/sh
# make bench-papers: builds and runs what measures the papers' tables and figures, fills papers/pages.
#   papers/lab/papers.sh [--part I/N] [--limit SECONDS] [--only GLOB] [--skip GLOB]   run, then draw
#   papers/lab/papers.sh --draw                        only draw, from papers/lab/papers.jsonl
#   papers/lab/papers.sh --from FILE.jsonl [...]       only draw, from these lines
#   papers/lab/papers.sh --dry-run [--part I/N]        print the commands
# --limit: seconds for the whole call, with building; a call that was cut off goes on where it ended.
# OUT=DIR: the lines go to DIR/papers.jsonl, or papers-I.jsonl for part I, and nothing is drawn; this needs
#     nothing but Python, CMake and CUDA's compiler. Else they go to BUILD/papers-COMMIT.jsonl, which becomes
#     papers/lab/papers.jsonl when the pages are committed.
# FRINGE_COMMIT=...: the commit, where the sources have no git.
# BUILD, COUNTING: the two build folders (default build-papers, build-papers-counting).
# VENV=...: the virtual environment for drawing (default .venv); made from bench/requirements.txt if missing.
set -eu
here=$(dirname "$0")
root=$here/../..
venv=${VENV:-$root/.venv}
export BUILD="${BUILD:-$root/build-papers}" COUNTING="${COUNTING:-$root/build-papers-counting}"
begin=$(date +%s)

# build FOLDER FLAGS...: the measuring programs alone; no command, so that they need no further library.
build() {
    folder=$1
    shift
    mkdir -p "$folder"
    targets=bench_papers
    {
        # shellcheck disable=SC2046 # two words or none
        cmake -S "$root" -B "$folder" $(command -v ninja >/dev/null && echo -G Ninja) -DFRINGE_CUDA=AUTO \
            -DFRINGE_BENCH_ONLY=ON -DFRINGE_ARCHIVE=OFF -DFRINGE_TESTS=OFF "$@" || return 1
        if cmake --build "$folder" --target help | grep -q bench_gather; then # it was configured with CUDA
            targets='bench_papers bench_gather'
        fi
        # shellcheck disable=SC2086
        cmake --build "$folder" -j "$(nproc)" --target $targets
    } >"$folder/papers.log" 2>&1
}

# need_drawing: the packages that draw.py imports.
need_drawing() {
    "$venv/bin/python" -c 'import matplotlib, numpy' 2>/dev/null && return
    { python3 -m venv "$venv" && "$venv/bin/python" -m pip install --quiet -r "$root/bench/requirements.txt"; } || {
        echo "papers.sh: cannot install matplotlib and numpy into $venv (python3-venv, a network). Without them" >&2
        echo "OUT=DIR papers/lab/papers.sh still runs the jobs; draw later, with --from FILE.jsonl." >&2
        exit 4
    }
}

case " $* " in
*" --dry-run "*) exec python3 "$here/run.py" "$@" ;;
*" --draw "*) need_drawing && exec "$venv/bin/python" "$here/draw.py" ;;
*" --from "*) need_drawing && exec "$venv/bin/python" "$here/draw.py" "$@" ;;
esac

limit=0 part='' args=''
while [ $# -gt 0 ]; do
    case $1 in
    --limit) limit=$2 && shift ;;
    --part) part=-${2%%/*} && args="$args --part $2" && shift ;;
    *) args="$args $1" ;;
    esac
    shift
done
if [ -n "${OUT:-}" ]; then
    output=$OUT/papers$part.jsonl
else
    need_drawing
    output=$BUILD/papers-$(git -C "$root" rev-parse --short=12 HEAD).jsonl
fi
mkdir -p "$(dirname "$output")"

set -f # globs are for run.py
build "$BUILD" &
running="$BUILD:$!"
# shellcheck disable=SC2086 # words without spaces
if python3 "$here/run.py" --dry-run $args | grep "^$COUNTING/" >/dev/null; then
    build "$COUNTING" -DFRINGE_COUNTING=ON &
    running="$running $COUNTING:$!"
fi
for folder in $running; do
    wait "${folder##*:}" || {
        tail -20 "${folder%:*}/papers.log" >&2
        echo "papers.sh: the build failed; ${folder%:*}/papers.log says all" >&2
        exit 4
    }
done
spent=$(($(date +%s) - begin))
echo "built in $spent s"
if [ "$limit" -gt 0 ]; then args="$args --budget $((limit - spent))"; fi
failed=0
# shellcheck disable=SC2086
python3 "$here/run.py" --output "$output" $args || failed=$?
if [ -z "${OUT:-}" ] && [ -s "$output" ]; then "$venv/bin/python" "$here/draw.py" --from "$output"; fi
exit "$failed"
