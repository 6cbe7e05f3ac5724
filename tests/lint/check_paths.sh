#!/bin/bash
# No path of the machine that something was written on is in the tree.
set -u
# shellcheck disable=SC2016
hits=$(git grep -nIE '(^|[^A-Za-z0-9_.])/(work|root|home/[a-z]+|tmp/tmp)/' -- . ':!LICENSE' ':!tests/lint/check_paths.sh')
[ -z "$hits" ] || { echo "$hits"; exit 1; }
