#!/bin/bash
# The quick start of include/fringe.h compiles without warnings and prints what it should.
# usage: check_header_example.sh SOURCE_DIR BUILD_DIR
set -eu
[ -f "$2/libfringe.so" ] || { echo "skip: no libfringe.so is built in $2"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^ \* Quick start/ { on = 1 } on && /^ \*     / { print substr($0, 8); seen = 1; next } seen { exit }' \
    "$1/include/fringe.h" >"$work/example.c"
lines=$(wc -l <"$work/example.c")
[ "$lines" -eq 12 ] || { echo "the quick start has $lines lines, not 12"; exit 1; }
cc -std=c17 -Wall -Wextra -Wpedantic -Werror -I"$1/include" -o "$work/example" "$work/example.c" \
    -L"$2" -lfringe
said=$(LD_LIBRARY_PATH=$2 "$work/example")
[ "$said" = "success: vertex 3 has level 3" ] || { echo "the quick start prints: $said"; exit 1; }
