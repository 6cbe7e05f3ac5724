#!/bin/bash
# NetworkX's whole suite with the backend fringe, NetworkX itself where fringe has no function. Takes minutes.
# usage: tools/test_networkx.sh [PYTEST_ARGS...]
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
tools/test_python.sh --build-only || exit
cd build/python || exit 1
export PYTHONPATH=$OLDPWD/python/tests NETWORKX_TEST_BACKEND=fringe NETWORKX_FALLBACK_TO_NX=True
"$PWD/venv/bin/python" -m pytest -q -p no:cacheprovider -p networkx_plugin --pyargs networkx "$@"
