#!/bin/bash
# Runs random_calls.py and, without --only, random_combinations.py with the Python that has the libraries they
# compare with: that of `make test-python`.
# usage: tests/random/random_calls.sh [ARGS of random_calls.py]
cd "$(dirname "$0")/../.." || exit 1
python=build/python/venv/bin/python
[ -x "$python" ] || python=python3
[ -e build/libfringe.so ] || { echo "skip: no build/libfringe.so: make build"; exit 77; }
export OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive # the graphs are small
"$python" tests/random/random_calls.py "$@" || exit
case " $* " in
*" --only "*) ;;
*) "$python" tests/random/random_combinations.py "$@" ;;
esac
