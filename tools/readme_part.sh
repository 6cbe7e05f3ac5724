#!/bin/sh
# A part of README.md as it is printed, for the tests that run it: the program in C, its line of cc, the program in Python,
# or the commands, a line each, without their comments.
# usage: tools/readme_part.sh c|cc|python|commands
set -eu
cd "$(dirname "$0")/.."
# shellcheck disable=SC2016 # marks of Markdown
case $1 in
cc) grep -o -m 1 '`cc [^`]*`' README.md | tr -d '`' ;;
commands) awk '/^```/ { fenced = !fenced } !fenced && sub(/^    /, "") { sub(/ +#.*/, ""); print }' README.md ;;
c | python) awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } /^```$/ { on = 0 } on' README.md ;;
esac
