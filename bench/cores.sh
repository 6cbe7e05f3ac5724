#!/bin/bash
# The CPU's answers compared with GAPBS on all cores of a host, without a network, in at most 150 s: first and tenth
# answers of BFS and SSSP (in_turns.py), then whole commands from files (from_file.py). Writes
# FOLDER/first-answer.jsonl and FOLDER/from-file.jsonl, in the form of bench/results.
#   bench/cores.sh FRINGE GAPBS FOLDER [GRAPHS [THREADS]]
# FRINGE: the command; the folder bench next to it has bench_first_answer and bench_dial. GAPBS: the folder of its
# bfs and sssp. GRAPHS: folder of cnr-2000.mtx.zst and osm-moscow-roads.gr.zst, which are left out without it.
set -eu
case "${1:-}" in -h | --help) sed -n 2,7p "$0"; exit 0 ;; esac
[ $# -ge 3 ] || { sed -n 5p "$0" >&2; exit 2; }
fringe=$(realpath "$1") gapbs=$(realpath "$2") folder=$3 graphs=${4:-/nonexistent} threads=${5:-$(nproc)}
here=$(dirname "$0") status=0 end=$((SECONDS + 150))
mkdir -p "$folder"
answers=$folder/first-answer.jsonl lines=$folder/from-file.jsonl
rm -f "$answers" "$lines"
# limited COMMAND...: what is left of the 150 s
limited() {
    [ $((end - SECONDS)) -gt 0 ] || { echo "left out, no time is left: $*" >&2; status=1; return 0; }
    timeout $((end - SECONDS)) "$@" || { echo "failed or cut off: $*" >&2; status=1; }
}
export OMP_NUM_THREADS=$threads
for problem in bfs sssp; do
    limited "$here/in_turns.py" first-answer --gapbs "$gapbs" --problem $problem --threads "$threads" \
        --deltas 4,64 --peer-sources 1 --output "$answers" "$(dirname "$fringe")"
done
echo "first answers: $SECONDS s" >&2
# one command a graph, so that those that are complete remain
for name in ${NAMES:-lattice wiki-like cnr-2000 moscow kron21 grid3d uniform lj-like kron24}; do
    limited "$here/from_file.py" --fringe "$fringe" --gapbs "$gapbs" --binary --threads "$threads" --graphs "$graphs" \
        --runs 2 --output "$lines" "$name"
done
echo "all: $SECONDS s" >&2
exit $status
