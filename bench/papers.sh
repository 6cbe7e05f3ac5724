#!/bin/sh
# make bench-papers: builds and runs what measures the papers' tables and figures, draws docs/results.
#   bench/papers.sh [--part I/N] [--limit SECONDS] [--only GLOB] [--skip GLOB]   run, then draw
#   bench/papers.sh --draw                                           only draw, from bench/results/papers.jsonl
#   bench/papers.sh --from FILE.jsonl [--from FILE.jsonl]            only draw, from these lines
#   bench/papers.sh --dry-run [--part I/N]                           print the commands
# --limit: seconds for the whole call, with building; a call that was cut off goes on where it ended.
# OUT=DIR: the lines go to DIR/papers.jsonl, or papers-I.jsonl for part I, and nothing is drawn; this needs
#     nothing but Python, CMake and CUDA's compiler. Else they go to BUILD/papers-COMMIT.jsonl, which becomes
#     bench/results/papers.jsonl when the pages are committed.
# FRINGE_COMMIT=...: the commit, where the sources have no git.
# BUILD, COUNTING: the two build folders (default build-papers, build-papers-counting).
# VENV=...: the virtual environment for drawing (default .venv); made from bench/requirements.txt if missing.
set -eu
here=$(dirname "$0")
root=$here/..
venv=${VENV:-$root/.venv}
BUILD=${BUILD:-$root/build-papers}
COUNTING=${COUNTING:-$root/build-papers-counting}
export BUILD COUNTING
begin=$(date +%s)

# build FOLDER FLAGS...: the measuring programs alone; no command, so that they need no further library.
build() {
    folder=$1
    shift
    mkdir -p "$folder"
    generator=''
    if command -v ninja >/dev/null; then generator='-G Ninja'; fi
    # shellcheck disable=SC2086 # two words or none
    cmake -S "$root" -B "$folder" $generator -DFRINGE_CUDA=AUTO -DFRINGE_BENCH_ONLY=ON -DFRINGE_ARCHIVE=OFF \
        -DFRINGE_TESTS=OFF "$@" >"$folder/papers.log" 2>&1 || return 1
    targets=bench_papers
    if cmake --build "$folder" --target help | grep -q bench_gather; then # it was configured with CUDA
        targets='bench_papers bench_gather'
    fi
    # shellcheck disable=SC2086
    cmake --build "$folder" -j "$(nproc)" --target $targets >>"$folder/papers.log" 2>&1
}

case " $* " in *" --dry-run "*) exec python3 "$here/papers_run.py" "$@" ;; esac

case " $* " in *" --from "* | *" --draw "*) draw=only ;; *) draw=${OUT:+no} ;; esac

if [ "$draw" != no ] && ! "$venv/bin/python" -c 'import matplotlib, numpy' 2>/dev/null; then
    python3 -m venv "$venv" || {
        echo "papers.sh: python3 cannot make a virtual environment (on Debian: apt-get install python3-venv)" >&2
        exit 4
    }
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt" || {
        echo "papers.sh: cannot install matplotlib and numpy: is there a network? Without them" >&2
        echo "OUT=DIR bench/papers.sh still runs the jobs; draw later, with --from FILE.jsonl." >&2
        exit 4
    }
fi

case $draw in only)
    case " $* " in *" --draw "*) set -- ;; esac
    exec "$venv/bin/python" "$here/papers_draw.py" "$@" ;;
esac

limit=0
part=''
args=''
while [ $# -gt 0 ]; do
    case $1 in
    --limit) limit=$2 && shift ;;
    --part) part=-${2%%/*} && args="$args --part $2" && shift ;;
    *) args="$args $1" ;;
    esac
    shift
done
if [ -n "${OUT:-}" ]; then
    mkdir -p "$OUT"
    output=$OUT/papers$part.jsonl
else
    mkdir -p "$BUILD"
    output=$BUILD/papers-$(git -C "$root" rev-parse --short=12 HEAD).jsonl
fi

set -f # globs are for papers_run.py
build "$BUILD" &
running="$BUILD:$!"
# shellcheck disable=SC2086 # words without spaces
if python3 "$here/papers_run.py" --dry-run $args | grep "^$COUNTING/" >/dev/null; then
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
python3 "$here/papers_run.py" --output "$output" $args || failed=$?
if [ "$draw" != no ] && [ -s "$output" ]; then
    "$venv/bin/python" "$here/papers_draw.py" --from "$output"
fi
exit "$failed"
