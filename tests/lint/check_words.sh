#!/bin/bash
# What no file may contain.
set -u
bad=0
refuse() { # WHY PATTERN FILE...
    git grep -nIE "$2" -- "${@:3}"
    case $? in # of git grep: 0 with a hit, 1 without
    0) echo "$1" && bad=1 ;;
    1) ;;
    *) echo "git grep fails: is this a git checkout?" && exit 1 ;;
    esac
}
refuse 'a path of the machine that something was written on' \
    '(^|[^A-Za-z0-9_.])/(work|root|home/[a-z]+|tmp/tmp)/' . ':!LICENSE' ':!tests/lint/check_words.sh'
refuse 'write schedule(FRI_DYNAMIC, ...): src/base/base.h says why' \
    'schedule\((nonmonotonic *: *)?(dynamic|guided)' '*.c' '*.h' '*.cu' '*.cuh'
refuse 'American spelling, beside what codespell knows' \
    '([Mm]axim|[Pp]arallel|[Rr]andom|[Vv]ector)is(e|ing|ation)|[Tt]ravell|[Ww]hilst' . ':!LICENSE' ':!tests/lint/check_words.sh'
exit $bad
