#!/bin/bash
# First answer, each further one and traversal of `auto` on one GPU, BFS and SSSP on the suite's graphs: JSON lines for
# bench/results, from which the tables take the column of first answers. At most 60 s; exits 1 if a graph is left out.
#   bench/first_answer_gpu.sh GRAPHS [FRINGE [SOURCES]]
# GRAPHS: folder of cnr-2000 and osm-moscow-roads. FRINGE: build/fringe by default; SOURCES: 16.
set -eu
case "${1:-}" in -h | --help) sed -n 2,5p "$0"; exit 0 ;; esac
[ $# -ge 1 ] || { sed -n 4p "$0" >&2; exit 2; }
graphs=$1 fringe=${2:-build/fringe} sources=${3:-16}
lines=$(mktemp)
trap 'rm -f "$lines"' EXIT
for suite in gpu:auto,bfs4k,xbfs gpu-sssp:auto; do
    "$fringe" bench --suite "${suite%:*}" --strategies "${suite#*:}" --backend "${BACKEND:-cuda}" --graphs "$graphs" \
        --sources "$sources" | tee -a "$lines"
done
! grep -q '"skipped"' "$lines"
