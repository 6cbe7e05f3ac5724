#!/bin/bash
# Code, comments, messages and documents have American spelling: the table below lists the beginnings
# that the tree has contained and what they become. Logs and measured lines keep their text; `cancelled`
# is part of the API.
# usage: check_spelling.sh [--fix | FILE...]    --fix: rewrites the files
set -eu
cd "$(dirname "$0")/../.."
american='
analyse        analyze
artefact       artifact
authoris       authoriz
behaviour      behavior
catalogue      catalog
centimetre     centimeter
centre         center
colour         color
defence        defense
favour         favor
finalis        finaliz
fulfils        fulfills
generalis      generaliz
grey           gray
honour         honor
initialis      initializ
judgement      judgment
kilometre      kilometer
labelled       labeled
licence        license
maximis        maximiz
minimis        minimiz
modelled       modeled
neighbour      neighbor
normalis       normaliz
optimis        optimiz
organis        organiz
parallelisa    paralleliza
parallelise    parallelize
randomis       randomiz
recognis       recogniz
serialis       serializ
specialis      specializ
summaris       summariz
synchronis     synchroniz
travelled      traveled
utilis         utiliz
vectoris       vectoriz
visualis       visualiz
whilst         while
'
if [ $# -gt 0 ] && [ "$1" != --fix ]; then
    files=("$@")
else
    mapfile -t files < <(git ls-files | grep -vE \
        '^(LICENSE|docs/history/|docs/gpu-runs/|bench/results/|tests/data/|tests/lint/check_spelling.sh)|[.](svg|zst|gz|bz2|xz|fringe)$')
fi
pattern=$(awk 'NF { printf "%s%s", n++ ? "|" : "", $1 }' <<<"$american")
if [ "${1:-}" = --fix ]; then
    edits=$(awk 'NF { a = $1; b = $2; A = toupper(a); B = toupper(b)
        printf "s/%s/%s/g;s/%s/%s/g;", a, b, A, B
        printf "s/%s%s/%s%s/g;", substr(A, 1, 1), substr(a, 2), substr(B, 1, 1), substr(b, 2) }' <<<"$american")
    mapfile -t wrong < <(grep -lIiE "$pattern" "${files[@]}")
    [ ${#wrong[@]} = 0 ] || sed -i "$edits" "${wrong[@]}"
    exit
fi
if grep -nIiE "$pattern" "${files[@]}"; then
    echo "American spelling, please: tests/lint/check_spelling.sh --fix"
    exit 1
fi
