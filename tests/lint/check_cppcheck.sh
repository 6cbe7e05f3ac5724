#!/bin/bash
# cppcheck finds nothing. usage: check_cppcheck.sh BUILD_DIRECTORY
set -u
command -v cppcheck >/dev/null || { echo "skip: cppcheck is not installed"; exit 77; }
mkdir -p "$1/cppcheck"
mapfile -t files < <(git ls-files 'src/*.c' 'cli/*.c' 'bench/*.c')
# One define selects the pair of types of src/cpu/sssp/typed; no other file reads it.
for pair in I32_I64 F32_F64; do
    cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --std=c17 --library=posix \
        --inline-suppr --suppressions-list=tests/lint/cppcheck.txt --cppcheck-build-dir="$1/cppcheck" \
        -j "$(nproc)" -DFRI_PAIR_$pair -Isrc -Iinclude -D_GNU_SOURCE -DFRI_HAVE_ARCHIVE -D__GNUC__=12 "${files[@]}" || exit 1
    mapfile -t files < <(git ls-files 'src/cpu/sssp/typed/*.c')
done
