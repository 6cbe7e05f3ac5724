#!/bin/sh
# Installs what is missing of the groups in tools/packages.txt: by apt-get when root, through sudo when that is
# there, else it says what to install. Fails where one of the group "build" is missing: the others are for parts of
# the tests, and CMake names what it cannot do without.
# usage: tools/setup.sh [--list] GROUP...    --list: only prints the names of the packages
set -eu
list=$(dirname "$0")/packages.txt

packages() { # GROUP...
    for group; do awk -v g="$group" '$1 == g { print $2 }' "$list"; done
}
missing() { # GROUP...
    # shellcheck disable=SC2046 # words
    packages "$@" | grep -vxF "$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $(packages "$@") 2>/dev/null |
        sed -n 's/^installed //p')" | xargs
}

if [ "$1" = --list ]; then
    shift
    packages "$@"
    exit
fi
if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system; fringe wants the equivalents of:" "$(packages "$@" | xargs)"
    exit
fi
wanted=$(missing "$@")
[ -n "$wanted" ] || exit 0

as_root=''
if [ "$(id -u)" != 0 ]; then
    as_root=sudo
    if ! command -v sudo >/dev/null || { [ ! -t 0 ] && ! sudo -n true 2>/dev/null; }; then
        echo "setup: please have these packages installed: apt-get install $wanted" >&2
        [ -z "$(missing build)" ] || exit 1
        echo "setup: without them parts of the tests are skipped"
        exit
    fi
fi

echo "setup: installing $wanted"
install() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@"; }
$as_root apt-get -qq update || echo "setup: apt-get update failed; trying with the lists at hand"
# shellcheck disable=SC2086 # a list of words
install $wanted || for package in $wanted; do
    install "$package" || echo "setup: no $package; parts of the tests are skipped"
done
[ -z "$(missing build)" ] || { echo "setup: without $(missing build) nothing can be built" >&2; exit 1; }
