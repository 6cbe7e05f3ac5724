#!/bin/bash
# Runs random_calls.py with the Python that has the libraries it compares with: that of `make test-python`.
# usage: tests/random/random_calls.sh [ARGS of random_calls.py]
cd "$(dirname "$0")/../.." || exit 1
python=build/python/venv/bin/python
[ -x "$python" ] || python=python3
[ -e build/libfringe.so ] || { echo "skip: no build/libfringe.so: make build"; exit 77; }
OMP_NUM_THREADS=1 exec "$python" tests/random/random_calls.py "$@" # one thread: the graphs are small
