#!/bin/bash
# `make test` of HEAD in a bare Debian with the packages of the groups build and test and without network, with CI set:
# as root, then as a user. Python's packages come from a folder that this script fills first. Needs root and mmdebstrap.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tools/debian_root.sh
why=$(root_refused)
[ -z "$why" ] || { echo "skip: $why"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/debian

in_clone() { # WHO COMMAND
    root_run "$root" "export CI=true PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels; cd /fringe && $2" >"$work/output" || { cat "$work/output"; echo "make test as $1: FAILED"; exit 1; }
    echo "$1: $(tail -1 "$work/output")"
}

packages=$(tools/setup.sh --list build test | paste -sd,)
root_make "$root" "$packages" && git clone -q . "$root/fringe" || exit 1
python3 -m venv "$work/venv" && "$work/venv/bin/pip" download -q -d "$root/wheels" -r python/requirements-test.txt || exit 1
in_clone root 'make test'
in_clone 'a user' 'chown -R 1000:1000 . && setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/tmp make test'
