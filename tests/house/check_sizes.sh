#!/bin/bash
# File names are unique over the tree (examples aside); no source file is longer than 400 lines, no function than 80
# (120 for a kernel in a .cu file).
set -u
bad=0
mapfile -t files < <(git ls-files '*.[ch]' '*.cpp' '*.cu' '*.cuh' '*.sh')
[ "${#files[@]}" -gt 20 ] || { echo "only ${#files[@]} files: is this a git checkout?"; exit 1; }

doubles=$(printf '%s\n' "${files[@]}" | grep -v '^examples/' | sed 's|.*/||' | sort | uniq -d)
for name in $doubles; do
    echo "file name $name is used twice:" "$(printf '%s\n' "${files[@]}" | grep "/$name\$" | xargs)"
    bad=1
done

for file in "${files[@]}"; do
    case $file in *.sh) continue ;; include/*) limit=800 ;; *) limit=400 ;; esac
    lines=$(wc -l <"$file")
    [ "$lines" -le "$limit" ] || { echo "$file: $lines lines, at most $limit"; bad=1; }
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
