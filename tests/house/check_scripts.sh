#!/bin/bash
# Every script passes shellcheck.
set -u
command -v shellcheck >/dev/null || { echo "skip: shellcheck is not installed"; exit 77; }
mapfile -t scripts < <(git ls-files | while read -r f; do
    [ -f "$f" ] && head -c 20 "$f" | grep -aqE '^#!.*\b(ba)?sh' && echo "$f"
done)
[ "${#scripts[@]}" -ge 5 ] || { echo "only ${#scripts[@]} scripts: is this a git checkout?"; exit 1; }
shellcheck -x "${scripts[@]}"
