#!/bin/bash
# A large matrix says its size and the expected time before it starts, and the rest of the time while it runs.
spoken() { { fringe "$@" >summary; } 2>&1; }
went='s/[0-9,]+ of ([0-9,]+) rows after .* left/N of \1 rows after TIME, TIME left/'
said() { sed -E -e 's/in [0-9.]+ (us|ms|s)$/in TIME/' -e "$went" -e "${1:-}"; }
timely() { said '/ rows after /d'; } # a busy machine takes longer than the second after which it says how far it is
spoken apsp grid2d:rows=46,cols=46 --backend cpu -o x.npy | timely
wc -c <x.npy
spoken apsp grid2d:rows=46,cols=46 --backend cpu -q -o x.npy
spoken apsp grid2d:rows=46,cols=46 --backend cpu --json | timely
spoken apsp grid2d:rows=46,cols=46 --backend cpu --strategy multi-bfs -o x.npz | timely
spoken apsp eight.gr
# the reader waits, so that the command does
fringe apsp grid2d:rows=46,cols=46 --backend cpu -o - 2>words | { sleep 3.5; cat >/dev/null; }
said <words | head -2
# ---- ids ----
spoken apsp eight.gr -o x.npy
spoken apsp eight.gr -s 2,1 -o x.npy
spoken apsp eight.gr -o x.npz
spoken apsp grid2d:rows=3,cols=3 -o x.npy
