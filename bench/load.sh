#!/bin/sh
# make bench-load: times text -> sorted, deduplicated, symmetric CSR, for fringe and the peers that are present.
#   SCALE=20        Kronecker graph of 2^SCALE vertices, 16 edges each
#   FOLDER=...      where the text files are kept (default: a temporary folder)
#   GAPBS=...       folder of a built GAP benchmark suite (its ./converter)
#   PIGO=...        folder that holds pigo.hpp (needs a C++ compiler)
set -eu
program=${BUILD:-build}/bench/bench_load
[ -x "$program" ] || { echo "bench/load.sh: no $program; run make build" >&2; exit 2; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=${FOLDER:-$scratch}
mkdir -p "$folder"
[ -s "$folder/mixed.wel" ] || "$program" make "$folder" "${SCALE:-20}"

"$program" time "$folder/by.el" "$folder/mixed.el" "$folder/mixed.mtx" "$folder/mixed.wel"
if [ -n "${GAPBS:-}" ]; then
    for name in by mixed; do
        for run in 1 2 3; do
            "$GAPBS/converter" -s -f "$folder/$name.el" -b "$scratch/out.sg" |
                awk -v n="$name.el" -v r="$run" '/Time:/ { t[$1] = $NF }
                    END { printf "gapbs %s, run %d: read %.3f s, build %.3f s, load %.3f s\n",
                          n, r, t["Read"], t["Build"], t["Read"] + t["Build"] }'
        done
    done
fi
if [ -n "${PIGO:-}" ]; then
    ${CXX:-c++} -O3 -march=native -fopenmp -I"$PIGO" bench/micro/pigo_load.cc -o "$scratch/pigo_load"
    for name in by mixed; do
        "$scratch/pigo_load" "$folder/$name.el" | sed "s/^pigo:/pigo $name.el:/"
    done
fi
