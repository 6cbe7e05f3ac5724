#!/usr/bin/env bash
# Why BFS from some sources of a large Kronecker graph takes twice the time of others, on a GPU: levels of 12 sources
# with the defaults, and with short queues.
#
#   bench/kronecker_levels.sh BUILD [SCALE]   SCALE: 27 (45 s and 47 GB of host memory on an H200's host); 28: twice that
set -eu
exec timeout 280 "$1/bench/bench_kronecker" -n 12 "${2:-27}" "" queue_divisor=16
