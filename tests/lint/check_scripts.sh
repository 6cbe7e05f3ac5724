#!/bin/bash
# Every script passes shellcheck.
set -u
command -v shellcheck >/dev/null || { echo "skip: shellcheck is not installed"; exit 77; }
mapfile -t scripts < <(git ls-files | while read -r f; do
    [ -f "$f" ] && head -c 20 "$f" | grep -aqE '^#!.*\b(ba)?sh' && echo "$f"
done)
[ "${#scripts[@]}" -ge 5 ] || { echo "only ${#scripts[@]} scripts: is this a git checkout?"; exit 1; }
# SC2015: `a && b || complain` is meant here, complaining does not fail
shellcheck -x -e SC2015 "${scripts[@]}"
