#!/bin/bash
# tools/packages.txt names every dependency; the reader of scripts that this rests on reads them right.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
python3 -B tests/lint/test_packages.py || exit 1
exec python3 -B tests/lint/check_packages.py
