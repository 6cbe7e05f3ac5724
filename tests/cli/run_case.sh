#!/bin/bash
# Runs one case in a folder of its own with copies of tests/cli/data, and compares all that it
# prints with CASE.expected.
# usage: run_case.sh FRINGE CASE.sh        (UPDATE=1: writes CASE.expected instead; read the diff)
set -u
FRINGE=$(realpath "$1")
case_file=$(realpath "$2")
expected=${case_file%.sh}.expected
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$(dirname "$0")"/data/* "$work"
cd "$work" || exit 1
export work FRINGE LC_ALL=C NO_COLOR=1 OMP_NUM_THREADS=2 XDG_CACHE_HOME=$work/.cache
unset MAKEFLAGS

# What a case is written with: prints the command, its exit code if that is not 0, and what it said.
run() {
    local code=0 said=$work.$BASHPID
    "$@" >"$said" 2>&1 || code=$?
    [ $code = 0 ] && echo "\$ $*" || echo "\$ $* (exit $code)"
    cat "$said"
    rm "$said"
}
fringe() { "$FRINGE" "$@"; }
# Takes out what differs from run to run: times and rates.
steady() {
    sed -E -e 's/[0-9.]+ (ns|us|ms|s)\b/TIME/g' -e 's/[0-9.e+]+ MTEPS/RATE MTEPS/' \
        -e 's/[0-9,]+ edges examined/N edges examined/' -e 's/^hash .*/hash        HASH/'
}
# Waits until a process handles Ctrl-C: until then it ignores it, as a job in a script's background does.
handles_interrupt() { # PROCESS
    for _ in {1..6000}; do # a minute
        grep -qE '^SigCgt:.*[2367abef]$' "/proc/$1/status" && return
        sleep 0.01
    done
    echo "process $1 handles no Ctrl-C"
}
export -f run fringe steady handles_interrupt

bash -u "$case_file" >out.log 2>&1
code=$?
[ $code -eq 77 ] && { cat out.log; exit 77; }
if [ "${UPDATE:-}" ]; then
    cp out.log "$expected"
    exit 0
fi
diff -u "$expected" out.log && [ $code -eq 0 ] || { echo "case exits $code, not 0 with the output expected; UPDATE=1 rewrites"; exit 1; }
