#!/bin/bash
# Runs a test and fails it when it uses more processor time than its limit; a test that hangs ends after thirty times the
# limit on the clock. Processor time is what the test and the processes that it waited for used; other work on the
# machine disturbs it little. CMake gives the limit (tests/limit.cmake).
# usage: limit.sh SECONDS COMMAND...    environment: FRINGE_TEST_FACTOR=N: N times as long; FRINGE_FULL: 30 times
set -u
limit=$(($1 * ${FRINGE_TEST_FACTOR:-1}))
shift
[ -z "${FRINGE_FULL:-}" ] || limit=$((limit * 30))
cores=$(nproc)
[ "$cores" -le 4 ] || limit=$((limit * cores / 4)) # threads that wait for others use processor time on each core

exec 3>&1 4>&2
TIMEFORMAT='%3U %3S'
spent=$({ time timeout -k 10 $((limit * 30)) "$@" >&3 2>&4 3>&- 4>&-; } 2>&1)
code=$?
[ $code != 124 ] || echo "the test does not end within $((limit * 30)) s"
read -r user system <<<"$spent"
spent=$((10#${user/./} + 10#${system/./})) # milliseconds
printf 'processor time: %d.%03d s of %d\n' $((spent / 1000)) $((spent % 1000)) "$limit"
[ $spent -le $((limit * 1000)) ] || echo "more than its limit, which its label sets (tests/README.md)" # ctest fails by it
exit $code
