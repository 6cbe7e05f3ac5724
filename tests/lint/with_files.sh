#!/bin/bash
# Runs a tool on the text files that git knows by these patterns; without the tool: "skip: ...", exit 77.
# usage: with_files.sh PATTERN... -- TOOL ARG...
set -o pipefail
patterns=()
while [ "$1" != -- ]; do
    patterns+=("$1")
    shift
done
shift
command -v "$1" >/dev/null || { echo "skip: $1 is not installed"; exit 77; }
git grep -lIz '' -- "${patterns[@]}" | xargs -0 "$@"
