#!/bin/bash
# The measured parts of the documents are what the scripts that write them make of the committed lines.
# usage: check_readme.sh BUILD_DIR
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
[ -x "$1/fringe" ] || { echo "skip: no command is built in $1"; exit 77; }
status=0
python3 -B bench/readme_table.py --check --fringe "$1/fringe" || status=1
python3 -B bench/scaling_table.py --check || status=1
python3 -B bench/cores_table.py --check || status=1
python3 -B bench/python/results_table.py --check || status=1
python3 -B papers/lab/draw.py --check || status=1
exit "$status"
