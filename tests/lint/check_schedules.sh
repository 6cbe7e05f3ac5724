#!/bin/bash
# Dynamic OpenMP schedules are FRI_DYNAMIC (src/base/base.h says why).
cd "$(dirname "$0")/../.." || exit 1
plain=$(git grep -nE 'schedule\((nonmonotonic *: *)?(dynamic|guided)' -- '*.c' '*.h' '*.cu' '*.cuh')
[ -z "$plain" ] || { echo "write schedule(FRI_DYNAMIC, ...):"; echo "$plain"; exit 1; }
