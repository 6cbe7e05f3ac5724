#!/bin/bash
# What tests left out, from ctest's LastTest.log and what ctest printed: a line "NAME: reason" for each
# "skip: reason" of a test, and for each test that ctest calls skipped without one.
# usage: skips.sh LOG...             all of them
#        skips.sh --refused LOG...   those that CI does not allow (ci_skips.txt); exit 1 when there are any
refused=''
[ "${1:-}" != --refused ] || { refused=1; shift; }

skips() {
    awk '
        / Testing: / { sub(/.* Testing: /, ""); name = $0 }
        /^skip(ped)?: / { sub(/^skip(ped)?: */, ""); if (!seen[name, $0]++) print name ": " $0; said[name] = 1 }
        / Test +#.*[*][*][*]Skipped/ { skipped[$4] = 1 }
        END { for (name in skipped) if (!said[name]) print name ": no reason given" }' "$@"
}

if [ -z "$refused" ]; then
    skips "$@"
    exit
fi
found=$(skips "$@" | grep -vEf <(grep -v '^#' "$(dirname "$0")/ci_skips.txt"))
[ -n "$found" ] || exit 0
echo "skipped, and tests/lint/ci_skips.txt does not allow it:"
echo "$found"
exit 1
