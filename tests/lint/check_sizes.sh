#!/bin/bash
# No function is longer than 80 lines (120 for a kernel in a .cu file).
set -u
bad=0
mapfile -t files < <(git ls-files '*.[ch]' '*.cpp' '*.cu' '*.cuh')
[ "${#files[@]}" -gt 20 ] || { echo "only ${#files[@]} files: is this a git checkout?"; exit 1; }

for file in "${files[@]}"; do
    # clang-format puts a function's closing brace alone in column 0 and its head on a line that
    # starts in column 0 and ends with "{" (or continues on indented lines that do)
    awk -v limit="$([[ $file == *.cu ]] && echo 120 || echo 80)" -v file="$file" '
        /^[A-Za-z_].*\(/ { head = FNR; name = $0 }
        /^}/ { if (head && FNR - head + 1 > limit) {
                   printf "%s:%d: %d lines, at most %d: %s\n", file, head, FNR - head + 1, limit, name
                   bad = 1 }
               head = 0 }
        END { exit bad }' "$file" || bad=1
done
exit $bad
