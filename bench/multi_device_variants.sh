#!/bin/bash
# EXPERIMENT of branch s6-multibfs, removed before the end: each change of multi-device on and off, in turns in one
# run; about 70 s on two H200s with bench_multi_device and test_gpu_multi_devices built.
#   bench/multi_device_variants.sh [BUILD]
# list_edges=0: bitmaps in all levels. disable: 1 clears a bitmap in every level; 2 writes levels and counts edges
# after every push; 4 sets a bit of the next bitmap per find of a push; 0,7 together: as before this branch, but for
# the start. list_edges=N: other limits of levels by lists. The last one's levels are printed beside the default's.
set -eu
case "${1:-}" in -h | --help) sed -n 2,7p "$0"; exit 0 ;; esac
exec bash "$(dirname "$0")/multi_device.sh" "${1:-build}" 2 22 32 24 32 26 32 \
    list_edges=0 disable=1 disable=2 disable=4 list_edges=65536 list_edges=2000000 list_edges=0,disable=7 levels
