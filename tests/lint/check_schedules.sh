#!/bin/bash
# Dynamic OpenMP schedules are FRI_DYNAMIC (src/base/base.h says why).
cd "$(dirname "$0")/../.." || exit 1
git grep -nE 'schedule\((nonmonotonic *: *)?(dynamic|guided)' -- '*.c' '*.h' '*.cu' '*.cuh'
case $? in # of git grep: 0 with a hit, 1 without
0) echo "write schedule(FRI_DYNAMIC, ...)" && exit 1 ;;
1) ;;
*) echo "git grep fails: is this a git checkout?" && exit 1 ;;
esac
