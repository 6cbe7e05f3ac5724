#!/bin/sh
# Installs what is missing from tools/packages.txt: by apt-get when root, through sudo when that is
# there, else it names the packages and stops.
# usage: tools/setup.sh GROUP...    (build, test, slurm, browser, bench, wheel, deb)
set -eu
list=$(dirname "$0")/packages.txt

missing() { # GROUP WEIGHT: the packages of the list that are not installed
    while read -r group package weight _; do
        if [ "$group" != "$1" ] || [ "$weight" != "$2" ] || [ "$package" = - ]; then continue; fi
        dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q ' installed$' ||
            echo "$package"
    done <"$list"
}

names() { # the packages that stand at the start of each line of the list for these groups
    for group in "$@"; do awk -v g="$group" '$1 == g && $2 != "-" { print $2 }' "$list"; done
}

if ! command -v dpkg-query >/dev/null; then
    echo "setup: not a Debian system; fringe wants the equivalents of:" "$(names "$@" | xargs)"
    exit 0
fi

needed='' optional=''
for group in "$@"; do
    needed="$needed $(missing "$group" needed)"
    optional="$optional $(missing "$group" optional)"
done
needed=$(echo "$needed" | xargs) optional=$(echo "$optional" | xargs)
[ -n "$needed$optional" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=''
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root='sudo'
else
    [ -z "$optional" ] || echo "setup: not installed, parts of the tests will be skipped: $optional"
    [ -n "$needed" ] || exit 0
    echo "setup: please have these packages installed: apt-get install $needed" >&2
    exit 1
fi

echo "setup: installing $needed $optional"
install() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install "$@"; }
$as_root apt-get -qq update || echo "setup: apt-get update failed; trying with the lists at hand"
# shellcheck disable=SC2086 # lists of words
[ -z "$needed" ] || install $needed
# shellcheck disable=SC2086
[ -z "$optional" ] || install $optional || for package in $optional; do
    install "$package" || echo "setup: no $package; parts of the tests will be skipped"
done
