#!/bin/bash
# cppcheck finds nothing. usage: check_cppcheck.sh BUILD_DIRECTORY
set -u
command -v cppcheck >/dev/null || { echo "skip: cppcheck is not installed"; exit 77; }
mkdir -p "$1/cppcheck"
mapfile -t files < <(git ls-files 'src/*.c' 'cli/*.c' 'bench/*.c')
# Defines select the types of the files in the folders `typed` (src/cpu/typed.h).
for types in '-DFRI_WEIGHT=I64 -DFRI_DIST=I64 -DFRI_ONCE' '-DFRI_WEIGHT=F64 -DFRI_DIST=F64'; do
    read -ra types <<<"$types"
    cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --std=c17 --library=posix \
        --inline-suppr --suppressions-list=tests/lint/cppcheck.txt --cppcheck-build-dir="$1/cppcheck" \
        -j "$(nproc)" "${types[@]}" -Isrc -Iinclude -D_GNU_SOURCE -DFRI_HAVE_ARCHIVE -D__GNUC__=12 "${files[@]}" || exit 1
    mapfile -t files < <(git ls-files 'src/*/typed/*.c')
done
