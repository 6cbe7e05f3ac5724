#!/bin/sh
# shellcheck disable=SC2016 # the fakes expand what they are called with, not this script
# tools/setup.sh on machines that this one is not: as root, with sudo, without either, where all is
# there, where there is no dpkg. Its tools are fakes that write down how they were called.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for tool in sh dirname grep awk xargs env cat; do ln -s "$(command -v $tool)" "$work/$tool"; done

fake() { # NAME: reads its body
    { echo '#!/bin/sh'; cat; } >"$work/$1"
    chmod +x "$work/$1"
}
log() { echo "echo \"$1 \$*\" >>$work/log"; }
installed() { # PATTERN: packages whose names match are there
    fake dpkg-query <<END
for package; do :; done
echo "\$package" | grep -Eq '$1' && echo 'install ok installed'
END
}
user() { echo "echo $1" | fake id; }
setup() { # CODE: runs it without a terminal
    : >"$work/log"
    code=0
    PATH=$work "$root/tools/setup.sh" build test >"$work/said" 2>&1 </dev/null || code=$?
    [ "$code" = "$1" ] || fail "it exits $code, not $1"
}
fail() { echo "check_setup: $case: $1"; cat "$work/said" "$work/log"; exit 1; }
says() { grep -Eq "$1" "$work/said" || fail "it does not say \"$1\""; }
calls() { grep -Eq "$1" "$work/log" || fail "it does not call \"$1\""; }
calls_none() { [ ! -s "$work/log" ] || fail "it calls something"; }

log apt-get | fake apt-get
fake echo <<'END'
printf '%s\n' "$*"
END

case='root'
installed 'none'
user 0
setup 0
calls '^apt-get -qq update$'
calls '^apt-get -qq -y --no-install-recommends install .*cmake'

case='nothing missing'
installed '.'
setup 0
calls_none
[ ! -s "$work/said" ] || fail 'it says something'

case='no sudo'
installed 'none'
user 1000
setup 1
says 'please have these packages installed: apt-get install .*cmake'
says 'not installed, parts of the tests will be skipped: '
calls_none

case='only optional ones missing, no sudo'
needed=$(awk '$3 == "needed" { print $2 }' "$root/tools/packages.txt" | paste -sd'|')
installed "^($needed)\$"
setup 0
says 'not installed, parts of the tests will be skipped: '
calls_none

case='sudo that wants a password, no terminal'
installed 'none'
{ echo '[ "$1" = -n ] && exit 1'; log sudo; } | fake sudo
setup 1
says 'please have these packages installed'
calls_none

case='sudo'
{ echo '[ "$1" = -n ] && exit 0'; log sudo; echo 'exec "$@"'; } | fake sudo
setup 0
calls '^sudo apt-get -qq update$'
calls '^sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install .*cmake'
calls '^apt-get -qq -y --no-install-recommends install '

case='an install that fails'
{ log apt-get; echo '[ "$2" = update ] || exit 100'; } | fake apt-get
setup 100

case='no Debian'
rm "$work/dpkg-query"
setup 0
says 'not a Debian system; fringe wants the equivalents of: .*cmake'
calls_none
