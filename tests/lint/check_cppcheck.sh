#!/bin/bash
# cppcheck finds nothing. usage: check_cppcheck.sh BUILD_DIRECTORY
set -u
command -v cppcheck >/dev/null || { echo "skip: cppcheck is not installed"; exit 77; }
mkdir -p "$1/cppcheck"
mapfile -t files < <(git ls-files 'src/*.c' 'cli/*.c' 'bench/*.c')
# Defines select the types of the files in src/cpu/.../typed; no other file reads them.
for types in 'PAIR_I32_I64 -DFRI_ELEMENT_I32 -DFRI_ROUTE_I32' 'PAIR_F32_F64 -DFRI_ELEMENT_F64 -DFRI_ROUTE_F64'; do
    read -ra types <<<"-DFRI_ISA_PORTABLE -DFRI_$types"
    cppcheck --quiet --error-exitcode=1 --enable=warning,performance,portability --std=c17 --library=posix \
        --inline-suppr --suppressions-list=tests/lint/cppcheck.txt --cppcheck-build-dir="$1/cppcheck" \
        -j "$(nproc)" "${types[@]}" -Isrc -Iinclude -D_GNU_SOURCE -DFRI_HAVE_ARCHIVE -D__GNUC__=12 "${files[@]}" || exit 1
    mapfile -t files < <(git ls-files 'src/cpu/*/typed/*.c')
done
