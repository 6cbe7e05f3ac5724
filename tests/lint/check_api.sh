#!/bin/bash
# docs/api.md is what tools/api_reference.py writes from the public headers.
set -u
command -v python3 >/dev/null || { echo "skip: python3 is not installed"; exit 77; }
exec python3 -B tools/api_reference.py --check
