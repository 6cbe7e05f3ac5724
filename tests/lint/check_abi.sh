#!/bin/bash
# The exported functions and their types equal tests/lint/libfringe.abi.xz, which abidw wrote.
# The sources that define the public functions are compiled with debug information for it, so the
# build type does not matter; where there is a build, its library must export the same names.
# After a compatible change (a new function, a member at the end of a struct with struct_size) write
# the description anew with --update. Any other change needs a new major version.
# --changed shows that the check can fail: a member of fr_query gets another type.
# usage: check_abi.sh [--update | --changed | BUILD_DIR]
set -eu
for tool in abidw abidiff nm xz; do
    command -v "$tool" >/dev/null || { echo "skip: $tool is not installed"; exit 77; }
done
cd "$(dirname "$0")/../.."
known=tests/lint/libfringe.abi.xz
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

headers=include
if [ "${1:-}" = --changed ]; then
    headers=$work/include
    cp -r include "$headers"
    sed -i 's/^    int32_t max_level;/    int64_t max_level;/' "$headers/fringe.h"
fi

exports() { nm -D --defined-only "$1" | awk '$3 ~ /^fr_/ { print $3 }' | sort; }

mapfile -t sources < <(git ls-files 'src/*.c' | grep -vE '^src/cuda/|/typed/' |
    xargs grep -lE '^[a-z].*\bfr_[a-z_]+\(' | sort)
objects=()
for source in "${sources[@]}"; do
    object=$work/${source//\//_}.o
    cc -c -g -O0 -std=gnu17 -D_GNU_SOURCE -fPIC -fvisibility=hidden -w -fdebug-prefix-map="$PWD"=. \
        -I"$headers" -Isrc -o "$object" "$source"
    objects+=("$object")
done
cc -shared -Wl,--version-script=cmake/fringe.map -o "$work/libfringe.so" "${objects[@]}"
# abidw 2.2 has no way to leave out the name of the libraries needed and of source folders but these.
abidw --headers-dir "$headers" --drop-private-types --drop-undefined-syms --exported-interfaces-only \
    --no-corpus-path --no-comp-dir-path --no-show-locs --no-elf-needed --no-architecture \
    --type-id-style hash --out-file "$work/now.abi" "$work/libfringe.so"
if [ "${1:-}" = --update ]; then
    xz -9e --stdout "$work/now.abi" >"$known"
    exit
fi
xz --decompress --stdout "$known" >"$work/known.abi"
if [ "${1:-}" = --changed ]; then
    ! abidiff "$work/known.abi" "$work/now.abi" >"$work/changes" && grep -q max_level "$work/changes" && exit
    echo "a member of fr_query with another type was not found"
    exit 1
fi
abidiff "$work/known.abi" "$work/now.abi" || {
    echo "the ABI differs from $known: see the head of tests/lint/check_abi.sh"
    exit 1
}
library=${1:-build}/libfringe.so
if [ -f "$library" ] && ! diff <(exports "$library") <(exports "$work/libfringe.so"); then
    echo "$library exports (<) other functions than were compared (>)"
    exit 1
fi
