#!/bin/bash
# A large matrix says its size and the expected time before it starts, and the rest of the time while it runs.
said() { sed -E -e 's/in [0-9.]+ (us|ms|s)$/in TIME/' -e 's/[0-9,]+ of ([0-9,]+) rows after .* left/N of \1 rows after TIME, TIME left/'; }
fringe apsp grid2d:rows=46,cols=46 --backend cpu -o x.npy 2>&1 >summary | said
ls -l x.npy | awk '{print $5}'
fringe apsp grid2d:rows=46,cols=46 --backend cpu -q -o x.npy 2>&1
fringe apsp grid2d:rows=46,cols=46 --backend cpu --json 2>&1 >summary | said
fringe apsp grid2d:rows=46,cols=46 --backend cpu --strategy multi-bfs -o x.npz 2>&1 >summary | said
fringe apsp eight.gr 2>&1 >summary
# the reader waits, so that the command does
fringe apsp grid2d:rows=46,cols=46 --backend cpu -o - 2>said | { sleep 3.5; cat >/dev/null; }
said <said | head -2
# ---- ids ----
fringe apsp eight.gr -o x.npy 2>&1 >summary
fringe apsp eight.gr -s 2,1 -o x.npy 2>&1 >summary
fringe apsp eight.gr -o x.npz 2>&1 >summary
fringe apsp grid2d:rows=3,cols=3 -o x.npy 2>&1 >summary
