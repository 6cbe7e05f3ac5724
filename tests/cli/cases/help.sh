#!/bin/bash
# Every command has help with an example, a manual page and a place in the completion.
fringe help --man fringe | sed -nE '/^\.BR fringe/ { s/\\//g; s/.BR fringe-(.*) \(1\)$/\1/p }' >commands
[ "$(wc -l <commands)" -gt 15 ] || echo "fringe(1) lists $(wc -l <commands) commands"
while read -r command; do
    # shellcheck disable=SC2086 # two words
    fringe ${command/-/ } --help >help.txt || echo "$command --help fails"
    grep -q '^Example' help.txt || echo "$command --help has no example"
    awk 'length > 80 { print "too long: " $0 }' help.txt
    grep -n ' $' help.txt && echo "$command: blanks at the end of a line"
    fringe help --man "$command" >page.1
    grep -oE -- '^ +(-., )?--[a-z-]+' help.txt | grep -oE -- '--[a-z-]+' | while read -r option; do
        grep -qF -- "${option//-/\\-}" page.1 || echo "$option is not in the manual of $command"
    done
    if command -v mandoc >/dev/null; then
        mandoc -T lint -W warning page.1 | grep -v 'missing date'
    fi
done <commands
fringe help --completion bash >completion.bash
bash -n completion.bash
# shellcheck disable=SC1091
. ./completion.bash
ask() {
    COMP_WORDS=("$@")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _fringe 2>/dev/null
    echo "$* -> ${COMPREPLY[*]}"
}
ask fringe i
ask fringe bfs --ma
ask fringe bfs --backend c
ask fringe list f
ask fringe bfs ei
touch compared.jsonl
ask fringe bench compar
ask fringe bench --sources compar
ask fringe bench compare --co
ask fringe bench compare compar
ask fringe graph500 --s
run fringe --version
run fringe --help
run fringe gen --help
fringe help bench compare | head -1
fringe help graph500 | head -1
run fringe help bfs compare
fringe help --man fringe | grep -A1 'bench'
