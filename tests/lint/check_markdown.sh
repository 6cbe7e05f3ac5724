#!/bin/bash
# Links, headings, tables, columns and names of functions in every Markdown file, and the checker itself on a bad one.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2016 # the backquotes are Markdown's
printf '%s\n' '# Title' 'Text with [a link](missing.md) and [another](#nowhere), [a third](#title).' \
    '| a |' '|---|' '| b |' 'words' '### Deep' '# Second' "$(printf 'x%.0s' {1..121})" \
    '`fri_no_such()`' '`fr_bfs()` in [a checker]('"$PWD"'/tests/lint/check_markdown.py)' >"$work/bad.md"
found=$(python3 -B tests/lint/check_markdown.py "$work/bad.md" | sed 's/.*bad.md:\([0-9]*\): .*/\1/' | xargs)
[ "$found" = "2 2 3 6 7 8 9 10 11" ] || { echo "of nine seeded faults the checker found those on lines: $found"; exit 1; }
exec python3 -B tests/lint/check_markdown.py
