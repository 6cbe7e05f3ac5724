#!/bin/bash
# Builds the Debian packages of debian/ from HEAD with dpkg-buildpackage, into build/deb/; lintian must find no
# error and no warning. As root, also installs them in a bare Debian and tries the command, the library's
# header and the Python module there.
# usage: tools/build_deb.sh
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
. tools/debian_root.sh
home=$PWD/build/deb

skip() {
    echo "skip: $1"
    exit 77
}
command -v dpkg-buildpackage >/dev/null && command -v dh >/dev/null || skip "debhelper and dpkg-dev are not installed"
lacks=$(dpkg-checkbuilddeps 2>&1) || skip "${lacks#dpkg-checkbuilddeps: }"

build() {
    rm -rf "$home"
    mkdir -p "$home/fringe" && git archive HEAD | tar -x -C "$home/fringe" || return 1
    (cd "$home/fringe" && dpkg-buildpackage --no-sign) >"$home/log" 2>&1 || { tail -20 "$home/log" | cut -c 1-400; return 1; }
    ls -sh "$home"/*.deb
}

check() {
    command -v lintian >/dev/null || { echo "skip: lintian is not installed"; return; }
    lintian --allow-root --fail-on error,warning --tag-display-limit 0 "$home"/*.changes
}

# README's program against libfringe-dev, the command, and Python's modules by their packages alone.
try() {
    local why root
    why=$(root_refused)
    [ -z "$why" ] || { echo "skip: the packages are not installed in a bare Debian: $why"; return; }
    root=$(mktemp -d)
    # shellcheck disable=SC2064 # expanded now
    trap "rm -rf --one-file-system '$root'" EXIT
    mkdir "$root/try"
    cp "$home"/*.deb tools/try_python.py tests/data/eight.{mtx,tar}.* "$root/try"
    tools/readme_part.sh c >"$root/try/example.c"
    printf 'p sp 4 3\na 1 2 5\na 2 3 5\na 3 4 5\n' >"$root/try/path.gr"
    # shellcheck disable=SC2016 # mmdebstrap's shell expands it
    root_make "$root/debian" gcc,libc6-dev,pkg-config --customize-hook="copy-in $root/try /" \
        --customize-hook='chroot "$1" sh -c "apt-get install -y --no-install-recommends /try/*.deb"' || return 1
    # shellcheck disable=SC2016 # and the root's shell
    root_run "$root/debian" 'cd /try && fringe --version && fringe bfs path.gr -s 1 --verify >/dev/null &&
        cc -Wall -Werror example.c $(pkg-config --cflags --libs fringe) -o example && ./example path.gr &&
        python3 -I try_python.py cpu &&
        python3 -c "from importlib.metadata import entry_points as e; print([p.load() for p in e(group=\"networkx.backend_info\")])"'
}

build && check && try
